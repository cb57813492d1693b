//! Texts in languages that nobody reads here (debuggers, calculators, Lisps, AppleScript): what they say is unknown, but
//! the commands that they name are judged as if they ran.

use crate::context::Context;
use crate::effect::{Kind, Place, Target, Traits, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Manner, Matched, Role, ValueForm, shipped};
use crate::languages;
use crate::paths;
use crate::texts::joined;

/// The options that hold such a text, in the spellings of their files.
const TEXTS: [&str; 9] = ["-e", "--eval", "-ex", "-iex", "-o", "-O", "-k", "-c", "--command"];
/// What stands before a command of a shell on a line of its own.
const ESCAPES: [&str; 5] = ["!", "shell ", "platform shell ", "syscmd ", "system "];
/// How many commands of one text are followed.
const MOST: usize = 16;

/// A program that is told what to do in a language of its own, by an option or on its standard input.
pub(crate) fn evaluates(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    options(context, call);
    if call.operands.is_empty() {
        match context.input().clone() {
            Data::Text(text) => self::text(context, &Field::of(text, call.span)),
            data @ (Data::Network(_) | Data::Decoded) => context.run_data(Role::Shell, &data),
            _ => {}
        }
    }
}

/// A subcommand whose operands are the text.
pub(crate) fn evaluates_operands(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    for operand in &call.operands {
        text(context, operand);
    }
}

/// Programs that typeset: an operand that begins with a backslash is a text, and others are files.
pub(crate) fn typesets(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    for operand in call.operands.iter().filter(|operand| operand.written.starts_with('\\')) {
        text(context, operand);
        for behind in operand.written.split("\\write18").skip(1).take(MOST) {
            let command = behind.trim_start().strip_prefix('{').and_then(|inner| inner.split_once('}'));
            if let Some((command, _)) = command {
                context.possibly(|context| context.run_shell_text(command));
            }
        }
    }
}

/// The texts in a call's options.
pub(super) fn options(context: &mut Context<'_>, call: &Matched<'_>) {
    for option in &call.options {
        let is_text = matches!(
            option.specification.value(),
            ValueForm::Required(Role::Text)
                | ValueForm::Optional(Role::Text)
                | ValueForm::Attached(Role::Text)
        );
        if let Some(value) = option.value.as_ref().filter(|_| is_text && TEXTS.contains(&option.name)) {
            text(context, value);
        }
    }
}

/// `cmake -E COMMAND ARGUMENTS`: a shell's everyday commands under names of its own.
pub(crate) fn cmake(context: &mut Context<'_>, call: &Matched<'_>) {
    let at = call.option("-E").map(|option| option.index);
    let Some((verb, rest)) = at.and_then(|at| call.arguments.get(at + 1..)).and_then(<[Field]>::split_first)
    else {
        return context.standard(call);
    };
    if verb.is("chdir")
        && let Some((directory, command)) = rest.split_first()
    {
        return context.in_directory(directory, |context| context.run_command(command));
    }
    let table = shipped().table("commands/cmake/names");
    match verb.text().and_then(|verb| table.find(verb)) {
        Some(row) => {
            let mut fields: Vec<Field> = row.cells().map(|word| Field::of(word, verb.span)).collect();
            fields.extend(rest.iter().cloned());
            if !fields.is_empty() {
                context.run_command(&fields);
            }
        }
        None => context.unknown(Unknown::Program, verb.span),
    }
}

/// A text in a language that nobody reads.
pub(super) fn text(context: &mut Context<'_>, field: &Field) {
    let Some(text) = field.text() else { return context.unknown(Unknown::Program, field.span) };
    context.doubt(field.span, "program text in a language that hookgate doesn't read");
    if has_part("commands/words/asks-for-passwords", &text.to_ascii_lowercase()) {
        context.effect(Kind::SecretRead);
    }
    spoken(context, text, field);
    secrets_named(context, text, field);
}

/// Files of secrets that a text names alone, or with the colons that AppleScript has in the place of slashes.
fn secrets_named(context: &mut Context<'_>, text: &str, field: &Field) {
    let words = literals(text).into_iter().flatten().filter(|word| !word.contains(['/', '\n']));
    for word in words.take(MOST) {
        let named = Field::of(word.trim_matches(':').replace(':', "/"), field.span);
        if context.has_traits(&named, Traits::SECRET) {
            context.possibly(|context| context.path(Kind::Read, &named));
        }
    }
}

/// What the words say that go to a program nobody knows, or stand behind an option that no file lists: a program by its
/// path runs, a text may be run, and a file of secrets is read.
pub(crate) fn words(context: &mut Context<'_>, words: &[Field]) {
    let mut option = "";
    for (at, field) in words.iter().enumerate().take(MOST_WORDS) {
        let written = field.written.as_str();
        let (name, value) = match written.split_once('=') {
            Some((name, _)) if written.starts_with('-') => (name, field.after(name.len() + 1)),
            _ => (option, field.clone()),
        };
        option = if written.starts_with('-') { written } else { "" };
        let Some(text) = value.text() else { continue };
        if is_program_path(text) && value.written.len() == written.len() {
            let rest = words.get(at..).unwrap_or_default();
            return context.possibly(|context| context.run_command(rest));
        }
        let is_text = text.contains(char::is_whitespace) || text.contains("bin/");
        if runs_text(name) {
            spoken(context, text, &value);
        } else if is_text && !text.starts_with("file:") {
            paths_named(context, text, &value);
        } else if let Some(text) = written_by_text(context, &value) {
            spoken(context, &text, &value);
        } else if !is_own(name) && context.is_secret_file(&value) {
            context.possibly(|context| context.path(Kind::Read, &value));
        }
    }
}

/// Commands of the gate itself, in what a program is told that hands it on: as words of its own, or anywhere in a text.
pub(crate) fn orders(context: &mut Context<'_>, arguments: &[Field]) {
    let mut texts: Vec<String> = arguments.iter().filter_map(Field::text).map(str::to_owned).collect();
    if let Data::Text(text) = context.input() {
        texts.push(text.clone());
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '.' | '~');
    let words: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.split(|c: char| !is_part(c)))
        .filter(|word| !word.is_empty())
        .take(MOST_ORDERED)
        .collect();
    let gate = |word: &str| knowledge::acts_as(paths::file_name(word), "gate");
    let Some(at) = words.iter().position(|word| gate(word)) else { return };
    let span = context.scope().span;
    let fields: Vec<Field> = words.iter().skip(at).take(2).map(|word| Field::of(*word, span)).collect();
    if fields.len() > 1 {
        context.possibly(|context| context.run_command(&fields));
    }
}

/// How many words are looked at for commands of the gate.
const MOST_ORDERED: usize = 256;

/// Does the field name what belongs to the gate, or the settings that hold the agent's guards, or the folder that they are in?
fn keeps_guards(context: &Context<'_>, field: &Field) -> bool {
    !field.written.contains(char::is_whitespace)
        && (context.has_traits(field, Traits::GATE)
            || context.has_traits(field, Traits::AGENT_SETTINGS)
            || (field.written.contains(['.', '/', '~']) && names_guarded_folder(context, field)))
}

fn names_guarded_folder(context: &Context<'_>, field: &Field) -> bool {
    let path = context.resolve_one(field);
    let above = |path: &str| {
        paths::is_within(&context.places().project, path) || paths::is_within(&context.places().home, path)
    };
    path.is_some_and(|path| !above(&path)) && context.is_guarded_tree(field)
}

/// A program that nobody knows may write what it is given of that kind.
pub(crate) fn named_guards(context: &mut Context<'_>, arguments: &[Field]) {
    for field in arguments.iter().take(MOST_WORDS) {
        let value = match field.written.split_once('=') {
            Some((name, _)) if field.is_dashed() => field.after(name.len() + 1),
            _ => field.clone(),
        };
        if keeps_guards(context, &value) {
            context.possibly(|context| context.tree(Kind::Write, &value));
        }
    }
}

/// Paths that a program's text gives to calls of which nobody knows what they do: what guards the agent, or runs by itself, may be
/// written, and a file of secrets may be read.
pub(crate) fn handed(context: &mut Context<'_>, texts: &[String], field: &Field) {
    let home = context.places().home.clone();
    for text in texts.iter().take(MOST_WORDS) {
        let named = languages::field(text, &home, field.span);
        if keeps_guards(context, &named) {
            context.possibly(|context| context.tree(Kind::Write, &named));
        } else if context.has_traits(&named, Traits::STARTUP) || context.is_guarded(&named) {
            context.possibly(|context| context.path(Kind::Write, &named));
        } else if context.is_secret_file(&named) {
            context.possibly(|context| context.path(Kind::Read, &named));
        }
    }
}

/// A call that fetches, makes or installs things may put them where one of its words says, though its file only says what it does
/// elsewhere. Its effects begin at `first`.
pub(crate) fn puts_there(context: &mut Context<'_>, call: &Matched<'_>, first: usize) {
    let own = context.scope().call;
    let effects = || context.found.effects.iter().skip(first).filter(|effect| effect.call == own);
    let brings = effects().any(|effect| {
        matches!(
            effect.kind,
            Kind::Download
                | Kind::Install
                | Kind::InstallGlobal
                | Kind::Generate
                | Kind::RemoteChange
                | Kind::CloudChange
                | Kind::ClusterChange
                | Kind::ContainerChange
        )
    });
    if !brings {
        return;
    }
    let said: Vec<String> = effects()
        .filter_map(|effect| match &effect.target {
            Some(Target::Path(fact)) => Some(fact.path.clone()),
            _ => None,
        })
        .collect();
    let is_said = |context: &Context<'_>, field: &Field| {
        context.resolve_one(field).is_none_or(|path| said.contains(&path))
    };
    let words: Vec<Field> = call.arguments.iter().filter(|field| !is_said(context, field)).cloned().collect();
    named_guards(context, &words);
}

/// What stands behind an option that no file lists may be what the call writes to.
pub(crate) fn behind_unlisted(context: &mut Context<'_>, call: &Matched<'_>) {
    for (at, field) in call.arguments.iter().enumerate().take(MOST_WORDS) {
        let name = field.written.split('=').next().unwrap_or_default();
        let is_unlisted = call
            .unlisted
            .iter()
            .chain(&call.doubted)
            .any(|other| other.written == field.written || other.written.split('=').next() == Some(name));
        if !is_unlisted || !name.starts_with('-') {
            continue;
        }
        let value = match field.written.contains('=') {
            true => Some(field.after(name.len() + 1)),
            false => call.arguments.get(at + 1).cloned(),
        };
        if let Some(value) = value.filter(|value| keeps_guards(context, value) && !is_own(name)) {
            context.possibly(|context| context.tree(Kind::Write, &value));
        }
    }
}

/// Most words of one call are not looked at.
const MOST_WORDS: usize = 64;

/// Does an option with that name take a file for the program itself: a key, a login, settings?
pub(crate) fn is_own(option: &str) -> bool {
    let option = option.to_ascii_lowercase();
    option == "-i" || has_part("commands/words/own-options", &option)
}

/// Is one of the words of that list part of the text?
pub(crate) fn has_part(list: &str, text: &str) -> bool {
    shipped().table(list).rows().any(|row| text.contains(row.key()))
}

/// Does an option with that name take a text that runs?
fn runs_text(option: &str) -> bool {
    TEXTS.contains(&option)
        || option == "-x"
        || (option.starts_with("--") && has_part("commands/words/running-options", option))
}

/// Is it the path of a program of the system?
fn is_program_path(text: &str) -> bool {
    text.starts_with('/') && shipped().table("paths/kinds/programs").contains(paths::parent(text))
}

/// What a file holds that this very text wrote.
pub(crate) fn written_by_text(context: &Context<'_>, field: &Field) -> Option<String> {
    let path = context.resolve_one(field)?;
    match context.state.remembered(&path)? {
        Data::Text(text) | Data::Partial(text) => Some(text.clone()),
        _ => None,
    }
}

/// A text that opens a connection and starts a shell hands the shell to whoever is at the other end.
fn ties_shell_to_network(context: &mut Context<'_>, text: &str) {
    let shell =
        ["/bin/sh", "/bin/bash", "/bin/zsh", "cmd.exe", "powershell", "\"sh\"", "\"bash\"", "shell:true"]
            .iter()
            .any(|shell| text.contains(shell));
    let lower = text.to_ascii_lowercase();
    let connects = ["socket", "tcpclient", "net.dial", "tcpstream", "net.connect", "inet.tcp"]
        .iter()
        .any(|word| lower.contains(word));
    if shell && connects {
        context.possibly(|context| context.effect(Kind::RemoteShell));
        context.annotate("a program text that ties a shell to a connection");
        context.happens(Manner::HANDED);
    }
}

/// The programs of the system that a text names by their paths, each with what comes after it up to the end of a
/// literal or a call. A file of secrets may be shown, and what runs by itself or guards the agent may be written.
fn paths_named(context: &mut Context<'_>, text: &str, field: &Field) {
    let mut from = 0;
    for _ in 0..MOST {
        let Some(at) = text.get(from..).and_then(|rest| rest.find('/')).map(|at| from + at) else { break };
        let rest = text.get(at..).unwrap_or_default();
        let word =
            rest.find(|c: char| !is_path_letter(c)).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
        from = at + word.len().max(1);
        let home = text.get(..at).is_some_and(|before| before.ends_with('~'));
        let named = Field::of(
            if home { format!("{}{word}", context.places().home) } else { word.to_owned() },
            field.span,
        );
        if context.has_traits(&named, Traits::SECRET) {
            context.possibly(|context| context.path(Kind::Read, &named));
        } else if context.has_traits(&named, Traits::STARTUP) || context.is_guarded(&named) {
            context.possibly(|context| context.path(Kind::Write, &named));
        } else if is_elsewhere(context, &named) && text.get(..at).is_some_and(says_to_delete) {
            context.possibly(|context| context.tree(Kind::Delete, &named));
        }
        if is_program_path(word) {
            let end = rest.find(['"', '\'', '`', ')', '}', '\n']).unwrap_or(rest.len());
            let command = rest.get(..end).unwrap_or(rest).to_owned();
            context.possibly(|context| context.run_shell_text(&command));
        }
    }
}

/// Is it a path at home or elsewhere, outside of the project, of temporary folders and of the system's own?
fn is_elsewhere(context: &Context<'_>, path: &Field) -> bool {
    let place = context.resolve_one(path).map(|path| paths::place_of(&path, context.places()));
    matches!(place, Some(Place::Home | Place::Elsewhere))
}

/// What a file may do that something runs which nobody reads.
pub(crate) fn spoken_in_file(context: &mut Context<'_>, path: &str, text: &str, field: &Field) {
    let is = |list: &str| path.rsplit_once('.').is_some_and(|(_, ending)| knowledge::is_listed(list, ending));
    if is("commands/scripts/prose") {
        return;
    }
    if is("commands/scripts/sources") && !has_part("commands/words/starting", &text.to_ascii_lowercase()) {
        paths_named(context, text, field);
        return ties_shell_to_network(context, text);
    }
    spoken(context, text, field);
}

/// The commands that a text in an unknown language names.
pub(crate) fn spoken(context: &mut Context<'_>, text: &str, field: &Field) {
    for line in text.lines().take(MOST) {
        let line = line.trim();
        let own = line.split([';', '[', '{']).filter(|part| command_of_its_own(context, part)).count();
        if own > 0 {
            continue;
        }
        if let Some(command) = ESCAPES.iter().find_map(|escape| line.strip_prefix(escape)) {
            context.run_shell_text(command);
        } else if let Some(script) = line.strip_prefix("python ").or_else(|| line.strip_prefix("script ")) {
            context.run_code(Role::Python, &Field::of(script, field.span));
        } else if let Some(command) =
            behind_signs(line).find(|command| is_command(command) && !command.contains('('))
        {
            context.possibly(|context| context.run_shell_text(command));
        }
    }
    paths_named(context, text, field);
    ties_shell_to_network(context, text);
    for words in literals(text).into_iter().take(MOST) {
        let fields: Vec<Field> = words.iter().map(|word| Field::of(*word, field.span)).collect();
        match words.as_slice() {
            [one] if one.starts_with('|') => {
                let command = one.trim_start_matches('|');
                context.possibly(|context| context.run_shell_text(command));
            }
            [one] if is_command(one) => context.possibly(|context| context.run_shell_text(one)),
            [first, _, ..] if knows(first) => context.possibly(|context| context.run_command(&fields)),
            [_, ..] => {
                let whole = joined(&fields);
                for word in words.into_iter().filter(|word| is_command(word)) {
                    context.possibly(|context| {
                        context.run_shell(&Field { text: Some(word.to_owned()), ..whole.clone() });
                    });
                }
            }
            [] => {}
        }
    }
}

/// A line, and what stands behind the sign or the first word with which settings begin: `entry: COMMAND`, `commands = COMMAND`,
/// `- COMMAND`, `ProxyCommand COMMAND`.
fn behind_signs(line: &str) -> impl Iterator<Item = &str> {
    let behind = [": ", "=", "- ", " "].iter().filter_map(|sign| line.split_once(sign));
    std::iter::once(line).chain(behind.map(|(_, rest)| rest.trim_start()))
}

/// Does the literal that begins there go to a function that deletes: `remove_dir_all("`, `(delete-directory "`?
fn says_to_delete(before: &str) -> bool {
    let Some(call) = before.strip_suffix('~').unwrap_or(before).strip_suffix(['"', '\'', '`']) else {
        return false;
    };
    let name = call.trim_end_matches([' ', '(', '[']);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '!' | '?');
    let begins = name.rfind(|c: char| !is_part(c)).map_or(0, |at| at + 1);
    let name = name.get(begins..).unwrap_or_default().to_ascii_lowercase();
    name.len() < call.len() && has_part("commands/words/deleting", &name)
}

/// What a language's own command does, as its row says it in words of the shell: `file delete x` is `rm x`.
/// Is it one?
fn command_of_its_own(context: &mut Context<'_>, statement: &str) -> bool {
    let statement = statement.trim().trim_end_matches([']', '}']);
    let Some((first, rest)) = statement.split_once(char::is_whitespace) else {
        return false;
    };
    let (second, rest) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest, ""));
    let row = shipped().table("families/script-interpreters/commands").find(&format!("{first}.{second}"));
    if let Some(row) = row {
        let words: Vec<&str> = row.cells().chain([rest]).collect();
        let command = words.join(" ");
        context.possibly(|context| context.run_shell_text(&command));
    }
    row.is_some()
}

/// Is it a command of a known program, with arguments?
pub(crate) fn is_command(text: &str) -> bool {
    text.trim()
        .split_once(char::is_whitespace)
        .is_some_and(|(first, rest)| knows(first) && !rest.trim().is_empty())
}

fn is_path_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '/' | '_' | '-' | '.' | '+')
}

fn knows(word: &str) -> bool {
    !word.is_empty() && knowledge::program(paths::file_name(word)).is_some()
}

/// The quoted texts: those with nothing but blanks, commas and brackets between them belong together.
fn literals(text: &str) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    let mut rest = text;
    let mut together = false;
    while let Some(at) = rest.find(['"', '\'', '`']) {
        let (between, quoted) = rest.split_at_checked(at).unwrap_or((rest, ""));
        let quote = quoted.chars().next().unwrap_or('"');
        let inner = quoted.get(1..).unwrap_or_default();
        // m4 closes a backquote with a quote.
        let close = if quote == '`' { inner.find(['`', '\'']) } else { inner.find(quote) };
        let Some(close) = close else { break };
        together &= between.chars().all(|c| c.is_whitespace() || matches!(c, ',' | '[' | ']'));
        let word = inner.get(..close).unwrap_or_default();
        match found.last_mut().filter(|_| together) {
            Some(words) => words.push(word),
            None => found.push(vec![word]),
        }
        together = true;
        rest = inner.get(close + 1..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn quoted_words_beside_each_other_belong_together() {
        assert_eq!(literals(r#"(sh "rm" "-rf" "/data")"#), [["rm", "-rf", "/data"]]);
        assert_eq!(literals(r#"do shell script "rm x" & "y""#), [["rm x"], ["y"]]);
        assert_eq!(literals("syscmd(`rm x')"), [["rm x"]]);
        assert!(literals("it's").is_empty());
    }

    #[test]
    fn functions_that_delete_are_told_from_prose() {
        for text in ["std::fs::remove_dir_all(\"", "(delete-directory \"", "os.RemoveAll('~", "rm_rf [\""] {
            assert!(super::says_to_delete(text), "{text}");
        }
        for text in ["remove what is in ", "removed: see \"", "open(\"", "it deletes `x` and "] {
            assert!(!super::says_to_delete(text), "{text}");
        }
    }

    #[test]
    fn programs_of_the_system_are_told_from_other_paths() {
        assert!(super::is_program_path("/usr/bin/env") && super::is_program_path("/sbin/halt"));
        assert!(!super::is_program_path("/usr/share/x") && !super::is_program_path("bin/x"));
    }
}
