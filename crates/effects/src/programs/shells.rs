//! Shells, and terminals that shells run in.

use super::Matched;
use crate::context::Context;
use crate::effect::Kind;
use crate::field::{Data, Field};
use crate::interpreter::joined;
use crate::knowledge::Role;
use hookgate_shell::{Limits, parse};

/// `bash -c TEXT NAME ARGUMENTS`, `bash SCRIPT`, a script on standard input.
pub(crate) fn shell(context: &mut Context<'_>, call: &Matched<'_>) {
    for file in call.values("--rcfile").chain(call.values("--init-file")) {
        context.run_script(file);
    }
    for text in call.values("--init-command") {
        context.run_shell(text);
    }
    // `+n` takes it back.
    let only_checked = call.has("-n") && !call.arguments.iter().any(|field| field.is("+n"));
    if only_checked && call.has("-c") {
        // The text is only checked.
        return;
    }
    if only_checked {
        for file in &call.operands {
            context.path(Kind::Read, file);
        }
        return;
    }
    if let Some(text) = call.value("--command") {
        return context.run_shell(text);
    }
    // `-c` may stand in a cluster, and other options may follow it: the text is the first operand.
    if call.has("-c") {
        let Some((text, positional)) = call.operands.split_first() else { return context.run_typed() };
        let (name, positional) = match positional.split_first() {
            Some((name, rest)) => (Some(name), rest),
            None => (None, positional),
        };
        let closed =
            (call.word.shown().ends_with("zsh")).then(|| text.text().and_then(closed_groups)).flatten();
        let text = closed.map_or_else(|| text.clone(), |closed| Field::of(closed, text.span));
        return context.run_shell_with(&text, name, positional);
    }
    match call.operands.split_first() {
        Some((file, _)) if !call.has("-s") && !file.is("-") && !file.is("/dev/stdin") => {
            match &file.process {
                Some(data) => {
                    let data = (**data).clone();
                    context.run_data(Role::Shell, &data);
                }
                None => context.run_script(file),
            }
        }
        _ => {
            // What it reads is followed, but what stands behind what was followed is read as well.
            let first = context.found.effects.len();
            context.run_input(Role::Shell);
            let empty = matches!(context.input(), Data::Text(text) if text.is_empty());
            if context.found.effects.len() == first && !empty {
                context.doubt(call.span, "a shell takes what it runs from its input");
            }
        }
    }
}

/// zsh ends a group at any `}`, where other shells want a `;` before it: the text as they would write it, if that is
/// all that keeps it from being read.
fn closed_groups(text: &str) -> Option<String> {
    let unread = |text: &str| !parse(text, &Limits::default()).problems.is_empty();
    if !text.contains(" }") || !unread(text) {
        return None;
    }
    let mut closed = String::with_capacity(text.len() + 8);
    let mut quote = None;
    let mut last = '{';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), character) if open == character => quote = None,
            (None, '}') if closed.ends_with(' ') && !matches!(last, ';' | '&' | '{' | '\n') => {
                closed.push(';');
            }
            (None | Some('"'), '\\') => {
                closed.push(character);
                closed.extend(characters.next());
                last = character;
                continue;
            }
            _ => {}
        }
        if !matches!(character, ' ' | '\t') {
            last = character;
        }
        closed.push(character);
    }
    (!unread(&closed)).then_some(closed)
}

/// `tmux new-session TEXT`, `tmux send-keys TEXT Enter`.
pub(crate) fn tmux(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    // A format runs what stands in it: `display-message -p '#(uptime)'`.
    if let Some(format) = call.arguments.iter().find(|argument| argument.written.contains("#(")) {
        context.doubt(format.span, "a format with a command in it");
    }
    match call.subcommand.first().map(String::as_str) {
        Some("send-keys" | "send") => {
            let text: Vec<Field> = call
                .operands
                .iter()
                .filter(|field| {
                    !matches!(
                        field.written.as_str(),
                        "Enter" | "C-m" | "KPEnter" | "C-c" | "C-l" | "C-u" | "Escape"
                    )
                })
                .cloned()
                .collect();
            if !text.is_empty() {
                type_in(context, &joined(&text));
                // A shell reads it, or whatever else runs there.
                context.run_typed();
            }
        }
        Some(
            "new-session" | "new" | "new-window" | "neww" | "split-window" | "splitw" | "respawn-pane"
            | "respawn-window" | "run-shell" | "run" | "pipe-pane" | "popup" | "display-popup" | "if-shell",
        ) if !call.operands.is_empty() => {
            context.run_shell(&joined(&call.operands));
        }
        Some(
            "new-session" | "new" | "new-window" | "neww" | "split-window" | "splitw" | "respawn-pane"
            | "respawn-window" | "popup" | "display-popup",
        ) => context.run_typed(),
        _ => {}
    }
}

/// Text for a terminal: what was typed before and will be typed after belongs to it.
fn type_in(context: &mut Context<'_>, text: &Field) {
    let fragment = std::mem::replace(&mut context.fragment, true);
    context.run_shell(text);
    context.fragment = fragment;
}

/// `screen -dm COMMAND`, `screen -X stuff TEXT`.
pub(crate) fn screen(context: &mut Context<'_>, call: &Matched<'_>) {
    match call.operands.split_first() {
        Some((word, rest)) if call.has("-X") && word.is("stuff") => type_in(context, &joined(rest)),
        Some((word, rest)) if call.has("-X") && word.is("exec") => context.run_shell(&joined(rest)),
        Some(_) => context.run_command(&call.operands),
        None => {}
    }
}

/// `at TIME`, `batch`: what standard input says, later.
pub(crate) fn at(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if ["-l", "-r", "-c", "-d"].iter().any(|name| call.has(name)) {
        return;
    }
    context.effect(Kind::Schedule);
    let data = context.input().clone();
    if !call.has("-f") && data != Data::Nothing {
        context.run_data(Role::Shell, &data);
    }
}

/// `crontab FILE`, `crontab -`, `crontab -r`.
pub(crate) fn crontab(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("-l") && call.operands.is_empty() {
        return;
    }
    context.effect(Kind::Schedule);
    for file in &call.operands {
        context.path(Kind::Read, file);
    }
}

/// `expect -c SCRIPT`: Tcl, of which only the carried commands are looked for.
pub(crate) fn expect(context: &mut Context<'_>, call: &Matched<'_>) {
    for text in call.values("-c") {
        let Some(script) = text.text() else {
            context.run_shell(text);
            continue;
        };
        for line in script.split(['\n', ';']) {
            let line = line.trim();
            let carried = ["spawn ", "exec ", "system "].iter().find_map(|word| line.strip_prefix(word));
            match carried {
                Some(command) => context.run_shell_text(command),
                None if line.contains("[exec ") || line.contains("[spawn ") => {
                    context.unknown(crate::effect::Unknown::Command, text.span);
                }
                None => {}
            }
        }
    }
    if !call.has("-c") {
        context.standard(call);
    }
}
