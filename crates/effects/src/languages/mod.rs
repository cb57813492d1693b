//! Program text in other languages, where it stands in the command itself: `python -c`, `node -e`, `awk '...'`,
//! `sed 'w file'`, `psql -c`.
//!
//! Each language has one pure function from text to [`Code`]. They are readers, not interpreters: they know the names
//! of the standard library, follow literal values through assignments, and say so where they lose the thread.

mod awk;
mod calls;
mod javascript;
mod lexer;
mod mongo;
mod perl;
mod php;
mod python;
mod reader;
mod redis;
mod ruby;
mod sed;
mod sql;
#[cfg(test)]
mod testing;
mod value;

use crate::{Kind, Unknown};

/// What a program text does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// What happens.
    pub effects: Vec<CodeEffect>,
    /// Texts handed to a shell, with their place; `None` where the text is computed.
    pub shell: Vec<(Option<String>, usize, usize)>,
    /// Programs run without a shell: their words, `None` where one is computed.
    pub argv: Vec<Vec<Option<String>>>,
    /// Everything in it was understood: nothing outside of what is listed can happen.
    pub complete: bool,
}

/// One thing that a program text does.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeEffect {
    /// What.
    pub kind: Kind,
    /// The path, host or name, where it is literal; `None` where it is computed or the kind says it all.
    pub target: Option<String>,
    /// The whole tree under the target.
    pub recursive: bool,
    /// First byte of the place in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// The languages that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python 3.
    Python,
    /// JavaScript and TypeScript, for node, deno and bun.
    Javascript,
    /// Perl 5.
    Perl,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// awk.
    Awk,
    /// sed.
    Sed,
    /// SQL with the clients' own commands (`\copy`, `.shell`, `system`).
    Sql,
    /// The mongo shell.
    Mongo,
    /// Commands of a Redis client, one a line.
    Redis,
}

/// Reads a program text.
#[must_use]
pub fn analyse(language: Language, text: &str) -> Code {
    match language {
        Language::Python => python::analyse(text),
        Language::Javascript => javascript::analyse(text),
        Language::Perl => perl::analyse(text),
        Language::Ruby => ruby::analyse(text),
        Language::Php => php::analyse(text),
        Language::Awk => awk::analyse(text),
        Language::Sed => sed::analyse(text),
        Language::Sql => sql::analyse(text),
        Language::Mongo => mongo::analyse(text),
        Language::Redis => redis::analyse(text),
    }
}

impl Code {
    fn new() -> Code {
        Code { complete: true, ..Code::default() }
    }

    fn push(&mut self, kind: Kind, target: Option<String>, start: usize, end: usize) {
        self.effects.push(CodeEffect { kind, target, recursive: false, start, end });
    }

    /// Something that nothing is known about, or that cannot be followed.
    fn lose(&mut self) {
        self.complete = false;
    }

    /// Text that is computed and then run as code.
    fn computed_code(&mut self, start: usize, end: usize) {
        self.complete = false;
        self.push(Kind::Unknown(Unknown::Command), None, start, end);
    }

    /// Takes over what a nested text does; its places become the place of the whole.
    fn absorb(&mut self, inner: Code, start: usize, end: usize) {
        self.effects.extend(inner.effects.into_iter().map(|effect| CodeEffect { start, end, ..effect }));
        self.shell.extend(inner.shell.into_iter().map(|(text, ..)| (text, start, end)));
        self.argv.extend(inner.argv);
        self.complete &= inner.complete;
    }
}

/// Does the name of an environment variable say that it holds a secret?
pub(crate) fn names_a_secret(name: &str) -> bool {
    calls::secret_name(name)
}
