//! What tool calls do, by what kind of tool it is; which tool is of which kind is in the agents' tables.

mod inputs;
mod unlisted;

use std::borrow::Cow;

use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::Field;
use crate::foreign;
use crate::interpreter;
use crate::knowledge::shipped;
use hookgate_agents::{Command, Shell, Tool, ToolCall, Value};
use hookgate_shell::Span;
use inputs::Told;

/// The effects of a tool call.
pub(crate) fn tool_call(context: &mut Context<'_>, call: &ToolCall) {
    match call.tool() {
        Tool::Shell { language, command, runs_here } => {
            let Some(command) = command.map(text_of) else {
                return context.unknown(Unknown::Unparsed, Span::default());
            };
            in_told(context, call, runs_here, |context| match language {
                Shell::Bash => started(context, call, &command),
                Shell::PowerShell => foreign::analyse_powershell(context, &command),
            });
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
        Tool::Remote => {
            context.effect(Kind::RemoteRead);
            reads(context, call);
        }
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
        Tool::Own | Tool::Skill(_) => {
            takes_guards_away(context, call);
            reads(context, call);
        }
        // Answering for the person is never harmless: no allow covers it.
        Tool::Person => {
            unlisted(context, call);
            context.annotate("only a person can answer");
        }
        Tool::Mcp { server, tool } => unlisted::of_server(context, call, server, tool),
        // A call that doesn't say of what is nothing that can be judged.
        Tool::Other if call.name.is_empty() => context.unknown(Unknown::Unparsed, Span::default()),
        Tool::Other => unlisted::other(context, call),
    }
}

/// Runs something in the directory that the call's input names, if it names one; with `or_here`, in the event's as well, because
/// nobody says that the tool goes by that name.
fn in_told(context: &mut Context<'_>, call: &ToolCall, or_here: bool, run: impl FnOnce(&mut Context<'_>)) {
    let mut directories = match inputs::told(context, &call.input) {
        Told::No => return run(context),
        Told::At(field) => context.resolve(&field).unwrap_or_default(),
        Told::Computed => Vec::new(),
    };
    if or_here && !directories.is_empty() {
        let here = context.state.directories.iter().filter(|here| !directories.contains(here));
        directories = here.cloned().chain(directories.clone()).collect();
    }
    let before = std::mem::replace(&mut context.state.directories, directories);
    run(context);
    context.state.directories = before;
}

/// A text for the shell that the input names, which is another program where that is no shell's own name.
fn started(context: &mut Context<'_>, call: &ToolCall, text: &str) {
    let keys = shipped().table("commands/words/shell-keys");
    let named = call.input.iter().filter(|(key, _)| keys.contains(key)).find_map(|(_, value)| value.as_str());
    let plain = |name: &str| shipped().table("commands/words/languages").contains(name);
    match named.filter(|name| !name.is_empty() && !plain(name)) {
        None => interpreter::analyse(context, text),
        Some(shell) => interpreter::analyse(context, &inputs::line_of(&[shell, "-c", text])),
    }
}

/// The files that the input of a tool of the agent's own names, by their keys or as addresses.
fn reads(context: &mut Context<'_>, call: &ToolCall) {
    for (key, text) in inputs::texts_of(call) {
        let named = inputs::is_under("commands/words/path-keys", &key) && inputs::names_file(&key, &text);
        if named || text.starts_with("file:") && !text.contains('\n') {
            let path = text.trim_start_matches("file:").trim_start_matches("//");
            let field = path_field(context, path.strip_prefix("localhost").unwrap_or(path));
            context.path(Kind::Read, &field);
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
            words => Cow::Owned(inputs::line_of(words)),
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
