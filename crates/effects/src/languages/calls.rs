//! What calls, members and subscripts do: the half of the reader that knows [`Act`]s.

use super::reader::{Reader, join, read};
use super::value::{Act, Arguments, RECEIVER, Value};
use super::{Language, sql};
use crate::Kind;

impl Reader<'_> {
    /// Could using this value elsewhere do harm?
    pub(super) fn dangerous(&self, value: &Value) -> bool {
        match value {
            Value::Name(name) => match (self.dialect.function)(name) {
                Some(act) => !matches!(
                    act,
                    Act::Nothing
                        | Act::Same(_)
                        | Act::Path
                        | Act::Parent(_)
                        | Act::JoinText
                        | Act::Decode
                        | Act::On(Kind::Read, _)
                        | Act::Variable
                        | Act::Attribute
                ),
                None => !(self.dialect.harmless)(name),
            },
            _ => false,
        }
    }

    /// A library name that goes where it can't be followed.
    pub(super) fn escape(&mut self, value: &Value) {
        if let Value::List(items) = value {
            for item in items {
                self.escape(item);
            }
            return;
        }
        if !self.dangerous(value) {
            return;
        }
        let Value::Name(name) = value else { return };
        let (start, end) = (self.start(), self.end());
        match (self.dialect.function)(name) {
            Some(act) => {
                self.perform(act, &Value::Unknown, &Arguments::default(), start.min(end));
            }
            None => self.code.lose(),
        }
    }

    /// Arguments of a function that is not known to do anything with them.
    pub(super) fn pass(&mut self, arguments: &Arguments) {
        for value in arguments.positional.iter().chain(arguments.named.iter().map(|(_, value)| value)) {
            self.escape(value);
        }
    }

    /// A call of a name that has no value.
    pub(super) fn undefined(&mut self, name: &str) {
        let fails =
            self.dialect.undefined_fails || self.defined.contains(name) || self.names.contains_key(name);
        if !fails {
            self.code.lose();
        }
    }

    /// `value.name`, called or not.
    pub(super) fn member(&mut self, value: &Value, name: &str, start: usize) -> Value {
        if suspicious(name) {
            self.code.lose();
        }
        if let Value::Name(module) = value {
            let full = format!("{module}.{name}");
            let variable = (self.dialect.function)(module) == Some(Act::Variable);
            if variable && !self.called() && (self.dialect.function)(&full).is_none() {
                let arguments =
                    Arguments { positional: vec![Value::Text(name.to_owned())], named: Vec::new() };
                return self.perform(Act::Variable, &Value::Unknown, &arguments, start);
            }
            if self.called()
                || (self.dialect.function)(&full).is_some()
                || self.dialect.language != Language::Ruby
            {
                return Value::Name(full);
            }
            return self.call(&full, &Arguments::default(), start);
        }
        if !self.called() {
            let act = (self.dialect.method)(name, 0);
            return match (self.dialect.language, act) {
                (_, Some(act @ (Act::Parent(_) | Act::Same(_)))) => {
                    self.perform(act, value, &Arguments::default(), start)
                }
                (Language::Ruby | Language::Perl, Some(act)) => {
                    let arguments = self.method_arguments();
                    self.perform(act, value, &arguments, start)
                }
                (Language::Ruby | Language::Perl, None) => {
                    self.code.lose();
                    Value::Unknown
                }
                _ => taint(value),
            };
        }
        self.advance();
        let arguments = self.arguments();
        if let Value::Opened(path) = value
            && matches!(name, "write" | "writelines" | "puts" | "print" | "end")
        {
            let text = arguments.get(0).and_then(Value::text);
            let line = if name == "puts" { "\n" } else { "" };
            self.code.write(path.clone(), text.map(|text| text + line));
        }
        let act = match &value {
            Value::Text(_) | Value::List(_) if self.of_text(name) => Some(Act::Nothing),
            _ => (self.dialect.method)(name, arguments.positional.len()),
        };
        match act {
            Some(act) => self.perform(act, value, &arguments, start),
            None => {
                self.code.lose();
                self.pass(&arguments);
                Value::Unknown
            }
        }
    }

    /// Methods whose names mean something else on paths than on text.
    fn of_text(&self, name: &str) -> bool {
        self.dialect.language != Language::Ruby && matches!(name, "replace" | "remove" | "format" | "exec")
    }

    fn called(&self) -> bool {
        self.symbol() == Some("(")
    }

    /// `value[items]`.
    pub(super) fn subscript(&mut self, value: Value, items: &[Value], start: usize) -> Value {
        for item in items {
            self.escape(item);
        }
        match (&value, items) {
            (Value::Name(name), [Value::Text(key)]) => {
                if matches!((self.dialect.function)(name), Some(Act::Variable)) {
                    let arguments =
                        Arguments { positional: vec![Value::Text(key.clone())], named: Vec::new() };
                    return self.perform(Act::Variable, &Value::Unknown, &arguments, start);
                }
                // Tables of modules: `sys.modules['os']`.
                let full = if name.ends_with("modules") { key.clone() } else { format!("{name}.{key}") };
                Value::Name(full)
            }
            (Value::Name(_), _) => {
                if self.dangerous(&value) {
                    self.code.lose();
                }
                Value::Unknown
            }
            (Value::File(_) | Value::Decoded | Value::Fetched, _) => value,
            _ => Value::Unknown,
        }
    }

    /// A call of a function of the library.
    pub(super) fn call(&mut self, name: &str, arguments: &Arguments, start: usize) -> Value {
        // `File.send(:unlink, ...)` is `File.unlink(...)`.
        if self.dialect.language == Language::Ruby
            && let Some((owner, "send" | "public_send" | "__send__")) = name.rsplit_once('.')
            && let Some((Value::Text(method), rest)) = arguments.positional.split_first()
        {
            let full = format!("{owner}.{method}");
            let arguments = Arguments { positional: rest.to_vec(), named: arguments.named.clone() };
            if full != name && (self.dialect.function)(&full).is_some() {
                return self.call(&full, &arguments, start);
            }
        }
        match (self.dialect.function)(name) {
            Some(act) => self.perform(act, &Value::Unknown, arguments, start),
            None if (self.dialect.harmless)(name) || self.defined.contains(name) => {
                self.pass(arguments);
                Value::Unknown
            }
            None => {
                // A method of something of the library: `os.environ.get`, `sys.stdin.read`.
                let (owner, method) = name.rsplit_once('.').unwrap_or(("", name));
                let owned = (self.dialect.function)(owner)
                    .is_some_and(|act| matches!(act, Act::Nothing | Act::Variable));
                match (self.dialect.method)(method, arguments.positional.len()) {
                    Some(_) if (self.dialect.function)(owner) == Some(Act::Variable) => {
                        self.perform(Act::Variable, &Value::Unknown, arguments, start)
                    }
                    Some(act) if owned => self.perform(act, &Value::Unknown, arguments, start),
                    _ => {
                        self.code.lose();
                        self.pass(arguments);
                        Value::Unknown
                    }
                }
            }
        }
    }

    /// Does what a function does.
    fn perform(&mut self, act: Act, receiver: &Value, arguments: &Arguments, start: usize) -> Value {
        let end = self.end();
        let at = |index: usize| if index == RECEIVER { Some(receiver) } else { arguments.get(index) };
        match act {
            Act::Nothing => {
                self.pass(arguments);
                taint(receiver)
            }
            Act::Same(index) => at(index).cloned().unwrap_or(Value::Unknown),
            Act::Gives(path) => {
                self.pass(arguments);
                let elsewhere = |value: &Value| value.text().is_none_or(|text| text.contains('/'));
                let placed = arguments.named("dir").is_some()
                    || arguments.positional.len() > 2
                    || arguments.positional.iter().any(elsewhere);
                if placed { Value::Unknown } else { Value::Text(path.to_owned()) }
            }
            Act::Path => self.path(receiver, arguments),
            Act::Parent(index) => {
                let text = at(index).and_then(Value::text);
                Value::File(text.map(|path| parent(&path)))
            }
            Act::JoinText => match (receiver, arguments.get(0)) {
                (Value::Text(separator), Some(Value::List(items))) => items
                    .iter()
                    .map(Value::text)
                    .collect::<Option<Vec<_>>>()
                    .map_or(Value::Unknown, |texts| Value::Text(texts.join(separator))),
                (Value::List(items), Some(Value::Text(separator))) => items
                    .iter()
                    .map(Value::text)
                    .collect::<Option<Vec<_>>>()
                    .map_or(Value::Unknown, |texts| Value::Text(texts.join(separator))),
                (_, Some(value)) => taint(value),
                _ => Value::Unknown,
            },
            Act::On(kind, index) => {
                let kind = if kind == Kind::Write && self.appends(start, end) { Kind::Append } else { kind };
                if kind == Kind::Write {
                    self.write_at_once(at(index), arguments, index);
                }
                self.on(kind, at(index).cloned(), false, start, end);
                if kind == Kind::Read { Value::Unknown } else { taint(receiver) }
            }
            Act::Tree(kind, index) => {
                self.on(kind, at(index).cloned(), true, start, end);
                Value::Unknown
            }
            Act::Each(kind) => {
                if arguments.positional.is_empty() {
                    self.on(kind, None, false, start, end);
                }
                for value in &arguments.positional {
                    self.on(kind, Some(value.clone()), false, start, end);
                }
                Value::Unknown
            }
            Act::Two(first, one, second, two) => {
                self.on(first, at(one).cloned(), false, start, end);
                self.on(second, at(two).cloned(), false, start, end);
                Value::Unknown
            }
            Act::Open(path, mode) => {
                let kind = match at(mode) {
                    None | Some(Value::Plain) => Kind::Read,
                    Some(Value::Text(mode)) if mode.contains('a') || mode.contains(">>") => Kind::Append,
                    Some(Value::Text(mode)) if mode.contains(['w', 'x', '+', '>']) => Kind::Write,
                    Some(Value::Text(_)) => Kind::Read,
                    Some(_) => Kind::Write,
                };
                self.on(kind, at(path).cloned(), false, start, end);
                let path = at(path).filter(|_| kind == Kind::Write).and_then(Value::text);
                path.and_then(|path| self.placed(path)).map_or(Value::Unknown, Value::Opened)
            }
            Act::OpenPerl => {
                self.open_perl(arguments, start, end);
                Value::Unknown
            }
            Act::Does(kind) => {
                self.pass(arguments);
                self.code.push(kind, None, start, end);
                Value::Unknown
            }
            Act::Web(kind, index) => {
                let url = at(index).and_then(Value::text);
                self.code.push(kind, url.map(|url| host(&url)), start, end);
                Value::Fetched
            }
            Act::Directory(index) => {
                let went = at(index).and_then(Value::text);
                self.directory = Some(match (self.directory.take(), went) {
                    (Some(Some(before)), Some(path)) => Some(join(&before, &path)),
                    (None, Some(path)) => Some(path),
                    (Some(None), Some(path)) if path.starts_with(['/', '~']) => Some(path),
                    _ => None,
                });
                Value::Unknown
            }
            Act::Shell(_) | Act::Program(_) | Act::Run | Act::System | Act::Spawn => {
                self.run(act, arguments, start, end);
                Value::Unknown
            }
            Act::Eval(index) => self.eval(at(index).cloned(), start, end),
            Act::Import => match arguments.get(0) {
                Some(Value::Text(name)) => self.import(name, start, end),
                _ => {
                    self.code.lose();
                    Value::Unknown
                }
            },
            Act::Attribute => match (arguments.get(0), arguments.positional.get(1)) {
                (Some(Value::Name(name)), Some(Value::Text(attribute))) => {
                    Value::Name(format!("{name}.{attribute}"))
                }
                (Some(Value::Name(_)), _) => {
                    self.code.lose();
                    Value::Unknown
                }
                _ => Value::Unknown,
            },
            Act::Sql(index) => {
                match at(index) {
                    Some(Value::Text(text)) => {
                        let inner = sql::analyse(text);
                        self.code.absorb(inner, start, end);
                    }
                    _ => self.code.lose(),
                }
                Value::Unknown
            }
            Act::Decode => {
                self.pass(arguments);
                if matches!(at(0), Some(Value::Fetched)) { Value::Fetched } else { Value::Decoded }
            }
            Act::Variable => {
                match arguments.get(0) {
                    Some(Value::Text(name)) if name == "HOME" => return Value::Text("~".to_owned()),
                    Some(Value::Text(name)) if !secret_name(name) => {}
                    Some(Value::Text(name)) => {
                        self.code.push(Kind::SecretRead, Some(name.clone()), start, end);
                    }
                    _ => {}
                }
                Value::Unknown
            }
            Act::Apply => self.apply(arguments, start),
            Act::Unknown => {
                self.code.lose();
                Value::Unknown
            }
        }
    }

    /// Does the call that stands there say that it adds to the file (`FILE_APPEND`, `{ flag: 'a' }`)?
    fn appends(&self, start: usize, end: usize) -> bool {
        match self.dialect.language {
            Language::Php => self.mentions(start, "FILE_APPEND"),
            Language::Javascript => {
                let call = self.text.get(start..end).unwrap_or_default();
                call.match_indices("flag").any(|(at, _)| {
                    let rest = call.get(at..).unwrap_or_default();
                    let value = rest.split_once(':').map_or("", |(_, value)| value);
                    value.trim_start().trim_start_matches(['\'', '"', '`']).starts_with('a')
                })
            }
            _ => false,
        }
    }

    /// A function that is given a path and a text: the file holds that text.
    fn write_at_once(&mut self, path: Option<&Value>, arguments: &Arguments, index: usize) {
        let text = arguments.positional.get(if index == RECEIVER { 0 } else { index.saturating_add(1) });
        if let (Some(path), Some(text)) = (path.and_then(Value::text), text)
            && let Some(path) = self.placed(path)
        {
            self.code.files.retain(|(known, _)| *known != path);
            self.code.write(path, text.text());
        }
    }

    /// `open(F, '>file')`, `open(my $f, '<', $path)`, `open(F, 'command |')`.
    fn open_perl(&mut self, arguments: &Arguments, start: usize, end: usize) {
        let mode = arguments.positional.get(1).cloned().unwrap_or(Value::Unknown);
        let Value::Text(mode) = mode else {
            self.code.lose();
            return self.on(Kind::Write, None, false, start, end);
        };
        let trimmed = mode.trim();
        let third = arguments.positional.get(2).cloned();
        if trimmed.starts_with('|')
            || trimmed.ends_with('|')
            || trimmed.contains("|-")
            || trimmed.contains("-|")
        {
            let text = match &third {
                Some(value) => value.text(),
                None => Some(trimmed.trim_matches('|').trim().to_owned()),
            };
            let text = self.in_directory(text);
            self.code.shell.push((text, start, end));
            return;
        }
        let kind = if trimmed.starts_with(">>") {
            Kind::Append
        } else if trimmed.starts_with('>') || trimmed.starts_with("+<") || trimmed.starts_with("+>") {
            Kind::Write
        } else {
            Kind::Read
        };
        let path = third
            .or_else(|| Some(Value::Text(trimmed.trim_start_matches(['<', '>', '+']).trim().to_owned())));
        self.on(kind, path, false, start, end);
    }

    fn apply(&mut self, arguments: &Arguments, start: usize) -> Value {
        let rest = Arguments {
            positional: arguments.positional.iter().skip(1).cloned().collect(),
            named: Vec::new(),
        };
        match arguments.get(0) {
            Some(Value::Name(name) | Value::Text(name)) => {
                let name = name.clone();
                self.call(&name, &rest, start)
            }
            _ => {
                self.pass(&rest);
                Value::Unknown
            }
        }
    }

    fn path(&mut self, receiver: &Value, arguments: &Arguments) -> Value {
        self.pass(arguments);
        let mut whole = match receiver {
            Value::File(path) => path.clone(),
            _ => Some(String::new()),
        };
        for value in &arguments.positional {
            whole = whole.zip(value.text()).map(|(whole, next)| join(&whole, &next));
        }
        if whole.as_deref() == Some("") {
            whole = Some(".".to_owned());
        }
        Value::File(whole)
    }

    /// One effect on a path, or on each path of a list.
    fn on(&mut self, kind: Kind, value: Option<Value>, recursive: bool, start: usize, end: usize) {
        match value {
            Some(Value::Plain) => {}
            Some(Value::List(items)) if !items.is_empty() => {
                for item in items {
                    self.on(kind, Some(item), recursive, start, end);
                }
            }
            value => {
                let target = value.and_then(|value| value.text()).and_then(|path| self.placed(path));
                self.code.effects.push(super::CodeEffect { kind, target, recursive, start, end });
            }
        }
    }

    /// The path as seen from where the program started.
    fn placed(&self, path: String) -> Option<String> {
        match &self.directory {
            None => Some(path),
            Some(_) if path.starts_with(['/', '~']) => Some(path),
            Some(Some(directory)) => Some(join(directory, &path)),
            Some(None) => None,
        }
    }

    /// A shell text as run from where the program started.
    pub(super) fn in_directory(&self, text: Option<String>) -> Option<String> {
        match &self.directory {
            None => text,
            Some(directory) => directory.as_ref().zip(text).map(|(to, text)| format!("cd '{to}' && {text}")),
        }
    }

    fn run(&mut self, act: Act, arguments: &Arguments, start: usize, end: usize) {
        let index = match act {
            Act::Shell(index) | Act::Program(index) => index,
            _ => 0,
        };
        let first = arguments.get(index).cloned().unwrap_or(Value::Unknown);
        if matches!(first, Value::Decoded) {
            self.code.push(Kind::HiddenCode, None, start, end);
        } else if matches!(first, Value::Fetched) {
            self.code.push(Kind::RemoteCode, None, start, end);
        }
        let shell = match act {
            Act::Shell(_) => true,
            Act::Run => arguments.named("shell").is_some_and(|value| *value != Value::Plain),
            Act::System => arguments.positional.len() <= 1 && !matches!(first, Value::List(_)),
            Act::Spawn => self.mentions(start, "shell"),
            _ => false,
        };
        let list = |value: &Value| match value {
            Value::List(items) => items.iter().map(Value::text).collect(),
            other => vec![other.text()],
        };
        let mut words: Vec<Option<String>> = list(&first);
        if act != Act::Run {
            for value in arguments.positional.iter().skip(index + 1) {
                match (act, value) {
                    (Act::Spawn, Value::Unknown | Value::Plain) => {}
                    _ => words.extend(list(value)),
                }
            }
            if act == Act::Spawn
                && arguments.positional.get(1) == Some(&Value::Unknown)
                && !self.options(start)
            {
                words.push(None);
            }
        }
        let moved = arguments.named("cwd").map(Value::text);
        if shell {
            let text = if matches!(act, Act::Shell(_)) {
                first.text()
            } else {
                words.iter().cloned().collect::<Option<Vec<_>>>().map(|words| words.join(" "))
            };
            let text = match moved {
                Some(directory) => directory.zip(text).map(|(to, text)| format!("cd '{to}' && {text}")),
                None => text,
            };
            let text = self.in_directory(text);
            self.code.shell.push((text, start, end));
            return;
        }
        let directory = moved.or_else(|| self.directory.clone());
        if let Some(directory) = directory {
            let mut outer = vec![Some("env".to_owned()), Some("-C".to_owned()), directory];
            outer.append(&mut words);
            words = outer;
        }
        self.code.argv.push(words);
    }

    /// Node's second argument may be the options.
    fn options(&self, start: usize) -> bool {
        ["stdio", "cwd", "shell", "env", "encoding", "detached"].iter().any(|word| self.mentions(start, word))
    }

    fn eval(&mut self, value: Option<Value>, start: usize, end: usize) -> Value {
        match value {
            Some(Value::Text(text)) if self.depth() < 8 => {
                let inner = read(self.dialect, &text, self.depth() + 4);
                self.code.absorb(inner, start, end);
            }
            Some(Value::Decoded) => {
                self.code.push(Kind::HiddenCode, None, start, end);
                self.code.computed_code(start, end);
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
    pub(super) fn import(&mut self, name: &str, start: usize, end: usize) -> Value {
        let name = name.strip_prefix("node:").unwrap_or(name);
        if (self.dialect.module)(name) {
            return Value::Name(name.to_owned());
        }
        if name.ends_with(".json") {
            self.on(Kind::Read, Some(Value::Text(name.to_owned())), false, start, end);
            return Value::Unknown;
        }
        if name.starts_with(['.', '/']) {
            self.on(Kind::ProjectCode, Some(Value::Text(name.to_owned())), false, start, end);
        }
        self.code.lose();
        Value::Unknown
    }

    fn method_arguments(&mut self) -> Arguments {
        if self.dialect.language == Language::Ruby && self.begins_argument() {
            self.bare_arguments()
        } else {
            Arguments::default()
        }
    }
}

/// Decoded and fetched text stays what it is through methods.
fn taint(value: &Value) -> Value {
    match value {
        Value::Decoded => Value::Decoded,
        Value::Fetched => Value::Fetched,
        _ => Value::Unknown,
    }
}

fn parent(path: &str) -> String {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((parent, _)) => parent.to_owned(),
        None => ".".to_owned(),
    }
}

/// Attributes that lead from any object to every other.
fn suspicious(name: &str) -> bool {
    matches!(
        name,
        "__bases__"
            | "__base__"
            | "__subclasses__"
            | "__globals__"
            | "__builtins__"
            | "__dict__"
            | "__getattribute__"
            | "__mro__"
            | "__import__"
            | "__code__"
            | "__loader__"
            | "f_globals"
            | "constructor"
            | "__proto__"
            | "mainModule"
            | "binding"
            | "gi_frame"
    )
}

/// The host of a URL, or the text itself.
pub(super) fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if rest.starts_with('[') {
        return rest.split(']').next().unwrap_or(rest).trim_start_matches('[').to_owned();
    }
    rest.split(':').next().unwrap_or(rest).to_owned()
}

/// Environment variables whose names say that they hold a secret.
pub(super) fn secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    ["SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL"]
        .iter()
        .any(|word| upper.contains(word))
}
