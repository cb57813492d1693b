//! Tools that no table lists, those of MCP servers first of all: what their names and the texts in their inputs say.

use crate::context::Context;
use crate::effect::{Kind, Target, Traits};
use crate::field::Field;
use crate::interpreter;
use crate::knowledge::{Role, row_says, shipped};
use crate::world::EntryKind;
use hookgate_agents::{Map, ToolCall, Value};
use hookgate_shell::Span;

use super::inputs::{
    Keyed, argument_lists, is_directory, is_program, is_under, line_of, names_file, texts_of, words_of,
};
use super::{fetched, path_field, unlisted};

/// What is lost for good, by what a program does that a tool is named after.
const LOSSES: &[Kind] = &[
    Kind::Destroy,
    Kind::Device,
    Kind::GitForcePush,
    Kind::GitDiscard,
    Kind::GitDeleteRemote,
    Kind::GitDropStash,
    Kind::GitPrune,
    Kind::GitBypass,
    Kind::DatabaseDestroy,
    Kind::CloudDestroy,
    Kind::ClusterDestroy,
    Kind::InfrastructureDestroy,
    Kind::ContainerDestroy,
    Kind::ContainerEscape,
];

/// The words in the name of a tool, and of its server, in small letters.
struct Name {
    server: Vec<String>,
    tool: Vec<String>,
}

impl Name {
    fn of(server: &str, tool: &str) -> Name {
        let words = |name: &str| words_of(name).into_iter().filter(|word| !word.is_empty()).collect();
        Name { server: words(server), tool: words(tool) }
    }

    /// Does a word of the tool's say so?
    fn says(&self, what: &str) -> bool {
        self.tool.iter().any(|word| says(word, what))
    }

    /// Does each word of the tool's say one of these?
    fn says_only(&self, what: &[&str]) -> bool {
        !self.tool.is_empty() && self.tool.iter().all(|word| what.iter().any(|what| says(word, what)))
    }

    /// Is it about a shell, or about something that takes what is typed?
    fn types(&self) -> bool {
        self.says("runs") || self.tool.iter().chain(&self.server).any(|word| says(word, "types"))
    }

    /// The tool's name says that something is gone for good: a word for that beside what holds data or serves, as what it is done to,
    /// or nothing but such a word.
    fn destroys(&self) -> bool {
        let ends = |word: &String| says(word, "delete") || says(word, "destroys") || says(word, "wipes");
        let keeps = |word: &String| {
            shipped().table("commands/words/stores").contains(word)
                || word
                    .strip_suffix('s')
                    .is_some_and(|one| shipped().table("commands/words/stores").contains(one))
        };
        let Some(verb) = self.tool.iter().position(ends) else { return false };
        if self.tool.iter().all(|word| says(word, "wipes") || says(word, "runs")) {
            return true;
        }
        let from = self.tool.iter().any(|word| shipped().table("commands/words/parting").contains(word));
        let last = self.tool.len() - 1;
        let object = if verb == last { verb.checked_sub(1) } else { Some(last) };
        !from && object.and_then(|at| self.tool.get(at)).is_some_and(keeps)
    }
}

fn says(word: &str, what: &str) -> bool {
    row_says("commands/words/tool-names", word, what)
}

/// A tool of an MCP server: judged by the verb in its name where it works on files, else unknown.
pub(super) fn of_server(context: &mut Context<'_>, call: &ToolCall, server: &str, tool: &str) {
    let name = Name::of(server, tool);
    let texts = texts_of(call);
    if on_files(context, &name, &texts) {
        return guarded_names(context, &name, &texts);
    }
    if let Some(command) =
        ["command", "cmd"].iter().find_map(|key| call.text(key)).filter(|_| name.says("runs"))
        && argument_lists(&call.input).is_empty()
    {
        super::in_told(context, call, false, |context| interpreter::analyse(context, command));
        return named_after(context, call, &name);
    }
    unlisted(context, call);
    possible(context, call, &name, &texts);
}

/// A tool that nobody knows.
pub(super) fn other(context: &mut Context<'_>, call: &ToolCall) {
    let name = Name::of("", &call.name);
    let texts = texts_of(call);
    unlisted(context, call);
    context.possibly(|context| {
        on_files(context, &name, &texts);
    });
    possible(context, call, &name, &texts);
}

/// Is the tool about files, with a verb in its name that says what it does to those in its input? Then it does.
fn on_files(context: &mut Context<'_>, name: &Name, texts: &[Keyed]) -> bool {
    let named: Vec<&Keyed> = texts.iter().filter(|(key, text)| names_file(key, text)).collect();
    if named.is_empty() || !(name.says("on-files") || name.says_only(&["delete"])) {
        return false;
    }
    let kinds: [(&str, &[Kind]); 5] = [
        ("delete", &[Kind::Delete]),
        ("move", &[Kind::Move]),
        ("edit", &[Kind::Read, Kind::Write]),
        ("write", &[Kind::Write]),
        ("read", &[Kind::Read]),
    ];
    let kinds = kinds.into_iter().find(|(what, _)| name.says(what)).map(|(_, kinds)| kinds);
    let Some(kinds) = kinds else { return false };
    // Of a repository elsewhere: no file of this machine.
    if kinds == [Kind::Delete] && texts.iter().any(|(key, _)| is_under("commands/words/repository-keys", key))
    {
        for (_, text) in &named {
            context.effect_on(Kind::RemoteDelete, Target::Name(text.clone()));
        }
        return true;
    }
    for (key, text) in &named {
        let field = path_field(context, text);
        let kinds = if is_goal(key) && kinds != [Kind::Delete] { &[Kind::Write] } else { kinds };
        for kind in kinds {
            if *kind == Kind::Delete && !(name.says("single") && is_no_folder(context, &field)) {
                context.tree(*kind, &field);
            } else {
                context.path(*kind, &field);
            }
        }
    }
    true
}

/// Does no path that the field can mean lead to a folder that is there?
fn is_no_folder(context: &Context<'_>, field: &Field) -> bool {
    let is_folder =
        |path: &String| context.world().entry(path).is_some_and(|entry| entry.kind == EntryKind::Directory);
    context.resolve(field).is_some_and(|paths| !paths.iter().any(is_folder))
}

/// What the call could do, by its name and by what the texts in its input are under their keys. All of it is possible, none of it
/// certain: it can be found harmful, and never harmless.
fn possible(context: &mut Context<'_>, call: &ToolCall, name: &Name, texts: &[Keyed]) {
    super::in_told(context, call, true, |context| said(context, call, name, texts));
    guarded_names(context, name, texts);
    named_after(context, call, name);
    if name.destroys() && !texts.iter().any(|(key, text)| names_file(key, text)) {
        let object = texts
            .iter()
            .find(|(key, text)| is_under("commands/words/name-keys", key) && !text.contains('\n'));
        context.possibly(|context| match object {
            Some((_, text)) => context.effect_on(Kind::RemoteDelete, Target::Name(text.clone())),
            None => context.effect(Kind::RemoteDelete),
        });
    }
}

fn said(context: &mut Context<'_>, call: &ToolCall, name: &Name, texts: &[Keyed]) {
    let keys = shipped().table("commands/words/language-keys");
    let language = texts.iter().find(|(key, _)| keys.contains(key));
    let language = language.map(|(_, name)| name.to_ascii_lowercase()).unwrap_or_default();
    let types = name.types();
    for (key, text) in texts {
        let field = Field::of(text.as_str(), Span::default());
        context.possibly(|context| {
            if types && is_under("commands/words/typed-keys", key) {
                typed(context, text);
            }
            text_under(context, key, &field, &language);
        });
    }
    for command in argument_lists(&call.input) {
        context.possibly(|context| context.run_shell_text(&command));
    }
}

/// A text that a shell may get, or another program that waits for one: only what would be done by it counts, not what can't be read.
fn typed(context: &mut Context<'_>, text: &str) {
    let before = context.found.effects.len();
    context.run_shell_text(text);
    let found = context.found.effects.split_off(before.min(context.found.effects.len()));
    context.found.effects.extend(found.into_iter().filter(|effect| !matches!(effect.kind, Kind::Unknown(_))));
}

/// A tool that is named after a program and its subcommand, or after a program whose arguments its input holds. What is lost by
/// that call is possible.
fn named_after(context: &mut Context<'_>, call: &ToolCall, name: &Name) {
    let words: Vec<&String> = name.server.iter().chain(&name.tool).collect();
    let (before, after) = (context.found.effects.len(), context.found.calls.len());
    for (at, word) in words.iter().enumerate() {
        let known =
            crate::knowledge::program(word).filter(|program| program.specification().has_subcommands());
        if known.is_none() || words.get(at + 1) == Some(word) {
            continue;
        }
        let rest = words
            .iter()
            .skip(at + 1)
            .filter(|next| !says(next, "runs") && !says(next, "any") && *next != word);
        let rest: Vec<&str> = rest.map(|word| word.as_str()).collect();
        if let Some(line) = line_after(word, &rest, &call.input) {
            super::in_told(context, call, true, |context| {
                context.possibly(|context| context.run_shell_text(&line));
            });
        }
    }
    let found = context.found.effects.split_off(before.min(context.found.effects.len()));
    context.found.calls.truncate(after);
    for effect in found.into_iter().filter(|effect| LOSSES.contains(&effect.kind)) {
        context
            .possibly(|context| context.push(effect.kind, effect.target, effect.recursive, Span::default()));
    }
}

/// The call of a program that an input describes: its command, what it is about, its arguments, and what is switched on in it as options.
fn line_after(program: &str, rest: &[&str], input: &Map) -> Option<String> {
    let strings = || input.iter().filter_map(|(key, value)| Some((key, value.as_str()?.trim())));
    let mut command =
        strings().find(|(key, _)| is_under("commands/words/command-keys", key)).map(|(_, text)| text);
    if rest.is_empty() && command.is_none_or(|text| text.split_whitespace().next() == Some(program)) {
        return None;
    }
    command = command.filter(|text| !text.is_empty());
    let mut words = vec![program.to_owned()];
    words.extend(rest.iter().chain(&command).map(|word| (*word).to_owned()));
    let order = shipped().table("commands/words/parts-of-calls").find("order");
    for part in order.iter().flat_map(|row| row.cells()) {
        let is = |key: &str| words_of(key).concat() == part;
        words.extend(strings().filter(|(key, _)| is(key)).map(|(_, text)| line_of(&[text])));
    }
    for (key, value) in input {
        let arguments = is_under("commands/words/argument-keys", key);
        match value {
            Value::Bool(true) => words.push(option_of(key)),
            Value::String(text) if text.parse() == Ok(true) => words.push(option_of(key)),
            Value::String(text) if arguments => words.push(text.clone()),
            Value::Array(items) if arguments => {
                words.push(line_of(&items.iter().filter_map(Value::as_str).collect::<Vec<_>>()));
            }
            _ => {}
        }
    }
    Some(words.join(" "))
}

/// A key as an option: `dryRun` is `--dry-run`.
fn option_of(key: &str) -> String {
    let words: Vec<String> = words_of(key).into_iter().filter(|word| !word.is_empty()).collect();
    format!("--{}", words.join("-"))
}

/// Does a key name where something is put?
fn is_goal(key: &str) -> bool {
    is_under("commands/words/goal-keys", key)
}

/// Names of what guards are about, under whatever key: a tool that isn't plainly one that reads may write there. So may one that
/// writes where something begins by itself.
fn guarded_names(context: &mut Context<'_>, name: &Name, texts: &[Keyed]) {
    let changes = ["delete", "move", "edit", "write", "runs"].into_iter().any(|what| name.says(what));
    if name.says("read") && !changes {
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
        let put = (changes || is_goal(key)) && names_file(key, text) && !is_directory(key);
        if context.is_guarded(&field)
            || context.has_traits(&field, Traits::GIT_HOOK)
            || put && context.has_traits(&field, Traits::STARTUP)
        {
            context.possibly(|context| context.path(Kind::Write, &field));
        }
    }
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
        code(context, field, language);
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

/// A program's text; where nobody says in which language, in those that it may be in.
fn code(context: &mut Context<'_>, field: &Field, language: &str) {
    let row = shipped().table("commands/words/languages").find(language);
    let role = match row.and_then(|row| row.cell(0)) {
        Some(language) => match Role::from_name(language) {
            Some(Role::Shell) => return context.run_shell_text(field.shown()),
            role => role.unwrap_or(Role::JavaScript),
        },
        None => {
            context.run_code(Role::Python, field);
            Role::JavaScript
        }
    };
    notebook(context, field.shown());
    context.run_code(role, field);
}

/// The lines of a notebook's cell that a shell reads: those behind `!`, and all behind a first one that names a shell.
fn notebook(context: &mut Context<'_>, text: &str) {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text.trim(), ""));
    let magic = first.strip_prefix("%%").and_then(|first| first.split_whitespace().next());
    let shell = magic.and_then(|name| shipped().table("commands/words/languages").find(name));
    if shell.and_then(|row| row.cell(0)).and_then(Role::from_name) == Some(Role::Shell) {
        return context.run_shell_text(rest);
    }
    for line in text.lines() {
        let line = line.trim_start();
        let Some(command) = line.strip_prefix('!').map(|rest| rest.trim_start_matches('!').trim_start())
        else {
            continue;
        };
        if command.split_whitespace().next().is_some_and(is_program) {
            context.run_shell_text(command);
        }
    }
}
