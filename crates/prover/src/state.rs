//! What is known on the way through a text: variables, directories, what was written and run.

use std::collections::BTreeMap;

use hookgate_shell::Span;

use crate::Ground;

/// The most directories that are followed at a time.
const MAXIMUM_DIRECTORIES: usize = 4;

/// A word after expansion, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    /// How it begins; all of it where `exact`.
    pub(crate) text: String,
    /// All of it is known.
    pub(crate) exact: bool,
    /// It can be several words, or none.
    pub(crate) splits: bool,
    /// What isn't known of it are names in the directory that it begins with.
    pub(crate) globbed: bool,
    /// They may lie in directories that a glob finds as well: `a/*/b*.rs`.
    pub(crate) deep: bool,
    /// A search printed them, which goes through no link.
    pub(crate) searched: bool,
    /// How each of these names ends.
    pub(crate) ends: String,
    /// Hidden names are among them: a program listed them, not the shell.
    pub(crate) hidden: bool,
    /// It is a whole number.
    pub(crate) number: bool,
    /// It is a word that doesn't begin with a dash: an object's name, a date, a directory.
    pub(crate) name: bool,
}

impl Value {
    /// Exactly this text.
    pub(crate) fn of(text: impl Into<String>) -> Value {
        let text = text.into();
        let number = !text.is_empty() && text.len() < 18 && text.bytes().all(|byte| byte.is_ascii_digit());
        Value { text, exact: true, number, ..Value::default() }
    }

    /// Some name below the directory, hidden or not.
    pub(crate) fn below(directory: &str) -> Value {
        let text = format!("{}/", directory.trim_end_matches('/'));
        Value { text, globbed: true, hidden: true, ..Value::default() }
    }

    /// Nothing is known of it.
    pub(crate) fn unknown() -> Value {
        Value::default()
    }

    /// Some whole number.
    pub(crate) fn some_number() -> Value {
        Value { number: true, ..Value::default() }
    }

    /// The text, if all of it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        self.exact.then_some(self.text.as_str())
    }

    /// Can it begin with a dash, or be followed by a word that does?
    pub(crate) fn can_be_option(&self) -> bool {
        let unknown = !self.exact && !self.number && !self.name;
        let begins = if self.text.is_empty() { unknown } else { self.text.starts_with('-') };
        begins || self.splits && !self.globbed && !self.number && !self.name
    }

    /// This, with the other behind it.
    pub(crate) fn followed_by(mut self, other: &Value) -> Value {
        let begins = self.exact && self.text.is_empty();
        if self.exact {
            self.text.push_str(&other.text);
            self.globbed = other.globbed;
            self.hidden = other.hidden;
            self.deep = other.deep;
            self.searched = other.searched;
            self.ends.clone_from(&other.ends);
        } else {
            self.deep |= other.deep || other.text.contains('/');
            self.ends.push_str(&other.text);
            // `..` behind a name that isn't known leads out of a directory that isn't known.
            self.globbed &= !self.ends.split('/').any(|part| part == "..");
            if !other.exact {
                self.ends.clone_from(&other.ends);
                self.hidden |= other.hidden;
                self.globbed &= other.globbed;
            }
        }
        let behind = other.exact && !other.text.contains(char::is_whitespace) || other.name || other.number;
        self.name = if begins { other.name } else { self.name && behind };
        self.exact &= other.exact;
        self.splits |= other.splits;
        self.number = other.number && (begins || self.number);
        self
    }
}

/// What a course of the text has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// The variables that the text has set.
    pub(crate) variables: BTreeMap<String, Value>,
    /// Where it may stand; empty where that isn't known.
    pub(crate) directories: Vec<String>,
}

impl State {
    pub(crate) fn new(ground: &Ground<'_>) -> State {
        State { variables: BTreeMap::new(), directories: vec![ground.cwd.to_owned()] }
    }

    /// Either of both courses.
    pub(crate) fn join(&mut self, other: &State) {
        for (name, value) in &other.variables {
            match self.variables.get_mut(name) {
                Some(own) if own == value => {}
                Some(own) => {
                    let number = own.number && value.number;
                    *own = Value { number, ..Value::unknown() };
                }
                None => {
                    self.variables.insert(name.clone(), Value::unknown());
                }
            }
        }
        for (name, value) in &mut self.variables {
            if !other.variables.contains_key(name) {
                *value = Value::unknown();
            }
        }
        if self.directories.is_empty() || other.directories.is_empty() {
            self.directories.clear();
            return;
        }
        for directory in &other.directories {
            if !self.directories.contains(directory) {
                self.directories.push(directory.clone());
            }
        }
        self.directories.sort();
        if self.directories.len() > MAXIMUM_DIRECTORIES {
            self.directories.clear();
        }
    }
}

/// What the whole text has done, whatever the course.
#[derive(Debug, Default)]
pub(crate) struct Deeds {
    /// Files that it wrote, absolute; `None` for one that isn't known.
    pub(crate) written: Vec<Option<String>>,
    /// Where it ran code of the project.
    pub(crate) ran: Option<Span>,
    /// Where it ran what the project's tools make of its files, more than hooks.
    pub(crate) built: Option<Span>,
    /// Where Python loaded modules, which it looks for beside the text first.
    pub(crate) imported: Option<Span>,
    /// It brought files into the project that nobody has seen: a pull, a stash, another branch.
    pub(crate) brought: bool,
    /// Files that it took as code or configuration, absolute.
    pub(crate) loaded: Vec<(String, Span)>,
    /// Places that it filled with what nobody has looked at, absolute.
    pub(crate) unseen: Vec<String>,
    /// Files that it read or wrote, absolute, as it named them.
    pub(crate) touched: Vec<String>,
}
