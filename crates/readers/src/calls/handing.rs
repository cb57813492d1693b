//! Texts that go where nobody follows them, and what is set for programs that are started.

use super::super::Language;
use super::super::lexer::TokenKind;
use super::super::reader::Reader;
use super::super::value::{Act, Arguments, HOLE, HOME, Value};
use hookgate_facts::Kind;

/// Texts beyond so many are not looked at.
const MOST_HANDED: usize = 64;
/// No path is longer.
const LONGEST_PATH: usize = 4096;
/// Lists in lists, and so on, are not looked through further.
const MOST_LEVELS: usize = 4;

impl Reader<'_> {
    /// A call that nobody knows gets these: it may do anything to the files that they name.
    pub(crate) fn hand(&mut self, arguments: &Arguments) {
        for text in all_texts(arguments) {
            if self.code.handed.len() < MOST_HANDED
                && let Some(text) = self.as_path(&text)
            {
                self.code.handed.push(text);
            }
        }
    }

    /// The value goes where it isn't followed: what the text does to paths that it computes may be done to it.
    pub(crate) fn keep(&mut self, value: &Value) {
        let mut found = Vec::new();
        texts(value, &mut found, MOST_LEVELS);
        for text in found {
            if self.kept.len() < MOST_HANDED
                && let Some(text) = self.as_path(&text)
            {
                self.kept.push(text);
            }
        }
    }

    /// The same for every argument of a call.
    pub(crate) fn keep_all(&mut self, arguments: &Arguments) {
        for text in all_texts(arguments) {
            self.keep(&Value::of_shape(text));
        }
    }

    /// The text as a path, where it can be one.
    fn as_path(&self, text: &str) -> Option<String> {
        let is_path = !text.is_empty()
            && text.len() <= LONGEST_PATH
            && !text.contains(HOLE)
            && !text.contains(char::is_whitespace)
            && (text.contains(['/', '.']) || text.starts_with(HOME));
        let text = match text.strip_prefix("~/") {
            Some(rest) => format!("{HOME}/{rest}"),
            None => text.to_owned(),
        };
        if is_path { self.placed(text) } else { None }
    }

    /// At the end of a text: what it computes may be what went out of sight in it.
    pub(crate) fn hand_over(&mut self) {
        let changes = self.code.effects.iter().any(|effect| {
            let computed = effect.target.as_deref().is_none_or(|target| target.starts_with(HOLE));
            computed
                && matches!(
                    effect.kind,
                    Kind::Write
                        | Kind::Append
                        | Kind::Delete
                        | Kind::Destroy
                        | Kind::Move
                        | Kind::Link
                        | Kind::Permission
                )
        });
        let kept = std::mem::take(&mut self.kept);
        if changes {
            self.code.handed.extend(kept);
        }
    }

    /// A function that goes into a call among other things may be called with those.
    pub(crate) fn escape_among(&mut self, value: &Value, arguments: &Arguments) {
        let Value::Name(name) = value else { return self.escape(value) };
        let runs = self.library_function(name).is_some() && self.dangerous(value);
        let given: Vec<Value> = all_texts(arguments).into_iter().map(Value::of_shape).collect();
        if !runs || given.is_empty() {
            return self.escape(value);
        }
        let start = self.start().min(self.end());
        let name = name.clone();
        for text in given.into_iter().take(MOST_HANDED) {
            self.call(&name, &Arguments { positional: vec![text], named: Vec::new() }, start);
        }
    }

    /// Is the member of that name a module through which a function is reached that does something
    /// (`anything.os.system`)?
    pub(crate) fn leads_to(&self, name: &str) -> bool {
        if self.dialect.language != Language::Python || self.symbol() != Some(".") {
            return false;
        }
        let Some(TokenKind::Name(member)) = self.peek_at(1) else { return false };
        self.library.module(name)
            && self
                .library
                .function(&format!("{name}.{member}"))
                .is_some_and(|act| !matches!(act, Act::Nothing | Act::Same(_)))
    }

    /// A variable of the environment gets a value, for all that is started from here on.
    pub(crate) fn export(&mut self, name: String, value: &Value) {
        self.escape(value);
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let Some(text) = value.shape().filter(|text| is_name && !text.contains('\'')) else { return };
        self.exported.retain(|(known, _)| *known != name);
        if self.exported.len() < MOST_HANDED {
            self.exported.push((name, text));
        }
    }
}

/// The texts in the arguments of a call.
fn all_texts(arguments: &Arguments) -> Vec<String> {
    let mut found = Vec::new();
    for value in arguments.positional.iter().chain(arguments.named.iter().map(|(_, value)| value)) {
        texts(value, &mut found, MOST_LEVELS);
    }
    found
}

fn texts(value: &Value, found: &mut Vec<String>, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else { return };
    match value {
        Value::List(items) | Value::OneOf(items) => items.iter().for_each(|item| texts(item, found, levels)),
        Value::Table(items) => items.iter().for_each(|(_, item)| texts(item, found, levels)),
        Value::Text(_) | Value::Partial(_) | Value::File(Some(_)) if found.len() < MOST_HANDED => {
            found.extend(value.shape());
        }
        _ => {}
    }
}
