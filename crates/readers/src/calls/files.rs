//! Calls that work on files: which, and with what text.

use super::super::reader::{Reader, join};
use super::super::value::{Act, Arguments, HOLE, HOME, RECEIVER, Value};
use super::super::{CodeEffect, Language};
use super::code::{child_of, child_of_text};
use hookgate_facts::Kind;

/// The bit in the mode of a file with which it runs as its owner.
const SET_USER: i64 = 0o4000;

/// The same in a mode as text: `4755`, `u+s`.
fn mode_sets_user(mode: &str) -> bool {
    match i64::from_str_radix(mode, 8) {
        Ok(bits) => bits & SET_USER != 0,
        Err(_) => mode.split(',').any(|clause| {
            clause.split_once(['+', '=']).is_some_and(|(who, rights)| {
                (who.is_empty() || who.contains(['u', 'a'])) && rights.contains('s') && rights.len() <= 6
            })
        }),
    }
}

impl Reader<'_> {
    /// Does the call that stands there say that it adds to the file (`FILE_APPEND`, `{ flag: 'a' }`)?
    pub(super) fn appends(&self, start: usize, end: usize) -> bool {
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
    pub(super) fn write_at_once(&mut self, path: Option<&Value>, arguments: &Arguments, index: usize) {
        let text = arguments.positional.get(if index == RECEIVER { 0 } else { index.saturating_add(1) });
        if let (Some(path), Some(text)) = (path.and_then(Value::text), text)
            && let Some(path) = self.placed(path)
        {
            self.code.files.retain(|(known, _)| *known != path);
            self.code.write(path, text.text());
        }
    }

    /// Perl's functions work on `$_` where they are told nothing.
    pub(super) fn default_of(&mut self, act: Act, arguments: &Arguments) -> Option<Arguments> {
        let takes_it = matches!(act, Act::Each(_) | Act::On(_, 0));
        if self.dialect.language != Language::Perl || !takes_it || !arguments.positional.is_empty() {
            return None;
        }
        let positional = match self.lookup("$_") {
            Value::List(items) => items,
            Value::Unknown => return None,
            value => vec![value],
        };
        Some(Arguments { positional, named: Vec::new() })
    }

    /// Says so where a file gets a mode in which it runs with the rights of its owner, whoever starts it.
    pub(super) fn rights_of_owner(&mut self, kind: Kind, path: usize, arguments: &Arguments, start: usize) {
        if kind != Kind::Permission {
            return;
        }
        let end = self.end();
        let others = arguments.positional.iter().enumerate().filter(|(at, _)| *at != path);
        let mode = others.map(|(_, value)| value).chain(arguments.named("mode")).next();
        let sets = match mode {
            Some(Value::Number(bits)) => bits & SET_USER != 0,
            Some(Value::Text(mode)) => mode_sets_user(mode),
            // What is put together of it and of what is there already.
            _ => self.adds_set_user(start, end),
        };
        if sets {
            self.code.push(Kind::Privilege, None, start, end);
        }
    }

    /// One path stands for another from here on.
    pub(super) fn link(&mut self, to: Option<&Value>, name: Option<&Value>) {
        let placed = |value: Option<&Value>| self.placed(value.and_then(Value::text)?);
        if let (Some(to), Some(name)) = (placed(to), placed(name)) {
            self.code.links.push((to, name));
        }
    }

    /// Perl's `> file` as one text.
    pub(super) fn has_mode_in_front(&self, path: Option<&Value>) -> bool {
        let text = path.and_then(Value::shape);
        self.dialect.language == Language::Perl
            && text.is_some_and(|text| text.trim().starts_with(['>', '+', '|']) || text.trim().ends_with('|'))
    }

    /// `open(F, '>file')`, `open(my $f, '<', $path)`, `open(F, 'command |')`.
    pub(super) fn open_perl(&mut self, arguments: &Arguments, start: usize, end: usize) -> Value {
        let mode = arguments.positional.get(1).cloned().unwrap_or(Value::Unknown);
        let Value::Text(mode) = mode else {
            self.code.lose();
            self.on(Kind::Write, None, false, start, end);
            return Value::Unknown;
        };
        let trimmed = mode.trim();
        let third = arguments.positional.get(2).cloned();
        if trimmed.starts_with('|')
            || trimmed.ends_with('|')
            || trimmed.contains("|-")
            || trimmed.contains("-|")
        {
            let program = arguments.positional.get(2..).unwrap_or_default().to_vec();
            if program.len() > 1 {
                self.run_program(Vec::new(), &program);
                return child_of(&program.iter().map(Value::shape).collect::<Vec<_>>());
            }
            let told = Value::Text(trimmed.trim_matches('|').trim().to_owned());
            let command = third.unwrap_or(told);
            self.shell(&command, start, end);
            return child_of_text(&command.shape().unwrap_or_default());
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
        Value::Unknown
    }

    /// What `<>` opens is read, is a command, or is written: what begins with a mark, and all where files are edited in place.
    pub(crate) fn arguments_of_perl(&mut self, value: &Value) {
        let (start, end) = (self.start().min(self.end()), self.end());
        let edits = self.text.contains("$^I");
        let items = match value {
            Value::List(items) => items.clone(),
            value => vec![value.clone()],
        };
        for item in items.into_iter().filter(|item| item.text().is_some()) {
            if self.has_mode_in_front(Some(&item)) {
                let all = vec![Value::Unknown, item];
                self.open_perl(&Arguments { positional: all, named: Vec::new() }, start, end);
            } else if edits {
                self.on(Kind::Write, Some(item), false, start, end);
            } else if self.text.contains('<') {
                self.on(Kind::Read, Some(item), false, start, end);
            }
        }
    }

    pub(super) fn path(&mut self, receiver: &Value, arguments: &Arguments) -> Value {
        self.pass(arguments);
        let mut whole = match receiver {
            Value::File(path) => path.clone(),
            _ => Some(String::new()),
        };
        for value in &arguments.positional {
            let next = value.shape().unwrap_or_else(|| HOLE.to_string());
            whole = whole
                .map(|whole| join(&whole, &next))
                .or_else(|| next.starts_with(['/', HOME]).then_some(next));
        }
        if whole.as_deref() == Some("") {
            whole = Some(".".to_owned());
        }
        Value::File(whole)
    }

    /// One effect on a path, or on each path of a list.
    pub(super) fn on(&mut self, kind: Kind, value: Option<Value>, recursive: bool, start: usize, end: usize) {
        match value {
            Some(Value::Plain | Value::Number(_)) => {}
            Some(Value::List(items) | Value::OneOf(items)) if !items.is_empty() => {
                for item in items {
                    self.on(kind, Some(item), recursive, start, end);
                }
            }
            value => {
                let target = value.and_then(|value| value.shape()).and_then(|path| self.placed(path));
                self.code.effects.push(CodeEffect { kind, target, recursive, start, end });
            }
        }
    }

    /// The path as seen from where the program started.
    pub(super) fn placed(&self, path: String) -> Option<String> {
        match &self.directory {
            None => Some(path),
            Some(_) if path.starts_with(['/', HOME]) => Some(path),
            Some(Some(directory)) => Some(join(directory, &path)),
            Some(None) => None,
        }
    }
}
