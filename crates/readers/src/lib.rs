//! Program text in other languages, where it is part of the command: `python -c`, `node -e`, `awk '...'`,
//! `sed 'w file'`, `psql -c`.
//!
//! Each language has one pure function from text to [`Code`]. They are readers, not interpreters: they know the names
//! of the standard library, follow literal values through assignments, and say so where they lose the thread.

mod awk;
#[expect(clippy::match_same_arms, reason = "the arms are sorted by what they are, not by what they do")]
mod calls;
mod environment;
mod javascript;
mod lexer;
mod lua;
mod mongo;
mod only_calls;
mod perl;
mod php;
mod python;
#[expect(clippy::match_same_arms, reason = "the arms are sorted by what they are, not by what they do")]
mod reader;
mod redis;
mod ruby;
#[expect(clippy::match_same_arms, reason = "the arms are sorted by what they are, not by what they do")]
mod sed;
#[expect(clippy::match_same_arms, reason = "the arms are sorted by what they are, not by what they do")]
mod sql;
mod statistics;
#[cfg(test)]
mod testing;
mod texts;
mod value;

use hookgate_facts::field::Field;
use hookgate_facts::{Kind, Unknown};
use hookgate_shell::Span;
use value::{HOLE, HOME};

/// What a program text does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Code {
    /// What happens.
    pub effects: Vec<CodeEffect>,
    /// Texts handed to a shell, with their place; `None` where the text is computed.
    pub shell: Vec<(Option<String>, usize, usize)>,
    /// Programs run without a shell: their words, `None` where one is computed.
    pub argv: Vec<Vec<Option<String>>>,
    /// What it writes into files: path and text, `None` where part of the text is computed.
    pub files: Vec<(String, Option<String>)>,
    /// The directory that it leaves a client of databases in, where it went to another.
    pub directory: Option<String>,
    /// The links that it makes: to what, and under which name.
    pub links: Vec<(String, String)>,
    /// Texts that may be paths, and go to calls of which nobody knows what they do with them.
    pub handed: Vec<String>,
    /// Files that it has its own interpreter read as more of the same.
    pub scripts: Vec<String>,
    /// Modules that it loads, with their place: the names before the first dot.
    pub imports: Vec<(String, usize, usize)>,
    /// Everything in it was understood: nothing outside of what is listed can happen.
    pub complete: bool,
    /// Some of it is not analysed, which is one of the effects.
    given_up: bool,
}

/// A text that does more things than so many is not analysed further.
const MOST_EFFECTS: usize = 1 << 13;

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
    /// Lua.
    Lua,
    /// R.
    Statistics,
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
    let mut code = match language {
        Language::Python => python::analyse(text),
        Language::Javascript => javascript::analyse(text),
        Language::Perl => perl::analyse(text),
        Language::Ruby => ruby::analyse(text),
        Language::Php => php::analyse(text),
        Language::Lua => lua::analyse(text),
        Language::Statistics => statistics::analyse(text),
        Language::Awk => awk::analyse(text),
        Language::Sed => sed::analyse(text),
        Language::Sql => sql::analyse(text),
        Language::Mongo => mongo::analyse(text),
        Language::Redis => redis::analyse(text),
    };
    if environment::is_shown(language, text) {
        code.push(Kind::SecretRead, None, 0, text.len());
    }
    code
}

impl Code {
    fn new() -> Code {
        Code { complete: true, ..Code::default() }
    }

    fn push(&mut self, kind: Kind, target: Option<String>, start: usize, end: usize) {
        if self.effects.len() < MOST_EFFECTS {
            self.effects.push(CodeEffect { kind, target, recursive: false, start, end });
        } else {
            self.give_up(start, end);
        }
    }

    /// That part of the text is not analysed. What was found stands.
    fn give_up(&mut self, start: usize, end: usize) {
        if !self.given_up {
            let kind = Kind::Unknown(Unknown::Unparsed);
            self.effects.push(CodeEffect { kind, target: None, recursive: false, start, end });
        }
        self.given_up = true;
        self.complete = false;
    }

    /// That text is added to what it has written into the file so far.
    fn write(&mut self, path: String, text: Option<String>) {
        match self.files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, written)) => {
                *written = written.take().zip(text).map(|(before, text)| before + &text);
            }
            None => self.files.push((path, text)),
        }
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
        self.files.extend(inner.files);
        self.links.extend(inner.links);
        self.handed.extend(inner.handed);
        self.scripts.extend(inner.scripts);
        self.imports.extend(inner.imports.into_iter().map(|(name, ..)| (name, start, end)));
        self.complete &= inner.complete;
        self.given_up |= inner.given_up;
    }
}

/// The program in an address that holds one: `data:text/javascript,TEXT`.
#[must_use]
pub fn data_module(address: &str) -> Option<String> {
    let (form, text) = address.strip_prefix("data:")?.split_once(',')?;
    if form.ends_with(";base64") {
        let bytes = hookgate_facts::escapes::base64(text)?;
        return Some(String::from_utf8_lossy(&bytes).into_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = behind.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// How many parts of a path are computed.
#[must_use]
pub fn holes(target: &str) -> usize {
    target.matches(HOLE).count()
}

/// A path whose first computed part is that word: behind a slash an absolute path may also begin anew.
#[must_use]
pub fn filled(target: &str, word: &str) -> Vec<String> {
    let Some((before, behind)) = target.split_once(HOLE) else { return Vec::new() };
    let mut found = vec![format!("{before}{word}{behind}")];
    if before.ends_with('/') && word.starts_with('/') {
        found.push(format!("{word}{behind}"));
    }
    found
}

/// A path or argument as a word: where part of it is computed, a variable stands for that.
pub fn field(text: &str, home: &str, span: Span) -> Field {
    let text = text.replace(HOME, home);
    if !text.contains(HOLE) {
        return Field::of(text, span);
    }
    Field { shape: text.replace(HOLE, "*"), ..Field::computed(text.replace(HOLE, "$computed"), span) }
}

/// A text that a shell runs, with variables for what is computed.
pub fn shell_field(text: &str, span: Span) -> Field {
    let mut quoted = false;
    let mut written = String::new();
    for character in text.chars() {
        quoted ^= character == '\'';
        let variable = match character {
            HOLE => "$computed",
            HOME => "$HOME",
            _ => {
                written.push(character);
                continue;
            }
        };
        // In single quotes nothing is expanded.
        if quoted {
            written.push_str(&format!("'\"{variable}\"'"));
        } else {
            written.push_str(variable);
        }
    }
    if text.contains(HOLE) { Field::computed(written, span) } else { Field::of(written, span) }
}

/// Does a text hold the words of a shell command that deletes? In a program or in what is printed they are most likely
/// only words, but nobody can be sure what becomes of them.
pub fn speaks_of_deleting(text: &str) -> bool {
    text.match_indices("rm -").any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric() && !matches!(before, '-' | '_'))
    })
}

/// Is it the name of a shell that runs what it is fed?
fn is_shell(name: &str) -> bool {
    hookgate_knowledge::shipped().table("commands/shell/shells").contains(name)
}
