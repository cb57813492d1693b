//! What each [`Act`] does.

use super::super::reader::{Reader, join};
use super::super::value::{Act, Arguments, HOLE, HOME, RECEIVER, Value};
use super::super::{Language, sql};
use super::host;
use hookgate_facts::{Kind, is_loopback};
use hookgate_secrets::names_a_secret;

impl Reader<'_> {
    /// Does what a function does.
    pub(crate) fn perform(
        &mut self,
        act: Act,
        receiver: &Value,
        arguments: &Arguments,
        start: usize,
    ) -> Value {
        let end = self.end();
        let default = self.default_of(act, arguments);
        let arguments = default.as_ref().unwrap_or(arguments);
        let at = |index: usize| if index == RECEIVER { Some(receiver) } else { arguments.get(index) };
        match act {
            Act::Nothing => {
                self.feed_among(arguments, start);
                self.pass(arguments);
                receiver.taint()
            }
            Act::Same(index) => {
                // What it is told besides: `sorted(names, key=f)`.
                for (_, value) in &arguments.named {
                    self.escape_among(value, arguments);
                }
                at(index).cloned().unwrap_or(Value::Unknown)
            }
            Act::Home => {
                self.pass(arguments);
                match self.dialect.language {
                    Language::Python => Value::File(Some(HOME.to_string())),
                    _ => Value::Text(HOME.to_string()),
                }
            }
            Act::Expand(index) => {
                self.pass(arguments);
                let value = at(index).cloned().unwrap_or(Value::Unknown);
                match value.shape() {
                    Some(text) if matches!(value, Value::File(_)) => Value::File(Some(expanded(&text))),
                    Some(text) => Value::of_shape(expanded(&text)),
                    None => value,
                }
            }
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
                let text = at(index).and_then(Value::shape);
                Value::File(text.map(|path| parent(&path)))
            }
            Act::JoinText => {
                self.pass(arguments);
                arguments.get(0).map_or(Value::Unknown, Value::taint)
            }
            Act::On(Kind::Read, 0) | Act::Open(0, _) if self.is_pipe(arguments) => {
                let command = arguments.get(0).and_then(Value::shape).unwrap_or_default();
                self.shell(&Value::of_shape(command.trim_start_matches('|').to_owned()), start, end);
                Value::Unknown
            }
            // A text in the place of a file: `new Worker(text, { eval: true })`.
            Act::On(Kind::ProjectCode, index)
                if arguments.named("eval").is_some_and(|value| !value.is_plain()) =>
            {
                self.eval(at(index).cloned(), start, end)
            }
            Act::On(kind, index) => {
                let kind = if kind == Kind::Write && self.appends(start, end) { Kind::Append } else { kind };
                if kind == Kind::Write {
                    self.write_at_once(at(index), arguments, index);
                }
                if kind == Kind::Generate && arguments.named("clear").is_some_and(|value| !value.is_plain()) {
                    self.on(Kind::Delete, at(index).cloned(), true, start, end);
                }
                self.rights_of_owner(kind, index, arguments, start);
                let tree = arguments.named("recursive").is_some_and(|value| !value.is_plain());
                self.on(kind, at(index).cloned(), tree && kind == Kind::Delete, start, end);
                if kind == Kind::Read { Value::Unknown } else { receiver.taint() }
            }
            Act::Tree(kind, index) => {
                self.rights_of_owner(kind, index, arguments, start);
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
            Act::Linked(to, name) => {
                self.on(Kind::Link, at(name).cloned(), false, start, end);
                self.link(at(to), at(name));
                Value::Unknown
            }
            Act::Two(first, one, second, two) => {
                if (first, second) == (Kind::Link, Kind::Link) {
                    self.link(at(one), at(two));
                }
                self.on(first, at(one).cloned(), false, start, end);
                self.on(second, at(two).cloned(), false, start, end);
                Value::Unknown
            }
            Act::Open(path, _) if self.has_mode_in_front(at(path)) => {
                let mut all = vec![Value::Unknown];
                all.extend(arguments.positional.iter().cloned());
                self.open_perl(&Arguments { positional: all, named: Vec::new() }, start, end);
                Value::Unknown
            }
            Act::Open(path, mode) => {
                let changes = arguments.named("inplace").is_some_and(|value| !value.is_plain());
                let kind = match at(mode) {
                    _ if changes => Kind::Write,
                    None => Kind::Read,
                    Some(mode) if mode.is_plain() => Kind::Read,
                    Some(Value::Text(mode)) if mode.contains('a') || mode.contains(">>") => Kind::Append,
                    Some(Value::Text(mode)) if mode.contains(['w', 'x', '+', '>']) => Kind::Write,
                    Some(Value::Text(_)) => Kind::Read,
                    Some(_) => Kind::Write,
                };
                self.on(kind, at(path).cloned(), false, start, end);
                let path = at(path).filter(|_| kind == Kind::Write).and_then(Value::text);
                path.and_then(|path| self.placed(path)).map_or(Value::Stream, Value::Opened)
            }
            Act::OpenPerl => {
                let child = self.open_perl(arguments, start, end);
                if let Some(handle) = self.first_name(start) {
                    self.set(&handle, child);
                }
                Value::Unknown
            }
            Act::Does(kind) => {
                self.pass(arguments);
                self.code.push(kind, None, start, end);
                Value::Unknown
            }
            Act::Web(kind, index) => self.request(kind, at(index), arguments, start),
            Act::Verb(index) => {
                if at(index).is_some_and(is_deletion) {
                    self.code.push(Kind::RemoteDelete, None, start, end);
                }
                self.pass(arguments);
                Value::Unknown
            }
            Act::Redis => {
                let words: Option<Vec<String>> = spread(&arguments.positional).map(Value::shape).collect();
                match words {
                    Some(words) => {
                        let inner = crate::redis::analyse(&words.join(" "));
                        self.code.absorb(inner, start, end);
                    }
                    None => self.code.lose(),
                }
                Value::Unknown
            }
            Act::Directory(index) => {
                // Perl and Ruby go home where they are told no directory; others refuse.
                let went = match at(index) {
                    None if index != RECEIVER => Some(HOME.to_string()),
                    told => told.and_then(Value::text),
                };
                self.directory = Some(match (self.directory.take(), went) {
                    (Some(Some(before)), Some(path)) => Some(join(&before, &path)),
                    (None, Some(path)) => Some(path),
                    (Some(None), Some(path)) if path.starts_with(['/', HOME]) => Some(path),
                    _ => None,
                });
                Value::Unknown
            }
            Act::Shell(_)
            | Act::Program(_)
            | Act::Replaced(_)
            | Act::Command(_)
            | Act::Run
            | Act::System
            | Act::Spawn => self.run(act, arguments, start, end),
            // A block is read where it stands.
            Act::Eval(_) if arguments.positional.is_empty() && self.symbol() == Some("{") => Value::Unknown,
            Act::CompileLast => {
                let last = arguments.positional.len().saturating_sub(1);
                self.perform(Act::Compile(last), receiver, arguments, start)
            }
            Act::Compile(_) if self.is_dropped(start, end) => {
                self.pass(arguments);
                Value::Unknown
            }
            Act::Eval(index) | Act::Compile(index) => self.eval(at(index).cloned(), start, end),
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
            Act::Query(index) => {
                if let Some(text) = at(index).and_then(Value::shape).filter(|text| sql::reads_like_it(text)) {
                    let inner = sql::analyse(&text.replace(HOLE, "computed"));
                    self.code.absorb(inner, start, end);
                }
                self.pass(arguments);
                receiver.taint()
            }
            Act::Listing(index) | Act::Walk(index) => {
                let path = at(index).cloned();
                self.on(Kind::Read, path.clone(), false, start, end);
                let below = path.and_then(|path| path.shape()).map(|path| join(&path, &HOLE.to_string()));
                match act {
                    Act::Listing(_) => Value::File(below),
                    _ => {
                        let root = below.map_or(Value::Unknown, Value::Partial);
                        Value::List(vec![Value::List(vec![root, Value::Unknown, Value::Unknown])])
                    }
                }
            }
            Act::Entries(index) => {
                let path = at(index).cloned();
                let here = path.as_ref().is_none_or(|path| path.text().as_deref() == Some("."));
                self.on(Kind::Read, path, false, start, end);
                // Elsewhere a name alone is none of these files.
                if here && self.directory.is_some() {
                    return Value::Partial(HOLE.to_string()).any_number();
                }
                Value::Unknown
            }
            Act::Unpack(archive, directory) => {
                if archive != RECEIVER {
                    self.on(Kind::Read, at(archive).cloned(), false, start, end);
                }
                let into = at(directory).cloned().filter(|into| !into.is_plain());
                self.on(Kind::Write, into.or(Some(Value::Text(".".to_owned()))), true, start, end);
                Value::Unknown
            }
            Act::Fetch(url, path) => {
                let to = at(path).cloned();
                self.perform(Act::Web(Kind::Download, url), receiver, arguments, start);
                if to.is_some() {
                    self.on(Kind::Write, to, false, start, end);
                }
                Value::Unknown
            }
            Act::Sql(index) => {
                match at(index) {
                    Some(Value::Text(text)) => {
                        let inner = sql::analyse(text);
                        self.code.absorb(inner, start, end);
                    }
                    Some(Value::Partial(text)) => {
                        // What is computed is most likely a name or a value.
                        let inner = sql::analyse(&text.replace(HOLE, "computed"));
                        self.code.absorb(inner, start, end);
                        self.code.lose();
                    }
                    _ => self.code.lose(),
                }
                Value::Unknown
            }
            Act::Decode => {
                self.pass(arguments);
                if matches!(at(0), Some(Value::Fetched)) { Value::Fetched } else { Value::Decoded(None) }
            }
            Act::Variable => {
                if let Some(Value::Text(name)) = arguments.get(0) {
                    self.variable = Some((name.clone(), self.at()));
                }
                match arguments.get(0) {
                    Some(Value::Text(name)) if name == "HOME" => return Value::Text(HOME.to_string()),
                    Some(Value::Text(name)) if !names_a_secret(name) => {}
                    Some(Value::Text(name)) => {
                        self.code.push(Kind::SecretRead, Some(name.clone()), start, end);
                    }
                    _ => {}
                }
                Value::Unknown
            }
            Act::Export => {
                let one = match arguments.positional.as_slice() {
                    [Value::Text(name), value, ..] => vec![(name.clone(), value.clone())],
                    [Value::Table(entries), ..] => entries.clone(),
                    _ => arguments.named.clone(),
                };
                for (name, value) in one {
                    self.export(name, &value);
                }
                Value::Unknown
            }
            Act::Apply => self.apply(arguments, start),
            Act::Named(name) => {
                self.pass(arguments);
                Value::Name(name.to_owned())
            }
            Act::Function => match arguments.get(0) {
                Some(Value::Text(name)) => Value::Name(name.clone()),
                _ => {
                    self.code.lose();
                    Value::Unknown
                }
            },
            Act::Spread => {
                let mut flat = arguments.clone();
                if let Some(Value::List(items)) = flat.positional.get(1).cloned() {
                    flat.positional.truncate(1);
                    flat.positional.extend(items);
                }
                self.apply(&flat, start)
            }
            Act::Callback => {
                let (mut functions, values): (Vec<Value>, Vec<Value>) =
                    arguments.positional.iter().cloned().partition(|value| match value {
                        Value::Text(name) | Value::Name(name) => self.library_function(name).is_some(),
                        _ => false,
                    });
                functions.extend(values);
                let turned = Arguments { positional: functions, named: Vec::new() };
                self.perform(Act::Map, receiver, &turned, start)
            }
            Act::Map | Act::Among(_) | Act::Item(_) | Act::Numbered(_) | Act::ForEach | Act::Mapped => {
                self.go_through(act, receiver, arguments, start)
            }
            Act::Chained | Act::Zipped => self.together(act, arguments),
            Act::Found => {
                let path = at(1).and_then(Value::shape).map(|path| join(&path, &HOLE.to_string()));
                self.call_for(&Value::File(path), arguments.positional.get(..1).unwrap_or_default(), start)
            }
            Act::Thread => {
                let rest = match arguments.named("args") {
                    Some(Value::List(items)) => items.clone(),
                    _ => vec![Value::Unknown],
                };
                match arguments.named("target") {
                    Some(Value::Name(name)) => {
                        self.call(name, &Arguments { positional: rest, named: Vec::new() }, start);
                    }
                    _ => self.pass(arguments),
                }
                Value::Unknown
            }
            Act::Names => match arguments.get(0) {
                None => Value::Scope,
                Some(value @ Value::Name(_)) => value.clone(),
                Some(_) => Value::Unknown,
            },
            Act::Unknown => {
                self.hand(arguments);
                self.code.lose();
                Value::Unknown
            }
        }
    }

    /// A request to the address in the argument.
    fn request(&mut self, kind: Kind, url: Option<&Value>, arguments: &Arguments, start: usize) -> Value {
        let end = self.end();
        let named = ["url", "hostname"].iter().find_map(|name| arguments.named(name));
        let url = url.and_then(Value::shape).or_else(|| named.and_then(Value::shape));
        let host = url.as_deref().map(host).filter(|host| !host.contains(HOLE));
        let says = arguments.positional.iter().take(2).any(is_deletion);
        let deletes =
            kind == Kind::RemoteDelete || says || arguments.named("method").is_some_and(is_deletion);
        let sent = if deletes { Kind::Upload } else { kind };
        self.code.push(sent, host.clone(), start, end);
        if deletes && !host.as_deref().is_some_and(is_loopback) {
            self.code.push(Kind::RemoteDelete, host, start, end);
        }
        Value::Fetched
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
}

/// Is it the method of a request that deletes?
fn is_deletion(value: &Value) -> bool {
    matches!(value, Value::Text(text) if text.eq_ignore_ascii_case("DELETE"))
}

/// The values, and those in lists among them.
fn spread(values: &[Value]) -> impl Iterator<Item = &Value> {
    values.iter().flat_map(|value| match value {
        Value::List(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    })
}

/// A path in which somebody looks for `~` and `$HOME`.
fn expanded(path: &str) -> String {
    let rest = ["~", "$HOME", "${HOME}"].iter().find_map(|home| path.strip_prefix(home));
    match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some(rest) => format!("{HOME}{rest}"),
        None => path.to_owned(),
    }
}

fn parent(path: &str) -> String {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/".to_owned(),
        Some((parent, _)) => parent.to_owned(),
        None => ".".to_owned(),
    }
}
