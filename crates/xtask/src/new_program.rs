//! `cargo xtask new-program NAME`: a knowledge file from what a program says of itself.
//!
//! The file lists what exists and guesses nothing: an option whose description speaks of a change, or whose value may be a file,
//! is left as a comment, so it is unknown until a person has said what it does.

mod manual;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// One option as a program describes it.
#[derive(Debug, Default, PartialEq)]
struct Described {
    names: Vec<String>,
    value: Value,
    /// What the value is called: `FILE`.
    placeholder: String,
    /// In words.
    what: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Value {
    #[default]
    None,
    Required,
    Optional,
}

/// What a program says of itself.
#[derive(Debug, Default, PartialEq)]
struct Description {
    summary: String,
    options: Vec<Described>,
    /// Names and what they do.
    subcommands: Vec<(String, String)>,
}

/// Words in a description that speak of more than a way to print.
const CHANGES: &[&str] = &[
    "delet",
    "remov",
    "overwrit",
    "writ",
    "creat",
    "force",
    "purge",
    "clean",
    "replac",
    "updat",
    "upload",
    "install",
    "exec",
    "run ",
    "runs",
    "command",
    "server",
    "listen",
    "send",
    "push",
    "kill",
    "edit",
    "attach",
    "process",
    "in place",
    "in-place",
    "chang",
    "modif",
    "download",
    "fetch",
    "url",
    "host",
    "proxy",
    "password",
    "token",
    "secret",
    "key",
    "directory",
    "destroy",
    "reset",
    "plugin",
    "load",
    "script",
];

/// What values are called that are more than a text.
const PATHS: &[&str] = &["file", "path", "dir", "folder", "url", "uri", "host", "cmd", "command", "script"];

/// Writes `knowledge/NAME.toml`. `source` is the text of its `--help`, of its manual (as it is printed, or its source), or
/// of its completions for fish, in that file; without one, `NAME --help` is run.
///
/// # Errors
///
/// In words: a file that exists, a program that isn't there, a text that describes no option.
pub(crate) fn scaffold(workspace: &Path, name: &str, source: Option<&str>) -> Result<String, String> {
    if name.is_empty() || name.contains(['/', ' ', '"']) {
        return Err(format!("`{name}` is not a program's name: without directory, such as `rsync`"));
    }
    let path = workspace.join("knowledge").join(format!("{name}.toml"));
    if let Some(known) = hookgate_knowledge::shipped().exact_program(name) {
        return Err(format!("knowledge/{} is about `{name}` already", known.file()));
    }
    let text = match source {
        Some(source) => fs::read_to_string(source).map_err(|error| format!("{source}: {error}"))?,
        None => help(name)?,
    };
    let file = draft(name, &text)?;
    fs::write(&path, file).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!(
        "wrote {}: say what its commented lines do, then `cargo test -p hookgate-effects --test knowledge -- {name}`",
        path.display()
    ))
}

/// What `NAME --help` prints.
pub(crate) fn help(name: &str) -> Result<String, String> {
    let output = Command::new(name).arg("--help").output().map_err(|error| {
        format!("{name} --help: {error}; pass a file with its help, manual or fish completions")
    })?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// The names of the options that a text describes.
pub(crate) fn options(name: &str, text: &str) -> Vec<String> {
    read(name, text).options.into_iter().flat_map(|option| option.names).collect()
}

/// The file for a program that describes itself so.
fn draft(name: &str, text: &str) -> Result<String, String> {
    let description = read(name, text);
    if description.options.is_empty() && description.subcommands.is_empty() {
        return Err(format!("the text describes neither options nor subcommands of `{name}`"));
    }
    let summary = if description.summary.is_empty() { "TODO: what it is for" } else { &description.summary };
    let mut file = format!("summary = \"{}\"\n", summary.replace(['\\', '"'], "'"));
    let _ = writeln!(file, "options = '''");
    for option in &description.options {
        let line = option.line();
        let _ = match option.doubt() {
            None => writeln!(file, "{line}"),
            Some(doubt) => writeln!(file, "# TODO {doubt}: {}\n# {line}", option.what),
        };
    }
    let _ = write!(
        file,
        "'''\n# TODO: what its operands are, such as [\"read...\"]; as it is, a call with operands is unknown.\noperands = []\n"
    );
    if !description.subcommands.is_empty() {
        let _ = write!(
            file,
            "\n# TODO: give each the effects that it has (`remote-read = \"list show\"`); those without any go to `nothing`.\n[subs]\n"
        );
        for (sub, what) in &description.subcommands {
            let _ = writeln!(file, "# {sub}: {what}");
        }
    }
    let _ = write!(
        file,
        "\n[[case]]\ncalls = '''\n{name} --help               => nothing\n{name} --no-such-option     => unknown-program\n'''\n"
    );
    Ok(file)
}

impl Described {
    /// As a knowledge file lists it.
    fn line(&self) -> String {
        let names = self.names.join(" ");
        match self.value {
            Value::None => names,
            Value::Required => format!("{names} <text>"),
            Value::Optional => format!("{names}[=<text>]"),
        }
    }

    /// Why nobody can say what it does without knowing the program.
    fn doubt(&self) -> Option<String> {
        let placeholder = self.placeholder.to_ascii_lowercase();
        if self.value != Value::None && PATHS.iter().any(|path| placeholder.contains(path)) {
            return Some(format!("is {} read, written, run or reached?", self.placeholder));
        }
        let what = self.what.to_ascii_lowercase();
        let harmless = ["--help", "--version"].iter().any(|name| self.names.iter().any(|own| own == name));
        let word = CHANGES.iter().find(|word| what.contains(**word))?;
        (!harmless).then(|| format!("does it do something (\"{}\")?", word.trim()))
    }
}

/// Reads any of the three forms.
fn read(name: &str, text: &str) -> Description {
    if text.lines().any(|line| line.trim_start().starts_with("complete ")) {
        return completions(name, text);
    }
    if manual::is_source(text) { described(name, &manual::printed(text)) } else { described(name, text) }
}

/// A text as people read it: indented options with what they do behind them or below them.
fn described(name: &str, text: &str) -> Description {
    let mut description = Description::default();
    let mut in_commands = false;
    // How far the last option was indented; what is further in belongs to it.
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        let indent = line.len() - line.trim_start().len();
        if trimmed.is_empty() {
            continue;
        }
        if indent == 0 {
            let heading = trimmed.trim_end_matches(':').to_ascii_lowercase();
            in_commands = heading.ends_with("commands") && heading.len() < 40;
            open = None;
            if description.summary.is_empty() && is_summary(name, trimmed) {
                description.summary = trimmed.trim_end_matches('.').chars().take(100).collect();
            }
        } else if let Some(option) = trimmed.starts_with('-').then(|| option(trimmed)).flatten() {
            let known: Vec<&String> = description.options.iter().flat_map(|known| &known.names).collect();
            open = Some(indent);
            if !option.names.iter().any(|name| known.contains(&name)) {
                description.options.push(option);
            }
        } else if in_commands && open.is_none() {
            let (names, what) = trimmed.split_once("  ").unwrap_or((trimmed, ""));
            let sub = names.split([',', ' ']).next().unwrap_or(names);
            if sub.starts_with(|c: char| c.is_ascii_lowercase()) && indent <= 8 {
                description.subcommands.push((sub.to_owned(), what.trim().to_owned()));
            }
        } else if let (Some(before), Some(option)) = (open, description.options.last_mut())
            && indent > before
            && option.what.len() < 200
        {
            let space = if option.what.is_empty() { "" } else { " " };
            let _ = write!(option.what, "{space}{trimmed}");
        } else if let Some((before, what)) = trimmed.split_once(" - ")
            && description.summary.is_empty()
            && before.split([',', ' ']).any(|word| word == name)
        {
            what.trim_end_matches('.').clone_into(&mut description.summary);
        }
    }
    description
}

/// Is it a sentence about the program, and not how it is called?
fn is_summary(name: &str, line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    line.contains(' ')
        && !line.ends_with(':')
        && !["usage", "options", "error"].iter().any(|word| lower.starts_with(word))
        && !line.starts_with(&format!("{name} ["))
        && !line.contains("(1)")
}

/// `-o, --output=FILE   what it does`
fn option(line: &str) -> Option<Described> {
    let (left, what) = line.split_once("  ").unwrap_or((line, ""));
    let mut described = Described { what: what.trim().to_owned(), ..Described::default() };
    for word in left.split([',', ' ', '|']).filter(|word| !word.is_empty()) {
        if !word.starts_with('-') {
            described.take(word, Value::Required);
            continue;
        }
        let end = word.find(['=', '[', '<']).unwrap_or(word.len());
        let (name, value) = word.split_at(end);
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.?#@:+".contains(c);
        if name.trim_start_matches('-').is_empty() || !name.chars().all(plain) {
            return None;
        }
        described.names.push(name.to_owned());
        if value.starts_with('[') {
            described.take(value, Value::Optional);
        } else if !value.is_empty() {
            described.take(value, Value::Required);
        }
    }
    (!described.names.is_empty()).then_some(described)
}

impl Described {
    fn take(&mut self, placeholder: &str, value: Value) {
        let optional = placeholder.starts_with('[') && value == Value::Required;
        self.value = if optional { Value::Optional } else { value };
        placeholder.trim_matches(|c: char| !c.is_ascii_alphanumeric()).clone_into(&mut self.placeholder);
    }
}

/// `complete -c NAME -s o -l output -r -d 'what it does'`
fn completions(name: &str, text: &str) -> Description {
    let mut description = Description::default();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with("complete ")) {
        let words = words(line);
        let after = |options: [&str; 2]| {
            let at = words.iter().position(|word| options.contains(&word.as_str()))?;
            words.get(at + 1).cloned()
        };
        if after(["-c", "--command"]).is_none_or(|command| command != name) {
            continue;
        }
        let has = |options: [&str; 2]| words.iter().any(|word| options.contains(&word.as_str()));
        let what = after(["-d", "--description"]).unwrap_or_default();
        let forms =
            [("-", ["-s", "--short-option"]), ("--", ["-l", "--long-option"]), ("-", ["-o", "--old-option"])];
        let names: Vec<String> = forms
            .into_iter()
            .filter_map(|(dashes, options)| after(options).map(|name| format!("{dashes}{name}")))
            .collect();
        let of_subcommand = after(["-n", "--condition"])
            .is_some_and(|when| !when.contains("needs_command") && !when.contains("use_subcommand"));
        if of_subcommand {
            continue;
        }
        if !names.is_empty() {
            let takes = has(["-r", "--require-parameter"])
                || words.iter().any(|word| word == "-x" || word == "--exclusive");
            let files = takes && has(["-F", "--force-files"]);
            description.options.push(Described {
                names,
                value: if takes { Value::Required } else { Value::None },
                placeholder: if files { "FILE".to_owned() } else { String::new() },
                what,
            });
        } else if let Some(subs) = after(["-a", "--arguments"]).filter(|subs| !subs.contains(['(', '$'])) {
            description.subcommands.extend(subs.split_whitespace().map(|sub| (sub.to_owned(), what.clone())));
        }
    }
    description
}

/// The words of a line of fish, without their quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), character) if open == character => quote = None,
            (None, ' ' | '\t') => words.push(String::new()),
            (_, character) => {
                if let Some(word) = words.last_mut() {
                    word.push(character);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELP: &str = include_str!("new_program/fixtures/polish.help.txt");
    const MANUAL: &str = include_str!("new_program/fixtures/polish.1");
    const FISH: &str = include_str!("new_program/fixtures/polish.fish");

    #[test]
    fn help_manual_and_completions_list_the_same_options() {
        for text in [HELP, MANUAL, FISH] {
            let description = read("polish", text);
            let lines: Vec<String> = description.options.iter().map(Described::line).collect();
            let expected =
                ["-c --color[=<text>]", "-l --level <text>", "-o --output <text>", "--prune", "-q --quiet"];
            // Completions don't tell an optional value from none.
            let lines: Vec<String> =
                lines.iter().map(|line| line.replace("-c --color ", "-c --color")).collect();
            let names = |lines: &[String]| -> Vec<String> {
                lines
                    .iter()
                    .map(|line| line.split(['[', '<']).next().unwrap_or_default().trim().to_owned())
                    .collect()
            };
            assert_eq!(names(&lines), names(&expected.map(str::to_owned)), "{text}");
            assert!(lines.contains(&"-l --level <text>".to_owned()), "{lines:?}");
        }
    }

    #[test]
    fn what_may_do_something_stays_a_comment() {
        for text in [HELP, MANUAL, FISH] {
            let file = draft("polish", text).unwrap_or_default();
            let listed: Vec<&str> = file.lines().filter(|line| line.starts_with('-')).collect();
            assert!(listed.contains(&"-l --level <text>") && listed.contains(&"-q --quiet"), "{file}");
            assert!(
                !listed.iter().any(|line| line.contains("--prune") || line.contains("--output")),
                "{file}"
            );
            assert!(file.contains("# --prune") && file.contains("# -o --output <text>"), "{file}");
            assert!(file.contains("polish --no-such-option     => unknown-program"), "{file}");
        }
        let file = draft("polish", HELP).unwrap_or_default();
        assert!(file.starts_with("summary = \"Make the stones of a heap shine\"\n"), "{file}");
        assert!(file.contains("# weigh: print what the heap weighs"), "{file}");
    }

    #[test]
    fn the_draft_is_a_knowledge_file() {
        for text in [HELP, MANUAL, FISH] {
            let mut compiler = hookgate_knowledge::Compiler::new();
            compiler.add("polish.toml", &draft("polish", text).unwrap_or_default());
            let compiled = compiler.finish();
            assert!(compiled.is_ok(), "{:?}", compiled.err());
        }
    }

    #[test]
    fn texts_without_options_are_an_error() {
        let error = draft("polish", "polish: command not found\n").err();
        assert_eq!(error.as_deref(), Some("the text describes neither options nor subcommands of `polish`"));
    }
}
