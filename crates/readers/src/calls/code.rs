//! Calls that run more code: programs and shells, evaluated text, modules.

use super::super::Language;
use super::super::reader::Reader;
use super::super::value::{Act, Arguments, Value};
use hookgate_facts::Kind;
use hookgate_shell::quoted;

/// Modules beyond so many are not looked for in the working directory.
const MOST_IMPORTS: usize = 32;

impl Reader<'_> {
    /// A shell text as run from where the program started.
    pub(crate) fn in_directory(&self, text: Option<String>) -> Option<String> {
        let text = match self.exported.is_empty() {
            true => text,
            false => text.map(|text| {
                let set: String =
                    self.exported.iter().map(|(name, value)| format!("export {name}='{value}'; ")).collect();
                set + &text
            }),
        };
        match &self.directory {
            None => text,
            Some(directory) => directory.as_ref().zip(text).map(|(to, text)| format!("cd '{to}' && {text}")),
        }
    }

    /// A value is text that a shell runs.
    pub(crate) fn shell(&mut self, value: &Value, start: usize, end: usize) {
        for value in value.clone().alternatives() {
            self.disguised(&value, start, end);
            let text = self.in_directory(value.shape());
            self.code.shell.push((text, start, end));
        }
    }

    /// Says so where what runs was decoded, or came from the network.
    fn disguised(&mut self, value: &Value, start: usize, end: usize) {
        match value {
            Value::Decoded(_) => self.code.push(Kind::HiddenCode, None, start, end),
            Value::Fetched => self.code.push(Kind::RemoteCode, None, start, end),
            _ => {}
        }
    }

    /// Ruby's `open("|command")`.
    pub(super) fn is_pipe(&self, arguments: &Arguments) -> bool {
        let first = arguments.get(0).and_then(Value::shape);
        self.dialect.language == Language::Ruby && first.is_some_and(|text| text.starts_with('|'))
    }

    /// The program that a function runs by its own name: `sh.git`, `shelljs.rm`.
    pub(super) fn program_named(&self, name: &str) -> Option<Vec<Option<String>>> {
        let program = self.library.program(name)?;
        // `sh` writes dashes as underscores, and subcommands as members.
        Some(program.split('.').map(|word| Some(word.trim_end_matches('_').replace('_', "-"))).collect())
    }

    /// Runs a program with more words.
    pub(super) fn run_program(&mut self, mut words: Vec<Option<String>>, arguments: &[Value]) {
        for value in arguments {
            match value {
                Value::List(items) => words.extend(items.iter().map(Value::shape)),
                value => words.push(value.shape()),
            }
        }
        self.code.argv.push(words);
    }

    /// Runs something; a shell without a text is what comes out.
    pub(super) fn run(&mut self, act: Act, arguments: &Arguments, start: usize, end: usize) -> Value {
        let index = match act {
            Act::Shell(index) | Act::Program(index) | Act::Replaced(index) | Act::Command(index) => index,
            _ => 0,
        };
        let first = arguments.get(index).cloned().unwrap_or(Value::Unknown);
        if let Value::OneOf(values) = &first {
            for value in values {
                let mut one = arguments.clone();
                match one.positional.get_mut(index) {
                    Some(argument) => *argument = value.clone(),
                    None => one.named.clear(),
                }
                self.run(act, &one, start, end);
            }
            return Value::Unknown;
        }
        let truth = |value: &Value| !matches!(value, Value::Plain | Value::Number(0));
        let shell = match act {
            Act::Shell(_) => !matches!(first, Value::List(_)),
            Act::Command(index) => {
                arguments.positional.len() <= index + 1 && !matches!(first, Value::List(_))
            }
            Act::Run => arguments.named("shell").is_some_and(truth),
            Act::System => arguments.positional.len() <= 1 && !matches!(first, Value::List(_)),
            Act::Spawn => match arguments.named("shell") {
                Some(value) => truth(value),
                None => self.mentions(start, "shell"),
            },
            _ => false,
        };
        let mut words: Vec<Option<String>> = words_of(&first);
        if let Value::Table(_) = &first
            && let Some(command) = arguments.named("cmd")
        {
            words = words_of(command);
        }
        if let (Some(program), Some(first), false) = (arguments.named("executable"), words.first_mut(), shell)
        {
            *first = program.shape();
        }
        if act == Act::Spawn
            && let Some(more) = arguments.named("args")
        {
            words.extend(words_of(more));
        }
        if !matches!(act, Act::Run | Act::Shell(_)) {
            for value in arguments.positional.iter().skip(index + 1) {
                match (act, value) {
                    (Act::Spawn, Value::Unknown | Value::Plain) | (_, Value::Table(_)) => {}
                    _ => words.extend(words_of(value)),
                }
            }
            if act == Act::Spawn
                && arguments.positional.get(1) == Some(&Value::Unknown)
                && !self.options(start)
            {
                words.push(None);
            }
        }
        if let Act::Replaced(_) = act
            && words.len() > 1
        {
            // The program is named, then its arguments, of which the first is its name again.
            words.remove(1);
        }
        let moved = arguments.named("cwd").map(Value::shape);
        if shell {
            let value = match act {
                Act::Shell(_) => first,
                _ => match words.iter().cloned().collect::<Option<Vec<_>>>() {
                    Some(words) => Value::of_shape(words.join(" ")),
                    None => first,
                },
            };
            let outer = self.directory.clone();
            if let Some(directory) = moved {
                self.directory = Some(directory);
            }
            self.shell(&value, start, end);
            self.directory = outer;
            return self.fed(child_of_text(&value.shape().unwrap_or_default()), arguments, start, end);
        }
        self.disguised(&first, start, end);
        if !self.exported.is_empty() {
            let set = self.exported.iter().map(|(name, value)| Some(format!("{name}={value}")));
            words = std::iter::once(Some("env".to_owned())).chain(set).chain(words).collect();
        }
        let directory = moved.or_else(|| self.directory.clone());
        if let Some(directory) = directory {
            let mut outer = vec![Some("env".to_owned()), Some("-C".to_owned()), directory];
            outer.append(&mut words);
            words = outer;
        }
        let fed = self.fed(child_of(&words), arguments, start, end);
        self.code.argv.push(words);
        fed
    }

    /// What runs takes what it is fed: now, or later.
    fn fed(&mut self, child: Value, arguments: &Arguments, start: usize, end: usize) -> Value {
        let input = ["input", "stdin_data"].iter().find_map(|name| arguments.named(name)).cloned();
        if let Some(input) = input {
            self.feed(&child, &input, start, end);
        }
        child
    }

    /// Writes that to a program that was started.
    pub(crate) fn feed(&mut self, child: &Value, input: &Value, start: usize, end: usize) {
        match child {
            Value::Shell => self.shell(input, start, end),
            Value::Child(command) => {
                if let Some(text) = input.shape() {
                    let fed = format!("printf '%s\\n' {} | {command}", quoted(&text));
                    self.shell(&Value::of_shape(fed), start, end);
                }
            }
            _ => {}
        }
    }

    /// A function that does nothing else writes to a program that was started: `print(text, file=p.stdin)`,
    /// `fwrite($p, $text)`.
    pub(super) fn feed_among(&mut self, arguments: &Arguments, start: usize) {
        let (child, input) = match (self.dialect.language, arguments.positional.as_slice()) {
            (Language::Python, [input, ..]) => (arguments.named("file"), input),
            (Language::Php, [child, input, ..]) => (Some(child), input),
            _ => return,
        };
        if let (Some(child), false) = (child.cloned(), input.is_plain()) {
            let (input, end) = (input.clone(), self.end());
            self.feed(&child, &input, start, end);
        }
    }

    /// Node's second argument may be the options.
    fn options(&self, start: usize) -> bool {
        ["stdio", "cwd", "shell", "env", "encoding", "detached"].iter().any(|word| self.mentions(start, word))
    }

    /// Is all of the environment shown by this call, with the secrets in it?
    pub(super) fn environment_as_a_whole(&mut self, name: &str, arguments: &Arguments, start: usize) {
        let whole = |value: &Value| matches!(value, Value::Name(name) if self.library.is_environment(name));
        let shows = |name: &str| self.library.shows().any(|known| known == name);
        let end = self.end();
        let shown = match name {
            // A condition may choose some of them.
            "os.environ.items" | "os.environ.values" => {
                !self.text.get(end..).is_some_and(|after| after.contains("if "))
            }
            name if shows(name)
                && self
                    .text
                    .get(start..end)
                    .is_some_and(|call| call.contains("...process.env") || call.contains("**os.environ")) =>
            {
                true
            }
            _ if !arguments.positional.iter().any(whole) => false,
            name if shows(name) => true,
            // A copy, where it goes straight on to what shows it.
            "dict" | "list" | "Object.assign" => {
                let before = self.text.get(..start).unwrap_or_default().trim_end();
                self.library
                    .shows()
                    .any(|name| before.strip_suffix('(').is_some_and(|call| call.ends_with(name)))
            }
            _ => false,
        };
        if shown {
            self.code.push(Kind::SecretRead, None, start, end);
        }
    }

    /// Is the expression at that place a statement of its own, so that nobody gets its value?
    pub(super) fn is_dropped(&self, start: usize, end: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default().trim_end();
        let before = before.strip_suffix("new").unwrap_or(before).trim_end();
        let after = self.text.get(end..).unwrap_or_default().trim_start();
        (before.is_empty() || before.ends_with([';', '{', '}']))
            && (after.is_empty() || after.starts_with([';', '}']))
    }

    pub(super) fn eval(&mut self, value: Option<Value>, start: usize, end: usize) -> Value {
        match value {
            Some(Value::Text(text)) => match self.evaluated(&text) {
                Some(inner) => self.code.absorb(inner, start, end),
                None => self.code.computed_code(start, end),
            },
            Some(Value::Decoded(text)) => {
                self.code.push(Kind::HiddenCode, None, start, end);
                self.code.computed_code(start, end);
                if let Some(inner) = text.and_then(|text| self.evaluated(&text)) {
                    self.code.absorb(inner, start, end);
                }
            }
            Some(Value::Fetched) => {
                self.code.push(Kind::RemoteCode, None, start, end);
                self.code.computed_code(start, end);
            }
            _ => self.code.computed_code(start, end),
        }
        Value::Unknown
    }

    /// Loads a module.
    pub(crate) fn import(&mut self, name: &str, start: usize, end: usize) -> Value {
        if let Some(text) = crate::data_module(name).filter(|_| self.dialect.language == Language::Javascript)
        {
            return self.eval(Some(Value::Text(text)), start, end);
        }
        let name = name.strip_prefix("node:").unwrap_or(name);
        if self.dialect.language == Language::Python && !name.starts_with('.') {
            let root = name.split('.').next().unwrap_or(name);
            if self.code.imports.len() < MOST_IMPORTS
                && self.code.imports.iter().all(|(known, ..)| known != root)
            {
                self.code.imports.push((root.to_owned(), start, end));
            }
        }
        if self.library.module(name) {
            return Value::Name(name.to_owned());
        }
        if name.ends_with(".json") {
            self.on(Kind::Read, Some(Value::Text(name.to_owned())), false, start, end);
            return Value::Unknown;
        }
        if name.starts_with(['.', '/']) && self.dialect.language != Language::Python {
            self.on(Kind::ProjectCode, Some(Value::Text(name.to_owned())), false, start, end);
        }
        if self.dialect.language == Language::Python {
            // It runs as it is loaded, be it the project's or an installed one. What is only looked up in it then does
            // nothing more.
            self.code.push(Kind::ProjectCode, None, start, end);
        } else {
            self.code.lose();
        }
        Value::Foreign
    }
}

/// The words of a program: a list of them, or one.
fn words_of(value: &Value) -> Vec<Option<String>> {
    match value {
        Value::List(items) => items.iter().map(Value::shape).collect(),
        other => vec![other.shape()],
    }
}

/// A program that was started with these words.
pub(super) fn child_of(words: &[Option<String>]) -> Value {
    let name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let mut names = words.iter().map(|word| word.as_deref().map(name));
    let shell = names.next().flatten().is_some_and(|name| crate::is_shell(&name));
    if shell && names.all(|word| word.as_deref() == Some("-s")) {
        return Value::Shell;
    }
    let words: Option<Vec<String>> = words.iter().map(|word| word.as_deref().map(quoted)).collect();
    match words {
        Some(words) if words.iter().any(|word| !word.is_empty()) => Value::Child(words.join(" ")),
        _ => Value::Unknown,
    }
}

/// The same for a text that a shell runs.
pub(super) fn child_of_text(text: &str) -> Value {
    let text = text.trim();
    match text.split_whitespace().map(|word| Some(word.to_owned())).collect::<Vec<_>>() {
        words if child_of(&words) == Value::Shell => Value::Shell,
        _ if text.is_empty() => Value::Unknown,
        _ => Value::Child(text.to_owned()),
    }
}
