//! Editors that run commands: Ex commands in options, operands and standard input.

use crate::context::Context;
use crate::effect::{Kind, Unknown};
use crate::field::{Data, Field};
use crate::inside::{Inside, MAXIMUM_SCRIPT};
use crate::knowledge::{Matched, Role, acts_as, shipped};
use crate::languages::Language;
use crate::paths::file_name;
use std::rc::Rc;

use super::unread;

/// The options that name a script of commands.
const SCRIPTS: [&str; 3] = ["-S", "-u", "-U"];

/// `execute` in `execute` is followed so far.
const DEEPEST: u32 = 8;

/// `vim -c COMMAND FILES`, `ex -s FILE`, `ed FILE`.
pub(crate) fn editor(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let mut commands: Vec<Field> = call.values("-c").chain(call.values("--cmd")).cloned().collect();
    for script in SCRIPTS.iter().flat_map(|option| call.values(option)) {
        commands.extend(script_written(context, script));
    }
    for log in call.values("-V") {
        let log = log.after(log.written.bytes().take_while(u8::is_ascii_digit).count());
        if !log.is("") {
            context.path(Kind::Write, &log);
        }
    }
    let mut files = Vec::new();
    for operand in &call.operands {
        if operand.written.starts_with('+') {
            commands.push(operand.after(1));
        } else {
            files.push(operand.clone());
        }
    }
    for file in &files {
        context.path(Kind::Read, file);
        context.path(Kind::Write, file);
    }
    match context.input().clone() {
        Data::Text(text) => commands.extend(lines(&text, call)),
        Data::File(path) => {
            if let Inside::Text(text) = context.look(&path, MAXIMUM_SCRIPT) {
                commands.extend(lines(&text, call));
            }
        }
        Data::Partial(text) => {
            context.doubt(call.span, "an editor takes commands from its input");
            commands.extend(lines(&text, call));
        }
        data @ (Data::Network(_) | Data::Decoded) => context.run_data(Role::Shell, &data),
        _ => {}
    }
    // What is opened by a command is written where another writes without a name.
    let writes = commands.iter().filter_map(Field::text).any(writes_what_is_open);
    // What a command gets that is written to: the file that is open.
    let open = files
        .last()
        .and_then(|file| context.resolve_one(file))
        .map(|path| context.state.remembered(&path).cloned().unwrap_or(Data::File(path)));
    context.within(
        |scope| scope.input = Rc::new(open.unwrap_or(Data::Nothing)),
        |context| {
            for command in &commands {
                editor_command(context, command, writes, 0);
            }
        },
    );
}

/// The commands in a file that this very text wrote.
fn script_written(context: &Context<'_>, script: &Field) -> Vec<Field> {
    let text = unread::written_by_text(context, script).unwrap_or_default();
    text.lines().map(|line| Field::of(line, script.span)).collect()
}

/// The commands on standard input; those that are typed begin with a colon.
fn lines(text: &str, call: &Matched<'_>) -> Vec<Field> {
    text.lines().map(|line| Field::of(line, call.span)).collect()
}

/// Does one of the commands write the file that is open?
fn writes_what_is_open(text: &str) -> bool {
    text.split('|').any(|part| {
        let (name, rest) = named(part);
        rest.is_empty() && is_listed("writes", &name)
    })
}

fn is_listed(does: &str, name: &str) -> bool {
    shipped().table("vim/commands").all(name).any(|row| row.cells().any(|one| one == does))
}

/// A command's name, without range, modifiers and exclamation mark, and what follows it.
fn named(part: &str) -> (String, String) {
    let mut rest = part.trim();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ':');
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "%$,.+-'<>;".contains(c));
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let behind = behind.strip_prefix('!').unwrap_or(behind);
        if name.is_empty() || !is_listed("modifiers", name) {
            return (name.to_owned(), behind.trim().to_owned());
        }
        rest = behind;
    }
}

/// One command of `ex`: `!cmd`, `w !cmd`, `r !cmd`, `w file`, `call delete(file)`.
fn editor_command(context: &mut Context<'_>, command: &Field, writes: bool, depth: u32) {
    let Some(text) = command.text() else {
        context.run_shell(command);
        return;
    };
    if depth > DEEPEST {
        return context.unknown(Unknown::Unparsed, command.span);
    }
    if let Some(rest) = at_event(text) {
        return editor_command(context, &Field::of(rest, command.span), writes, depth + 1);
    }
    // Of a search for lines, what is done to them: `g/x/w file`.
    if let Some(rest) = of_matching_lines(text) {
        return editor_command(context, &Field::of(rest, command.span), writes, depth + 1);
    }
    let mut behind = Some(text);
    while let Some(text) = behind {
        let (part, next) = split(text);
        behind = next;
        if let Some(shell) = shell_command(text) {
            // A bar belongs to the command of the shell.
            return context.run_shell_text(shell);
        }
        let (name, rest) = named(part);
        one_command(context, command, (&name, &rest), writes, depth);
    }
    functions(context, text, command);
}

/// What a command does that runs in no shell.
fn one_command(
    context: &mut Context<'_>,
    command: &Field,
    (name, rest): (&str, &str),
    writes: bool,
    depth: u32,
) {
    set_files(context, command, name, rest);
    if let Some(settings) = settings(name, rest) {
        for program in settings {
            context.possibly(|context| context.run_shell_text(&program));
        }
    } else if is_listed("runs", name) {
        // `exe "w file"`: what is quoted is a command; what is put together is one where all of it is known.
        if let Some(text) = put_together(context, rest) {
            return editor_command(context, &Field::of(text, command.span), writes, depth + 1);
        }
        for text in quoted_texts(rest) {
            editor_command(context, &Field::of(text, command.span), writes, depth + 1);
        }
        if !is_one_text(rest) {
            context.unknown(Unknown::Program, command.span);
        }
    } else if is_listed("keys", name) {
        if let Some((_, typed)) = rest.split_once(':') {
            editor_command(context, &Field::of(typed, command.span), writes, depth + 1);
        }
    } else if is_listed("sources", name) {
        match rest {
            "" => context.unknown(Unknown::Program, command.span),
            rest => {
                let file = Field::of(in_home(context, rest), command.span);
                context.path(Kind::Read, &file);
                for line in script_written(context, &file) {
                    editor_command(context, &line, writes, depth + 1);
                }
                context.unknown(Unknown::Program, command.span);
            }
        }
    } else if is_listed("script", name) {
        let language = shipped().table("vim/languages").find(name).and_then(|row| row.cell(0));
        if let Some(language) = language.and_then(language_named) {
            context.run_language(language, rest, &Field::of(rest, command.span));
        }
        context.unknown(Unknown::Program, command.span);
    } else if is_listed("terminal", name) {
        context.run_shell_text(rest);
    } else if rest.is_empty() {
    } else if is_listed("writes", name) {
        file(context, Kind::Write, rest, command);
    } else if is_listed("opens", name) {
        file(context, Kind::Read, rest, command);
        if writes {
            file(context, Kind::Write, rest, command);
        }
    } else if is_listed("names", name) {
        file(context, Kind::Write, rest, command);
    } else if name == "cd" {
        context.doubt(command.span, "an editor that goes to another directory");
    }
}

/// The programs that `set shell=rm` or `let &shell = "rm"` has the editor run from then on; `None` where nothing is set. A shell that
/// people work in is no harm.
fn settings(name: &str, rest: &str) -> Option<Vec<String>> {
    let assigned = |text: &str, value: &str| {
        let value = value.trim_start_matches(['=', ':', '+', '^', '-']).trim();
        let value = quoted_texts(value).into_iter().next().unwrap_or_else(|| value.replace("\\ ", " "));
        let runs = shipped().table("vim/options").find(text.trim()).is_some();
        (runs && !value.is_empty() && !acts_as(file_name(&value), "shell")).then_some(value)
    };
    let pair = |text: &str| {
        let at = text.find(['=', ':'])?;
        let (option, value) = text.split_at_checked(at)?;
        assigned(option.trim_end_matches(['+', '^', '-']), value)
    };
    if is_listed("sets", name) {
        // A blank behind a backslash is one of the value.
        let words = rest.replace("\\ ", "\0");
        return Some(words.split_whitespace().filter_map(|word| pair(&word.replace('\0', "\\ "))).collect());
    }
    let option = rest.trim_start().strip_prefix('&').filter(|_| name == "let")?;
    Some(pair(option.trim_start_matches("l:").trim_start_matches("g:")).into_iter().collect())
}

/// The language of a command that takes a text of it.
fn language_named(name: &str) -> Option<Language> {
    Some(match name {
        "libraries/python" => Language::Python,
        "libraries/perl" => Language::Perl,
        "libraries/ruby" => Language::Ruby,
        "libraries/lua" => Language::Lua,
        _ => return None,
    })
}

/// Options that hold a file which is written (`set verbosefile=x`), and paths that a variable keeps for a function.
fn set_files(context: &mut Context<'_>, command: &Field, name: &str, rest: &str) {
    let written = |option: &str| {
        let option = option.trim().trim_start_matches('&').trim_end_matches(['+', '^', '-', ' ']);
        shipped().table("vim/files").find(option).is_some()
    };
    if is_listed("sets", name) {
        let rest = rest.replace("\\ ", "\0");
        for (option, value) in rest.split_whitespace().filter_map(|word| word.split_once(['=', ':'])) {
            if written(option) {
                file(context, Kind::Write, &value.replace('\0', "\\ "), command);
            }
        }
    }
    let Some((variable, value)) = rest.split_once('=').filter(|_| name == "let") else { return };
    let Some(value) = put_together(context, value) else { return };
    if written(variable) {
        return file(context, Kind::Write, &value, command);
    }
    unread::handed(context, &[in_home(context, &value)], command);
}

/// The file that a command names.
fn file(context: &mut Context<'_>, kind: Kind, rest: &str, command: &Field) {
    let mut kind = kind;
    let mut rest = rest;
    while let Some(option) = rest.split_whitespace().next().filter(|word| word.starts_with('+')) {
        rest = rest.strip_prefix(option).unwrap_or_default().trim();
    }
    if let Some(behind) = rest.strip_prefix(">>") {
        kind = Kind::Append;
        rest = behind.trim();
    } else if let Some(behind) = rest.strip_prefix('>') {
        rest = behind.trim();
    }
    if rest.contains(['`', '$']) && !rest.starts_with("$HOME/") {
        return context.file_effect(kind, &Field::computed(rest, command.span), false);
    }
    let path = in_home(context, &rest.replace("\\ ", " "));
    if !path.is_empty() {
        context.path_text(kind, &path, false);
    }
}

/// A path whose tilde the editor expands.
fn in_home(context: &Context<'_>, path: &str) -> String {
    let rest = ["~/", "$HOME/"].iter().find_map(|home| path.strip_prefix(home));
    rest.map_or_else(|| path.to_owned(), |rest| format!("{}/{rest}", context.places().home))
}

/// What a shell is told: `!cmd`, `%!cmd`, `r !cmd`, `w !cmd`; but `w! file` only insists.
fn shell_command(text: &str) -> Option<&str> {
    let (before, shell) = text.split_once('!')?;
    if before.contains(['|', '"', '\'', '(']) && !before.trim_start().starts_with('\'') {
        return None;
    }
    let spaced = before.ends_with(char::is_whitespace);
    if !spaced && is_listed("modifiers", before.trim()) {
        // It is the modifier that insists.
        return shell_command(shell);
    }
    let (name, rest) = named(before);
    let runs = rest.is_empty()
        && (name.is_empty()
            || is_listed("reads", &name)
            || is_listed("terminal", &name)
            || (is_listed("writes", &name) && spaced));
    runs.then_some(shell)
}

/// The first command and those behind its bar, which isn't one in quotes.
fn split(text: &str) -> (&str, Option<&str>) {
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), character) if open == character => quote = None,
            (None, '|') => return (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
            _ => {}
        }
    }
    // An unclosed quote was none: a comment, or a mark.
    match text.split_once('|').filter(|_| quote.is_some()) {
        Some((part, next)) => (part, Some(next)),
        None => (text, None),
    }
}

/// What runs at an event: `autocmd [group] EVENT PATTERN [++once] [++nested] COMMAND`.
fn at_event(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (name, mut rest) = text.split_at_checked(end)?;
    if !is_listed("events", name) {
        return None;
    }
    rest = rest.strip_prefix('!').unwrap_or(rest);
    let word = |rest: &str| -> Option<usize> {
        let blanks = rest.len() - rest.trim_start().len();
        let behind = rest.trim_start().find(char::is_whitespace)?;
        Some(blanks + behind)
    };
    let mut taken = 0;
    loop {
        let at = word(rest)?;
        let (one, behind) = rest.split_at_checked(at)?;
        let one = one.trim();
        let is_event = |one: &str| one.starts_with(|c: char| c.is_ascii_uppercase());
        // A group may stand before the event, and marks behind the pattern.
        let is_mark = one.starts_with("++") || one == "nested";
        let is_group = taken == 0 && !is_event(one) && behind.trim_start().starts_with(char::is_uppercase);
        if taken >= 2 && !is_mark {
            return Some(rest.trim_start());
        }
        taken += usize::from(!is_mark && !is_group);
        rest = behind;
        if taken >= 2 && word(rest).is_none() {
            return Some(rest.trim_start());
        }
    }
}

/// `g/pattern/command`, `v/pattern/command`
fn of_matching_lines(text: &str) -> Option<&str> {
    let rest = text.trim_start().trim_start_matches([':', '%']);
    let rest = ["global", "vglobal", "g!", "g", "v"].iter().find_map(|name| rest.strip_prefix(name))?;
    let delimiter = rest.chars().next().filter(|c| !c.is_alphanumeric() && !c.is_whitespace())?;
    let mut parts = rest.get(delimiter.len_utf8()..)?.splitn(2, delimiter);
    parts.next()?;
    parts.next().map(str::trim).filter(|command| !command.is_empty())
}

/// The texts in quotes.
fn quoted_texts(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let (_, quoted) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let quote = quoted.chars().next().unwrap_or('"');
        let inner = quoted.get(1..).unwrap_or_default();
        let mut word = String::new();
        let mut characters = inner.char_indices();
        let mut end = inner.len();
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' if quote == '"' => word.extend(characters.next().map(|(_, escaped)| escaped)),
                character if character == quote => {
                    end = at + 1;
                    break;
                }
                character => word.push(character),
            }
        }
        found.push(word);
        rest = inner.get(end..).unwrap_or_default();
    }
    found
}

/// What an expression comes to that puts texts and variables of the environment together: `"w! " . $HOME . "/x"`, `"w! " "x"`.
fn put_together(context: &Context<'_>, text: &str) -> Option<String> {
    let mut rest = text.trim();
    let mut whole = String::new();
    let mut parts = 0;
    while !rest.is_empty() {
        let first = rest.chars().next()?;
        let end = match first {
            '"' | '\'' => {
                let mut escaped = false;
                let closes = |(_, character): &(usize, char)| {
                    let closes = *character == first && !escaped;
                    escaped = first == '"' && *character == '\\' && !escaped;
                    closes
                };
                let (at, _) = rest.char_indices().skip(1).find(closes)?;
                let (quoted, _) = rest.split_at_checked(at + 1)?;
                whole.push_str(quoted_texts(quoted).first()?);
                at + 1
            }
            '$' => {
                let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let end = rest.get(1..)?.find(|c| !is_name(c)).map_or(rest.len(), |at| at + 1);
                whole.push_str(&context.variable(rest.get(1..end)?)?);
                end
            }
            _ => return None,
        };
        parts += 1;
        let behind = rest.get(end..)?;
        let joined = behind.trim_start().trim_start_matches('.');
        // Without a point between them there is a blank.
        if joined.len() == behind.trim_start().len() && !joined.is_empty() {
            whole.push(' ');
        }
        rest = joined.trim_start();
    }
    (parts > 0).then_some(whole)
}

/// Is all of it one text in quotes?
fn is_one_text(text: &str) -> bool {
    let text = text.trim();
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    quote.is_some_and(|quote| text.ends_with(quote) && text.matches(quote).count() == 2)
}

/// Functions that work on files or run commands: `call delete("x")`, `echo system("x")`.
fn functions(context: &mut Context<'_>, text: &str, command: &Field) {
    for (at, _) in text.match_indices('(') {
        let before = text.get(..at).unwrap_or_default();
        let from = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let name = before.get(from..).unwrap_or_default();
        let behind = text.get(at + 1..).unwrap_or_default();
        let texts = quoted_texts(behind);
        let Some(row) = shipped().table("vim/functions").find(name) else {
            // What is only called, for what it does.
            if named(before).0 == "call" {
                let paths: Vec<String> = texts.iter().map(|path| in_home(context, path)).collect();
                unread::handed(context, &paths, command);
            }
            continue;
        };
        for kind in row.cells() {
            if kind == "shell" {
                // A list is a program with its words.
                let list = behind.trim_start().strip_prefix('[').and_then(|list| list.split(']').next());
                match texts.first() {
                    _ if list.is_some() => {
                        let words = quoted_texts(list.unwrap_or_default());
                        let words: Vec<Field> =
                            words.iter().map(|word| Field::of(word.as_str(), command.span)).collect();
                        context.run_command(&words);
                    }
                    Some(shell) => context.run_shell_text(shell),
                    None => context.unknown(Unknown::Command, command.span),
                }
            }
            // `delete-tree`
            let (kind, recursive) = kind.strip_suffix("-tree").map_or((kind, false), |kind| (kind, true));
            let Some(kind) = Kind::from_name(kind) else { continue };
            if texts.is_empty() {
                context.file_effect(kind, &Field::computed(text, command.span), recursive);
            }
            // Which of the texts is the path, the function knows: each may be.
            for path in texts.iter().filter(|path| path.contains(['/', '.']) || texts.len() == 1) {
                let path = Field::of(in_home(context, path), command.span);
                context.file_effect(kind, &path, recursive);
            }
        }
    }
    if text.contains("libcall(") || text.contains("shell-command") {
        context.unknown(Unknown::Command, command.span);
    }
}

#[cfg(test)]
mod tests {
    use super::{at_event, named, of_matching_lines, shell_command, split};

    #[test]
    fn commands_are_told_from_files_and_shells() {
        assert_eq!(shell_command("!rm x"), Some("rm x"));
        assert_eq!(shell_command("%!sort"), Some("sort"));
        assert_eq!(shell_command("w !rm x"), Some("rm x"));
        assert_eq!(shell_command("w! x"), None);
        assert_eq!(shell_command("r!rm x | y"), Some("rm x | y"));
        assert_eq!(shell_command("silent! !rm x"), Some("rm x"));
        assert_eq!(shell_command("q!"), None);
        assert_eq!(named("silent! keepalt w! x y"), ("w".to_owned(), "x y".to_owned()));
        assert_eq!(named(":1,$w x"), ("w".to_owned(), "x".to_owned()));
        assert_eq!(split("exe \"a|b\" | q"), ("exe \"a|b\" ", Some(" q")));
        assert_eq!(of_matching_lines("g/x/w y"), Some("w y"));
        assert_eq!(of_matching_lines("go"), None);
        assert_eq!(at_event("autocmd VimLeave * !rm x"), Some("!rm x"));
        assert_eq!(at_event("au! mine BufRead,BufNew *.c ++once w y"), Some("w y"));
        assert_eq!(at_event("autocmd BufRead *"), None);
        assert_eq!(at_event("e x"), None);
    }
}
