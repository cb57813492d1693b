//! Shells, and terminals that shells run in.

use super::zsh;
use crate::context::Context;
use crate::effect::Kind;
use crate::field::{Data, Field};
use crate::inside::{Inside, MAXIMUM_SCRIPT, language_of_program};
use crate::knowledge::{Facet, Matched, Role, StandardInput, ValueForm, assign_operands, listed_operands};
use crate::state::Value;
use crate::texts::joined;
use hookgate_shell::{Limits, parse};

/// A program that could be given a command and isn't, or that reads a program where it gets no file: what is on its standard input may be
/// typed into the shell that it starts.
pub(crate) fn waits_for_commands(context: &mut Context<'_>, call: &Matched<'_>) {
    if matches!(context.input(), Data::Nothing) {
        return;
    }
    let runs = |role: Role| matches!(role, Role::Command | Role::Shell | Role::Script | Role::Program);
    let input = call.specification.standard_input();
    let reads = input == Some(StandardInput::Program);
    let takes = input.is_none() && listed_operands(call).iter().any(|operand| operand.role == Role::Command);
    let in_options = call.options.iter().any(|option| match option.specification.value() {
        ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role) => runs(role),
        _ => false,
    });
    let given = in_options || assign_operands(call).into_iter().flatten().any(|operand| runs(operand.role));
    if given || !(reads || takes) {
        return;
    }
    let own = call.specification.facet(Facet::Scripts).and_then(Role::from_name);
    let language = own.or_else(|| language_of_program(call.program)).unwrap_or(Role::Shell);
    let data = context.input().clone();
    // What a program prints that nobody knows says nothing about the call.
    if reads || matches!(data, Data::Text(_) | Data::Network(_) | Data::Decoded) {
        context.possibly(|context| context.run_data(language, &data));
    }
}

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
    let is_zsh = call.word.shown().ends_with("zsh");
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
        let text = if is_zsh { of_zsh(context, text.clone()) } else { text.clone() };
        return context.run_shell_with(&text, name, positional);
    }
    match call.operands.split_first() {
        Some((file, _)) if !call.has("-s") && !file.is("-") && !file.is("/dev/stdin") => {
            match &file.process {
                Some(data) => {
                    let data = (**data).clone();
                    context.run_data(Role::Shell, &data);
                }
                None => {
                    if is_zsh && let Some(text) = text_in(context, file) {
                        let text = Field::of(text, file.span);
                        context.within(|scope| scope.fragment = true, |context| drop(of_zsh(context, text)));
                    }
                    let behind = call.arguments.iter().skip_while(|field| field.span != file.span).skip(1);
                    context.run_script_with(file, &behind.cloned().collect::<Vec<_>>());
                }
            }
        }
        _ => {
            // What it reads is followed, but what stands behind what was followed is read as well.
            let first = context.found.effects.len();
            let words =
                call.operands.iter().skip(usize::from(!call.has("-s"))).cloned().map(Value::from_field);
            let words: Vec<Value> = words.collect();
            let read = typed(context).filter(|_| is_zsh).map(|text| Field::of(text, call.span));
            let read = read.map(|text| of_zsh(context, text));
            context.in_subshell(|context| {
                context.state.positional = Some(words);
                if let Some(text) = read.as_ref().and_then(Field::text) {
                    context.feed(Data::Text(text.to_owned()));
                }
                context.run_input(Role::Shell);
            });
            let empty = matches!(context.input(), Data::Text(text) if text.is_empty());
            if context.found.effects.len() == first && !empty {
                context.doubt(call.span, "a shell takes what it runs from its input");
            }
        }
    }
}

/// A text as other shells would write what only zsh reads so.
fn of_zsh(context: &mut Context<'_>, field: Field) -> Field {
    let Some(text) = field.text() else { return field };
    let (mut written, codes) = zsh::as_others_write(text);
    for code in codes {
        if let Some(function) = code.strip_prefix('+') {
            // What it is called for is said in the same text.
            written.push('\n');
            written.push_str(function);
        }
        context.doubt(field.span, "a glob of zsh that runs code");
        if !code.starts_with('+') {
            context.possibly(|context| context.run_shell_text(&code));
        }
    }
    let written = closed_groups(&written).unwrap_or(written);
    if written == text { field } else { Field::of(written, field.span) }
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

/// The text on standard input, where it is known.
fn typed(context: &Context<'_>) -> Option<String> {
    match context.input() {
        Data::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// The text in a file, if that is known or can be read.
fn text_in(context: &mut Context<'_>, file: &Field) -> Option<String> {
    match context.content(&context.resolve_one(file)?) {
        Data::Text(text) => Some(text),
        Data::File(path) => match context.look(&path, MAXIMUM_SCRIPT) {
            Inside::Text(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// `tmux new-session TEXT`, `tmux send-keys TEXT Enter`; a semicolon begins another of its commands.
pub(crate) fn tmux(context: &mut Context<'_>, call: &Matched<'_>) {
    if let Some(at) = call.arguments.iter().position(|word| word.is(";")) {
        let (one, rest) = call.arguments.split_at_checked(at).unwrap_or((call.arguments, &[]));
        for words in [one, rest.get(1..).unwrap_or_default()] {
            let mut fields = vec![call.word.clone()];
            fields.extend(words.iter().cloned());
            if !words.is_empty() {
                context.run_command(&fields);
            }
        }
        return;
    }
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
            | "respawn-window" | "popup" | "display-popup" | "paste-buffer" | "pasteb",
        ) => context.run_typed(),
        // What lies in a buffer is pasted sooner or later, most likely into a shell.
        Some("set-buffer" | "setb") if !call.operands.is_empty() => {
            context.possibly(|context| type_in(context, &joined(&call.operands)));
        }
        Some("load-buffer" | "loadb") => {
            let text = match call.operands.first().filter(|file| !file.is("-")) {
                Some(file) => text_in(context, file),
                None => typed(context),
            };
            if let Some(text) = text {
                context.possibly(|context| type_in(context, &Field::of(text, call.span)));
            }
        }
        Some("show-environment" | "showenv") if !context.scope().chosen => context.effect(Kind::SecretRead),
        _ => {}
    }
}

/// Text for a terminal: what was typed before and will be typed after belongs to it.
fn type_in(context: &mut Context<'_>, text: &Field) {
    context.within(|scope| scope.fragment = true, |context| context.run_shell(text));
}

/// `screen -dm COMMAND`, `screen -X stuff TEXT`.
pub(crate) fn screen(context: &mut Context<'_>, call: &Matched<'_>) {
    match call.operands.split_first() {
        Some((word, rest)) if call.has("-X") && word.is("stuff") => type_in(context, &joined(rest)),
        Some((word, rest)) if call.has("-X") && word.is("exec") => context.run_shell(&joined(rest)),
        _ => context.standard(call),
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
        tcl(context, script, text, 0);
    }
    if let Data::Text(script) = context.input().clone()
        && !call.has("-c")
        && call.operands.is_empty()
    {
        tcl(context, &script, &Field::of(script.as_str(), call.span), 0);
    }
    if !call.has("-c") {
        context.standard(call);
    }
}

/// The commands of a script that carry another one, those in its blocks included.
fn tcl(context: &mut Context<'_>, script: &str, text: &Field, depth: u32) {
    for command in tcl_commands(script) {
        let command = command.trim();
        let carried =
            ["spawn ", "exec ", "system ", "send "].iter().find_map(|word| command.strip_prefix(word));
        match carried {
            Some(typed) if command.starts_with("send ") => {
                // It goes to what was spawned, which may be a shell.
                let typed = typed.trim_start_matches("-- ").trim().trim_matches('"').trim_end_matches("\\r");
                context.possibly(|context| context.run_shell_text(typed));
            }
            Some(carried) => context.run_shell_text(&without_braces(carried)),
            None if command.contains("[exec ") || command.contains("[spawn ") => {
                context.unknown(crate::effect::Unknown::Command, text.span);
            }
            None if depth < 8 => {
                for block in blocks(command) {
                    tcl(context, block, text, depth + 1);
                }
            }
            None => context.unknown(crate::effect::Unknown::Unparsed, text.span),
        }
    }
}

/// The commands of a script: what ends or separates them inside of braces or quotes is part of them.
fn tcl_commands(script: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_u32, false, 0);
    for (at, character) in script.char_indices() {
        match character {
            '{' if !quoted => depth += 1,
            '}' if !quoted => depth = depth.saturating_sub(1),
            '"' if depth == 0 => quoted = !quoted,
            '\n' | ';' if depth == 0 && !quoted => {
                found.extend(script.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(script.get(start..));
    found
}

/// What stands in the outermost braces.
fn blocks(command: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (at, character) in command.char_indices() {
        match character {
            '{' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            '}' => {
                if depth == 1 {
                    found.extend(command.get(start..at));
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    found
}

/// A command with words in braces as a shell would write it: braces quote.
fn without_braces(command: &str) -> String {
    let mut result = String::with_capacity(command.len());
    let mut rest = command;
    for block in blocks(command) {
        let Some((before, behind)) = rest.split_once(&format!("{{{block}}}")) else { break };
        result.push_str(before);
        result.push_str(&hookgate_shell::quoted(block));
        rest = behind;
    }
    result.push_str(rest);
    result
}
