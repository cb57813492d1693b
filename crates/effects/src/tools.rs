//! What tool calls do, by what kind of tool it is; which tool is of which kind is in the agents' tables.

use std::borrow::Cow;

use crate::context::Context;
use crate::effect::{Kind, Target, Traits, Unknown};
use crate::field::Field;
use crate::foreign;
use crate::interpreter;
use crate::knowledge::{Role, row_says, shipped};
use crate::texts::quoted;
use hookgate_agents::{Command, Map, Shell, Tool, ToolCall, Value};
use hookgate_shell::Span;

/// The effects of a tool call.
pub(crate) fn tool_call(context: &mut Context<'_>, call: &ToolCall) {
    match call.tool() {
        Tool::Shell { language, command, runs_here } => {
            let Some(command) = command.map(text_of) else {
                return context.unknown(Unknown::Unparsed, Span::default());
            };
            match language {
                Shell::Bash => interpreter::analyse(context, &command),
                Shell::PowerShell => foreign::analyse_powershell(context, &command),
            }
            leaves_sandbox(context, call);
            if !runs_here {
                context.doubt(Span::default(), "the agent doesn't say in which directory it runs");
            }
        }
        Tool::Write(path) => changed(context, path, &[Kind::Write]),
        Tool::Edit(path) => changed(context, path, &[Kind::Read, Kind::Write]),
        Tool::Patch(text) => patch(context, text.unwrap_or_default()),
        Tool::Read(Some(path)) => {
            let field = path_field(context, path);
            context.path(Kind::Read, &field);
        }
        Tool::Read(None) => context.path_text(Kind::Read, ".", false),
        Tool::Search { directory, files } => search(context, directory.unwrap_or("."), files),
        Tool::Fetch(url) => {
            fetched(context, url.unwrap_or_default());
        }
        Tool::Remote => context.effect(Kind::RemoteRead),
        Tool::Agent(_) => {
            context.effect(Kind::Agent);
            takes_guards_away(context, call);
        }
        Tool::Worktree => {
            context.effect(Kind::GitChange);
            let directory = call.text("path").map(|path| path_field(context, path));
            if let Some(directory) =
                directory.filter(|at| context.is_guarded(at) || context.is_guarded_tree(at))
            {
                context.tree(Kind::Write, &directory);
            }
        }
        Tool::Schedule => context.effect(Kind::Schedule),
        Tool::Own | Tool::Skill(_) => takes_guards_away(context, call),
        // Answering for the person is never harmless: no allow covers it.
        Tool::Person => {
            unlisted(context, call);
            context.annotate("only a person can answer");
        }
        Tool::Mcp { tool, .. } => foreign_tool(context, call, tool),
        // A call that doesn't say of what is nothing that can be judged.
        Tool::Other if call.name.is_empty() => context.unknown(Unknown::Unparsed, Span::default()),
        Tool::Other => {
            unlisted(context, call);
            said(context, call);
        }
    }
}

/// The call names, as a value of its own, a mode without guards, or a setting that holds them; or a command of the client's with
/// such a word in it.
fn takes_guards_away(context: &mut Context<'_>, call: &ToolCall) {
    let listed = shipped().table("commands/words/unguarding");
    for value in call.input.values().filter_map(Value::as_str) {
        let words = value.split_whitespace().filter(|word| *word == value || value.starts_with('/'));
        if let Some(word) = words.into_iter().find(|word| listed.contains(word)) {
            context.effect_on(Kind::Gate, Target::Name(word.to_owned()));
        }
    }
}

/// The call asks its client to run it outside of the sandbox that the person has set up.
fn leaves_sandbox(context: &mut Context<'_>, call: &ToolCall) {
    let keys = shipped().table("commands/words/unsandboxed-keys");
    let asks = call.input.iter().any(|(key, value)| keys.contains(key) && *value == Value::Bool(true));
    if asks {
        context.effect(Kind::Privilege);
        context.annotate("outside of the agent's sandbox");
    }
}

/// An address that is read: a file of this machine, or one of another, which learns all that the address says.
fn fetched(context: &mut Context<'_>, url: &str) {
    if url.starts_with("file:") {
        let path = url.trim_start_matches("file:").trim_start_matches("//");
        let field = path_field(context, path.strip_prefix("localhost").unwrap_or(path));
        return context.path(Kind::Read, &field);
    }
    context.host(Kind::Download, &Field::of(url, Span::default()));
    let plain = decoded(url);
    if !hookgate_secrets::scan(url).is_empty() || !hookgate_secrets::scan(&plain).is_empty() {
        context.host(Kind::Exfiltrate, &Field::of(url, Span::default()));
    }
}

/// An address with its escapes undone, as far as they stand for letters: `+` and `%20` are blanks.
fn decoded(url: &str) -> String {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let escaped = digits.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| *first == b'%');
        rest = if escaped.is_some() { after.get(2..).unwrap_or_default() } else { after };
        bytes.push(escaped.unwrap_or(if *first == b'+' { b' ' } else { *first }));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn unlisted(context: &mut Context<'_>, call: &ToolCall) {
    context.unknown_about(Unknown::Program, Some(Target::Name(call.name.clone())), Span::default());
}

/// The text of a shell's command: of a list of words, what the shell among them reads, or the words in quotes.
fn text_of(command: Command<'_>) -> Cow<'_, str> {
    match command {
        Command::Text(text) => Cow::Borrowed(text),
        Command::Words(words) => match words.as_slice() {
            [shell, "-c" | "-lc", text]
                if matches!(crate::paths::file_name(shell), "bash" | "sh" | "zsh") =>
            {
                Cow::Borrowed(*text)
            }
            words => Cow::Owned(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
        },
    }
}

/// A file that is changed.
fn changed(context: &mut Context<'_>, path: Option<&str>, kinds: &[Kind]) {
    let Some(path) = path else { return context.unknown(Unknown::Target, Span::default()) };
    let field = path_field(context, path);
    for kind in kinds {
        context.path(*kind, &field);
    }
}

/// A path as a tool takes it: `~` and `file://` are understood, globs are plain letters.
fn path_field(context: &Context<'_>, text: &str) -> Field {
    let text = text.strip_prefix("file://").unwrap_or(text);
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Field::of(format!("{}{rest}", context.places().home), Span::default())
        }
        _ => Field::of(text, Span::default()),
    }
}

/// A directory with a pattern: each file that matches is read or named.
fn search(context: &mut Context<'_>, directory: &str, glob: Option<&str>) {
    let Some(glob) = glob else {
        let base = path_field(context, directory);
        return context.tree(Kind::Read, &base);
    };
    let (globs, left_out) = alternatives(glob);
    for glob in &globs {
        matching(context, directory, glob);
    }
    if left_out {
        context.unknown(Unknown::Unparsed, Span::default());
        context.annotate("braces stand for too many globs");
    }
}

/// The files in a directory that match a glob without braces.
fn matching(context: &mut Context<'_>, directory: &str, glob: &str) {
    let base = path_field(context, directory);
    match glob {
        glob if glob.starts_with('/') || glob.starts_with('~') => {
            let mut field = path_field(context, glob);
            field.pattern = true;
            context.path(Kind::Read, &field);
        }
        glob => {
            let mut field = Field::of(format!("{}/{glob}", base.shown()), Span::default());
            field.pattern = true;
            context.path(Kind::Read, &field);
        }
    }
}

/// The most globs that braces may stand for, and the most rounds of replacing one pair of them in each.
const MOST_GLOBS: usize = 64;
const MOST_ROUNDS: usize = 16;

/// The globs that `{a,b}` stands for, and whether some were left out; deeper braces come with the next round.
fn alternatives(glob: &str) -> (Vec<String>, bool) {
    let mut globs = vec![glob.to_owned()];
    for _ in 0..MOST_ROUNDS {
        let next: Vec<String> = globs
            .iter()
            .flat_map(|glob| one_round(glob).unwrap_or_else(|| vec![glob.clone()]))
            .take(MOST_GLOBS + 1)
            .collect();
        if next.len() > MOST_GLOBS {
            return (globs, true);
        }
        if next == globs {
            return (globs, false);
        }
        globs = next;
    }
    let left_out = globs.iter().any(|glob| one_round(glob).is_some());
    (globs, left_out)
}

/// The first `{a,b}`: each of them in its place.
fn one_round(glob: &str) -> Option<Vec<String>> {
    let (before, rest) = glob.split_once('{')?;
    let (inner, after) = rest.split_once('}')?;
    (inner.contains(',') && !inner.contains('{'))
        .then(|| inner.split(',').map(|one| format!("{before}{one}{after}")).collect())
}

/// The files that a patch names.
fn patch(context: &mut Context<'_>, text: &str) {
    let mut found = false;
    for line in text.lines() {
        let named = [
            ("*** Add File: ", Kind::Write),
            ("*** Update File: ", Kind::Write),
            ("*** Delete File: ", Kind::Delete),
            ("*** Move to: ", Kind::Write),
        ];
        if let Some((name, kind)) =
            named.iter().find_map(|(mark, kind)| Some((line.strip_prefix(mark)?, *kind)))
        {
            let field = path_field(context, name.trim());
            context.path(kind, &field);
            found = true;
        }
    }
    if !found {
        context.unknown(Unknown::Unparsed, Span::default());
    }
}

/// A tool of an MCP server: judged by the verb in its name where it works on files, else unknown.
fn foreign_tool(context: &mut Context<'_>, call: &ToolCall, tool: &str) {
    let words: Vec<String> = words_of(tool);
    let says = |what: &str| words.iter().any(|word| row_says("commands/words/tool-names", word, what));
    let texts = texts_of(call);
    let named: Vec<(&str, &str)> =
        texts.iter().copied().filter(|(key, text)| names_file(key, text)).collect();
    if says("on-files") && !named.is_empty() {
        let kinds: [(&str, &[Kind]); 5] = [
            ("delete", &[Kind::Delete]),
            ("move", &[Kind::Move]),
            ("edit", &[Kind::Read, Kind::Write]),
            ("write", &[Kind::Write]),
            ("read", &[Kind::Read]),
        ];
        let kinds = kinds.into_iter().find(|(what, _)| says(what)).map(|(_, kinds)| kinds);
        if let Some(kinds) = kinds {
            for (key, text) in &named {
                let field = path_field(context, text);
                let kinds = if is_goal(key) { &[Kind::Write] } else { kinds };
                for kind in kinds {
                    if *kind == Kind::Delete {
                        context.tree(*kind, &field);
                    } else {
                        context.path(*kind, &field);
                    }
                }
            }
            return guarded_names(context, tool, &texts);
        }
    }
    if let Some(command) = call.text("command").or_else(|| call.text("cmd")).filter(|_| says("runs"))
        && argument_lists(&call.input).is_empty()
    {
        interpreter::analyse(context, command);
        return;
    }
    unlisted(context, call);
    said(context, call);
}

/// How many texts of an unknown tool's input are read, and how deep they may stand.
const MOST_TEXTS: usize = 64;
const MOST_DEPTH: u32 = 8;

/// What the texts in the input of a tool that nobody knows would do, by the keys that they stand under. All of it is
/// possible, none of it certain: it can be found harmful, and never harmless.
fn said(context: &mut Context<'_>, call: &ToolCall) {
    let texts = texts_of(call);
    let keys = shipped().table("commands/words/language-keys");
    let language = texts.iter().find(|(key, _)| keys.contains(key));
    let language = language.map(|(_, name)| name.to_ascii_lowercase()).unwrap_or_default();
    for (key, text) in &texts {
        let field = Field::of(*text, Span::default());
        context.possibly(|context| text_under(context, key, &field, &language));
    }
    for command in argument_lists(&call.input) {
        context.possibly(|context| context.run_shell_text(&command));
    }
    guarded_names(context, &call.name, &texts);
}

/// The texts in a call's input with the keys that they stand under, up to a bound.
fn texts_of(call: &ToolCall) -> Vec<(&str, &str)> {
    let mut texts = Vec::new();
    for (key, value) in &call.input {
        collect(key, value, 0, &mut texts);
    }
    texts
}

/// Does a key of this name hold the name of a file? The last word of a key says what it is: `file_text` is a text.
fn names_file(key: &str, text: &str) -> bool {
    let words = words_of(key);
    let said = words.iter().rfind(|word| !word.is_empty() && *word != "name");
    let is = |list: &str| said.is_some_and(|word| shipped().table(list).contains(word));
    let local = text.starts_with("file:") || !text.contains("://");
    local
        && !text.is_empty()
        && !text.contains('\n')
        && (is("commands/words/path-keys") || is("commands/words/place-keys"))
}

/// Does a key name where something is put?
fn is_goal(key: &str) -> bool {
    words_of(key).iter().any(|word| shipped().table("commands/words/goal-keys").contains(word))
}

/// Names of what guards are about, under whatever key: a tool that isn't plainly one that reads may write there.
fn guarded_names(context: &mut Context<'_>, tool: &str, texts: &[(&str, &str)]) {
    let words = words_of(tool.rsplit("__").next().unwrap_or(tool));
    let says = |what: &str| words.iter().any(|word| row_says("commands/words/tool-names", word, what));
    if says("read") && !["delete", "move", "edit", "write", "runs"].into_iter().any(says) {
        return;
    }
    for (key, text) in texts {
        let is_path = text.starts_with(['/', '~', '.']) || (text.contains('/') && !text.contains("://"));
        let is_path = is_path || text.starts_with("file:");
        if text.contains('\n') || !(is_path || names_file(key, text)) {
            continue;
        }
        let field = path_field(context, text);
        let field = Field { literal: true, ..field };
        if context.is_guarded(&field) || context.has_traits(&field, Traits::GIT_HOOK) {
            context.possibly(|context| context.path(Kind::Write, &field));
        }
    }
}

/// How many lists of arguments are read.
const MOST_LISTS: usize = 16;

/// The commands that an input gives as a program and a list of its arguments, or as a list that begins with a program.
fn argument_lists(input: &Map) -> Vec<String> {
    let mut found = Vec::new();
    lists_in(input, 0, &mut found);
    found
}

fn lists_in(map: &Map, depth: u32, found: &mut Vec<String>) {
    if depth > MOST_DEPTH {
        return;
    }
    let under = |list: &str, key: &str| words_of(key).iter().any(|word| shipped().table(list).contains(word));
    let program = map.iter().find_map(|(key, value)| {
        let names = under("commands/words/command-keys", key) || under("commands/words/program-keys", key);
        value.as_str().filter(|_| names)
    });
    for (key, value) in map {
        match value {
            Value::Array(items) if found.len() < MOST_LISTS => {
                let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                let named = under("commands/words/argument-keys", key);
                let own = words.first().is_some_and(|first| is_program(first));
                let told = program.filter(|_| named && !words.is_empty());
                if named && (own || told.is_some()) {
                    let rest: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                    let line = rest.join(" ");
                    found.push(told.map_or(line.clone(), |program| format!("{program} {line}")));
                }
                for item in items.iter().filter_map(Value::as_object) {
                    lists_in(item, depth + 1, found);
                }
            }
            Value::Object(inner) => lists_in(inner, depth + 1, found),
            _ => {}
        }
    }
}

/// Is it the name or the path of a program that is known?
fn is_program(word: &str) -> bool {
    crate::knowledge::program(crate::paths::file_name(word)).is_some()
}

/// A text under a key.
fn text_under(context: &mut Context<'_>, key: &str, field: &Field, language: &str) {
    let text = field.shown();
    let words = words_of(key);
    let is = |list: &str| words.iter().any(|word| shipped().table(list).contains(word));
    if is("commands/words/command-keys") {
        context.run_shell_text(text);
    } else if is("commands/words/statement-keys") {
        context.run_code(Role::Sql, field);
    } else if is("commands/words/code-keys") {
        let row = shipped().table("commands/words/languages").find(language);
        let role = match row.and_then(|row| row.cell(0)) {
            Some(language) => match Role::from_name(language) {
                Some(Role::Shell) => return context.run_shell_text(text),
                role => role.unwrap_or(Role::JavaScript),
            },
            None => {
                context.run_code(Role::Python, field);
                Role::JavaScript
            }
        };
        context.run_code(role, field);
    } else if text.starts_with("file:") || is("commands/words/address-keys") {
        if text.starts_with("file:") || text.contains("://") {
            fetched(context, text);
        }
    } else if (is("commands/words/path-keys") || text.starts_with(['/', '~']))
        && !text.contains(['\n', ' '])
        && !text.is_empty()
    {
        let field = path_field(context, text);
        context.path(Kind::Read, &field);
    }
}

fn collect<'v>(key: &'v str, value: &'v Value, depth: u32, texts: &mut Vec<(&'v str, &'v str)>) {
    if texts.len() >= MOST_TEXTS || depth > MOST_DEPTH {
        return;
    }
    match value {
        Value::String(text) => texts.push((key, text)),
        Value::Array(items) => items.iter().for_each(|item| collect(key, item, depth + 1, texts)),
        Value::Object(map) => {
            map.iter().for_each(|(key, item)| collect(key, item, depth + 1, texts));
        }
        _ => {}
    }
}

/// The words of a name in any of the usual styles.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if !character.is_alphanumeric() || character.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::alternatives;

    #[test]
    fn braces_of_a_glob_multiply_up_to_a_bound() {
        assert_eq!(alternatives("{a,b}/*.{c,d}").0, ["a/*.c", "a/*.d", "b/*.c", "b/*.d"]);
        assert!(!alternatives("{a,b}/*.{c,d}").1 && !alternatives("*.rs").1 && !alternatives("{a}{b").1);
        let (globs, left_out) = alternatives(&"{a,b}".repeat(100));
        assert!(left_out && globs.len() <= 64);
    }
}
