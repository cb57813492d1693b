//! What calls, members and subscripts do: the half of the reader that knows [`Act`]s.

mod acts;
mod code;
mod files;
mod handing;

use super::reader::Reader;
use super::value::{Act, Arguments, HOLE, RECEIVER, Value};
use super::{Language, texts};
use hookgate_facts::Kind;

impl Reader<'_> {
    /// What calling a function of the library does.
    pub(super) fn library_function(&self, name: &str) -> Option<Act> {
        (self.dialect.called)(&self.library, name)
    }

    /// Could using this value elsewhere do harm?
    pub(super) fn dangerous(&self, value: &Value) -> bool {
        match value {
            Value::Name(name) => match self.library_function(name) {
                Some(act) => !matches!(
                    act,
                    Act::Nothing
                        | Act::Same(_)
                        | Act::Path
                        | Act::Parent(_)
                        | Act::Home
                        | Act::Expand(_)
                        | Act::JoinText
                        | Act::Decode
                        | Act::On(Kind::Read, _)
                        | Act::Variable
                        | Act::Attribute
                ),
                None => !self.library.computes(name),
            },
            _ => false,
        }
    }

    /// A library name that goes where it can't be followed.
    pub(super) fn escape(&mut self, value: &Value) {
        if let Value::List(items) | Value::OneOf(items) = value {
            for item in items {
                self.escape(item);
            }
            return;
        }
        if let Value::Table(items) = value {
            for (_, item) in items {
                self.escape(item);
            }
            return;
        }
        if !self.dangerous(value) {
            return;
        }
        let Value::Name(name) = value else { return };
        let (start, end) = (self.start(), self.end());
        match self.library_function(name) {
            Some(act) => {
                self.perform(act, &Value::Unknown, &Arguments::default(), start.min(end));
            }
            None => self.code.lose(),
        }
    }

    /// Arguments of a function that is not known to do anything with them.
    pub(super) fn pass(&mut self, arguments: &Arguments) {
        for value in arguments.positional.iter().chain(arguments.named.iter().map(|(_, value)| value)) {
            self.escape_among(value, arguments);
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

    /// `value.name`, called or not; `variable` is the name of the variable that has the value.
    pub(super) fn member(
        &mut self,
        value: &Value,
        name: &str,
        variable: Option<&str>,
        start: usize,
    ) -> Value {
        self.owner = self.owner_before();
        if suspicious(name) {
            self.code.lose();
        }
        match value {
            Value::Foreign => {
                if self.called() {
                    self.advance();
                    let arguments = self.arguments();
                    self.hand(&arguments);
                    self.pass(&arguments);
                    self.code.lose();
                    match (name, arguments.get(0)) {
                        _ if self.destroys(name, &arguments) => {
                            let act = self.method_act(name, &arguments).unwrap_or(Act::Unknown);
                            self.perform(act, &Value::Unknown, &arguments, start);
                        }
                        ("system" | "popen" | "execSync", Some(text)) => self.shell(text, start, self.end()),
                        (name, Some(_)) if runs_queries(name) => {
                            self.perform(Act::Query(0), &Value::Unknown, &arguments, start);
                        }
                        _ => {}
                    }
                }
                return Value::Foreign;
            }
            Value::Table(items) if !self.called() => {
                let found = items.iter().find(|(key, _)| key == name);
                return found.map_or(Value::Unknown, |(_, value)| value.clone());
            }
            Value::Shell | Value::Child(_) if name == "stdin" => return value.clone(),
            Value::Unknown | Value::Name(_) | Value::OneOf(_) if self.leads_to(name) => {
                return Value::Name(name.to_owned());
            }
            _ => {}
        }
        // The table of a module's names.
        if let (Value::Name(_), "__dict__") = (value, name) {
            return value.clone();
        }
        if let (Value::Name(_), "then", true) = (value, name, self.called()) {
            self.advance();
            if let Some(value) = self.each(value, name) {
                return value;
            }
            self.at_back();
        }
        match value {
            Value::Name(module) => self.member_of_module(module, name, start),
            _ if self.called() => self.method(value, name, variable, start),
            _ => self.attribute(value, name, start),
        }
    }

    /// What stands behind the dot of a module or a class.
    fn member_of_module(&mut self, module: &str, name: &str, start: usize) -> Value {
        let full = format!("{module}.{name}");
        let variable = self.library_function(module) == Some(Act::Variable);
        if variable && !self.called() && self.library_function(&full).is_none() {
            let arguments = Arguments { positional: vec![Value::Text(name.to_owned())], named: Vec::new() };
            return self.perform(Act::Variable, &Value::Unknown, &arguments, start);
        }
        let act = self.library_function(&full);
        if self.dialect.language == Language::Ruby
            && !self.called()
            && matches!(act, Some(Act::Home | Act::Gives(_)))
        {
            return self.call(&full, &Arguments::default(), start);
        }
        if self.called() || act.is_some() || self.dialect.language != Language::Ruby {
            return Value::Name(full);
        }
        self.call(&full, &Arguments::default(), start)
    }

    /// What stands behind the dot of a value, without brackets. Ruby and Perl call it all the same.
    fn attribute(&mut self, value: &Value, name: &str, start: usize) -> Value {
        if matches!(value, Value::Shell | Value::Child(_))
            && self.dialect.language == Language::Ruby
            && matches!(name, "write" | "puts" | "print")
            && self.begins_argument()
        {
            let arguments = self.bare_arguments();
            let input = arguments.get(0).cloned().unwrap_or(Value::Unknown);
            self.feed(value, &input, start, self.end());
            return Value::Unknown;
        }
        if self.dialect.language == Language::Ruby && !self.begins_argument() {
            self.block_of(value);
            if let Some(value) = texts::method(self.dialect.language, value, name, &Arguments::default()) {
                return value;
            }
        }
        let act = self.library.method(name, 0);
        if let (Language::Ruby, Some(Act::Mapped)) = (self.dialect.language, act)
            && let Some(value) = self.mapped_block(value)
        {
            return value;
        }
        match (self.dialect.language, act) {
            (_, Some(act @ (Act::Parent(_) | Act::Same(_) | Act::Expand(_)))) => {
                self.perform(act, value, &Arguments::default(), start)
            }
            (Language::Ruby | Language::Perl, Some(act)) => {
                let arguments = self.method_arguments();
                let given = self.perform(act, value, &arguments, start);
                if let Act::Listing(_) = act {
                    self.block_of(&given);
                }
                given
            }
            (Language::Ruby | Language::Perl, None) => {
                self.code.lose();
                Value::Unknown
            }
            _ => value.taint(),
        }
    }

    /// A method of a value, called.
    fn method(&mut self, value: &Value, name: &str, variable: Option<&str>, start: usize) -> Value {
        self.advance();
        if let Some(value) = self.each(value, name) {
            return value;
        }
        let arguments = self.arguments();
        if let (Value::List(items), Some(variable)) = (value, variable)
            && let Some(items) = grown(items, name, &arguments)
        {
            self.set(variable, Value::List(items));
            return Value::Unknown;
        }
        if let Some(value) = texts::method(self.dialect.language, value, name, &arguments) {
            self.pass(&arguments);
            return value;
        }
        if matches!(value, Value::Shell | Value::Child(_))
            && matches!(name, "communicate" | "write" | "end" | "puts" | "print" | "writelines")
        {
            let input = arguments.get(0).or_else(|| arguments.named("input")).cloned();
            self.feed(value, &input.unwrap_or(Value::Unknown), start, self.end());
            return value.clone();
        }
        if let Value::Opened(path) = value
            && matches!(name, "write" | "writelines" | "puts" | "print" | "end")
        {
            let text = arguments.get(0).and_then(Value::text);
            let line = if name == "puts" { "\n" } else { "" };
            self.code.write(path.clone(), text.map(|text| text + line));
        }
        let act = match &value {
            Value::File(_)
                if self.dialect.language == Language::Ruby && matches!(name, "write" | "binwrite") =>
            {
                Some(Act::On(Kind::Write, RECEIVER))
            }
            Value::Text(_) | Value::Partial(_) | Value::List(_) | Value::OneOf(_) if self.of_text(name) => {
                Some(Act::Nothing)
            }
            _ => self.method_act(name, &arguments),
        };
        if *value == Value::Unknown && self.library.handles(name) {
            self.hand(&arguments);
        }
        match act {
            Some(act) => self.perform(act, value, &arguments, start),
            None => {
                self.code.lose();
                self.hand(&arguments);
                self.pass(&arguments);
                Value::Unknown
            }
        }
    }

    /// What a method does that is called here, where the name before it may say which one is meant (`volumes.prune`).
    fn method_act(&self, name: &str, arguments: &Arguments) -> Option<Act> {
        let python = self.dialect.language == Language::Python;
        let count = arguments.positional.len() + if python { arguments.named.len() } else { 0 };
        let act =
            self.owner.as_deref().and_then(|owner| self.library.method(&format!("{owner}.{name}"), count));
        let act = act.or_else(|| self.library.method(name, count))?;
        // A method of that name deletes elsewhere only where it is given an address.
        let first = arguments.get(0).and_then(Value::shape).unwrap_or_default();
        let slash =
            matches!(self.dialect.language, Language::Ruby | Language::Perl) && first.starts_with('/');
        let is_address = slash || first.contains("://") || first.starts_with(&format!("{HOLE}/"));
        match act {
            Act::Web(Kind::RemoteDelete, _) if !is_address => Some(Act::Nothing),
            act => Some(act),
        }
    }

    /// Does a method of that name destroy something, whatever it is called on?
    pub(super) fn destroys(&self, name: &str, arguments: &Arguments) -> bool {
        matches!(
            self.method_act(name, arguments),
            Some(
                Act::Does(
                    Kind::DatabaseDestroy
                        | Kind::RemoteDelete
                        | Kind::CloudDestroy
                        | Kind::ClusterDestroy
                        | Kind::ContainerDestroy
                ) | Act::Web(Kind::RemoteDelete, _)
                    | Act::Redis
            )
        )
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
            (Value::Foreign, _) => Value::Foreign,
            (Value::Scope, [Value::Text(key)]) => self.lookup(key),
            (Value::Table(entries), [Value::Text(key)]) => entries
                .iter()
                .rfind(|(name, _)| name == key)
                .map_or(Value::Unknown, |(_, value)| value.clone()),
            (Value::Name(name), [Value::Text(_), ..])
                if name.starts_with("plumbum.cmd.")
                    || (name.starts_with("plumbum.local.") && self.program_named(name).is_some()) =>
            {
                let words = self.program_named(name).unwrap_or_default();
                self.run_program(words, items);
                Value::Unknown
            }
            (Value::List(values), [Value::Number(index)]) => {
                let index = match usize::try_from(*index) {
                    Ok(index) => Some(index),
                    Err(_) => usize::try_from(index.unsigned_abs())
                        .ok()
                        .and_then(|behind| values.len().checked_sub(behind)),
                };
                index.and_then(|index| values.get(index)).cloned().unwrap_or(Value::Unknown)
            }
            (Value::Name(name), [path]) if name == "Dir" && self.dialect.language == Language::Ruby => {
                Value::File(path.shape())
            }
            (Value::Name(name), [Value::Text(key)]) => {
                if matches!(self.library_function(name), Some(Act::Variable)) {
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
            (Value::File(_), _) => value,
            _ => value.taint(),
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
            for full in [full, method.clone()] {
                if full != name && self.library_function(&full).is_some() {
                    return self.call(&full, &arguments, start);
                }
            }
        }
        self.environment_as_a_whole(name, arguments, start);
        if let Some(words) = self.program_named(name) {
            if let ("sh.Command", [Value::Text(program)]) = (name, arguments.positional.as_slice()) {
                return Value::Name(format!("sh.{}", program.rsplit('/').next().unwrap_or(program)));
            }
            self.run_program(words, &arguments.positional);
            return Value::Unknown;
        }
        if let Some(value) = texts::function(self.dialect.language, name, arguments) {
            self.pass(arguments);
            return value;
        }
        if let Some((function, how @ ("call" | "apply" | "bind"))) = name.rsplit_once('.')
            && self.library_function(function).is_some()
            && matches!(self.dialect.language, Language::Javascript | Language::Ruby)
        {
            // JavaScript's first argument is what the function is called on.
            let this = usize::from(self.dialect.language == Language::Javascript);
            let mut rest: Vec<Value> = arguments.positional.iter().skip(this).cloned().collect();
            if let ("apply", [Value::List(items)]) = (how, rest.as_slice()) {
                rest = items.clone();
            }
            if how == "bind" && rest.is_empty() {
                return Value::Name(function.to_owned());
            }
            let arguments = Arguments { positional: rest, named: arguments.named.clone() };
            return self.call(function, &arguments, start);
        }
        if self.library.handles(name) {
            self.hand(arguments);
        }
        match self.library_function(name) {
            Some(act) => self.perform(act, &Value::Unknown, arguments, start),
            None if self.library.computes(name) || self.defined.contains(name) => {
                if self.defined.contains(name) {
                    self.keep_all(arguments);
                }
                self.pass(arguments);
                Value::Unknown
            }
            None => {
                // A method of something of the library: `os.environ.get`, `sys.stdin.read`.
                let (owner, method) = name.rsplit_once('.').unwrap_or(("", name));
                let owned = self
                    .library_function(owner)
                    .is_some_and(|act| matches!(act, Act::Nothing | Act::Variable));
                match self.library.method(method, arguments.positional.len()) {
                    Some(_) if self.library_function(owner) == Some(Act::Variable) => {
                        self.perform(Act::Variable, &Value::Unknown, arguments, start)
                    }
                    Some(act) if owned || self.destroys(method, arguments) => {
                        self.perform(act, &Value::Unknown, arguments, start)
                    }
                    _ => {
                        self.code.lose();
                        self.hand(arguments);
                        self.pass(arguments);
                        Value::Unknown
                    }
                }
            }
        }
    }

    fn method_arguments(&mut self) -> Arguments {
        if self.dialect.language == Language::Ruby && self.begins_argument() {
            self.bare_arguments()
        } else {
            Arguments::default()
        }
    }
}

/// A list to whose end something is added.
fn grown(items: &[Value], method: &str, arguments: &Arguments) -> Option<Vec<Value>> {
    let added = match (method, arguments.positional.as_slice()) {
        ("append", [value]) => vec![value.clone()],
        ("push", values) => values.to_vec(),
        ("extend", [Value::List(values)]) => values.clone(),
        ("extend", [_]) => vec![Value::Unknown],
        _ => return None,
    };
    // What may follow stays last.
    let unknown = items.last() == Some(&Value::Unknown);
    let known = items.iter().take(items.len() - usize::from(unknown)).cloned();
    Some(known.chain(added).chain(unknown.then_some(Value::Unknown)).collect())
}

/// Methods and functions of clients of databases that are given SQL.
pub(super) fn runs_queries(name: &str) -> bool {
    matches!(
        name,
        "execute"
            | "executemany"
            | "executescript"
            | "exec"
            | "exec_driver_sql"
            | "query"
            | "run"
            | "raw"
            | "text"
            | "sql"
            | "unsafe"
            | "$executeRawUnsafe"
            | "$queryRawUnsafe"
            | "exec_params"
            | "do"
            | "prepare"
    )
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
