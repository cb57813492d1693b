//! Every key of a policy file: the one description from which unknown keys are found, and the JSON schema and
//! the reference page are generated. The keys themselves are in `rows`, the words that some of them take in `words`.

mod rows;
mod words;

pub use rows::KEYS;
pub(crate) use words::*;

use hookgate_effects::Kind;

use crate::event_set::EventSet;
use crate::preset::Preset;

/// Keys that their table can't do without.
pub(crate) const REQUIRED: &[&str] = &[
    "rule.code",
    "rewrite.run",
    "rewrite.to",
    "hook.on",
    "hook.run",
    "notify.on",
    "exception.code",
    "exception.reason",
    "case.expect",
];

/// A key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Where it stands: `rule.when.run`.
    pub path: &'static str,
    /// What its value may be.
    pub shape: Shape,
    /// What holds where it is not given; empty where nothing does.
    pub default: &'static str,
    /// Which values are stricter, and what a file in the repository may say without trust.
    pub strictness: Strictness,
    /// What it is for, in Markdown.
    pub summary: &'static str,
    /// A policy that uses it.
    pub example: &'static str,
}

/// What a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A text or a list of texts.
    Texts,
    /// A text or a list of texts out of these.
    SomeOf(&'static [&'static str]),
    /// Yes or no.
    Boolean,
    /// A whole number from 1 to 1000.
    Count,
    /// A size: bytes, or a text such as `"10MB"`.
    Size,
    /// A date without quotes.
    Date,
    /// A table with keys of its own.
    Table,
    /// Several tables, each under `[[name]]`.
    Tables,
    /// A table of free names with texts or lists of texts.
    TextsByName,
    /// A table of programs with the versions that will do.
    VersionsByName,
    /// A table from rule codes and groups to levels.
    Levels,
    /// A condition: a table with the keys of `rule.when`.
    Condition,
    /// A list of conditions.
    Conditions,
    /// A table that becomes JSON as it is.
    JsonTable,
    /// A list that becomes JSON as it is.
    JsonList,
    /// Any value; becomes JSON as it is.
    Json,
    /// A text (a path) or a table that becomes JSON as it is.
    TextOrJsonTable,
}

/// How the values of a key are ordered, and who may say them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// From the loosest to the strictest. The strictest that any file says holds; a file that is not trusted
    /// can't go below what would hold without it.
    Order(&'static [&'static str]),
    /// What all files name, together. From a file that is not trusted only what grants nothing counts.
    Union,
    /// An entry that stands beside those of other files. From a file that is not trusted it counts if it
    /// restricts.
    Entry,
    /// Loosens, shows text or changes what is done: without trust it has no effect.
    Trust,
    /// Belongs to its entry and follows it.
    Part,
}

impl Strictness {
    /// The order in words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Strictness::Order(values) => values.join(" < "),
            Strictness::Union => "all files together; without trust, nothing that grants".to_owned(),
            Strictness::Entry => "adds; without trust, only what restricts".to_owned(),
            Strictness::Trust => "needs trust in a repository's file".to_owned(),
            Strictness::Part => "as its entry".to_owned(),
        }
    }
}

/// The texts that a key takes; empty where it takes any.
#[must_use]
pub fn values(key: &Key) -> Vec<&'static str> {
    match (key.path, key.shape) {
        ("presets", _) => Preset::ALL.iter().map(|preset| preset.name).collect(),
        ("rule.on" | "hook.on", _) => EventSet::all_names().collect(),
        ("notify.on", _) => EventSet::all_names().chain(["ask", "deny"]).collect(),
        ("rule.when.effect", _) => kind_names().collect(),
        ("protect.linters" | "lint.use", _) => {
            hookgate_lint::Linter::all().map(hookgate_lint::Linter::name).chain(["*"]).collect()
        }
        (_, Shape::OneOf(values) | Shape::SomeOf(values)) => values.to_vec(),
        (_, Shape::Levels) => LEVELS.to_vec(),
        _ => Vec::new(),
    }
}

/// The key at a path.
#[must_use]
pub fn key(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// The key whose path is most like this one.
#[must_use]
pub fn nearest(path: &str) -> Option<&'static str> {
    crate::diagnostic::nearest(path, KEYS.iter().map(|key| key.path))
}

/// The names of the keys right below a path (empty for the top of the file).
pub fn children(parent: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter_map(move |key| match (parent.is_empty(), key.path.rsplit_once('.')) {
        (true, None) => Some(key.path),
        (false, Some((before, name))) if before == parent => Some(name),
        _ => None,
    })
}

/// The names of all kinds of effect.
pub(crate) fn kind_names() -> impl Iterator<Item = &'static str> + Clone {
    let unknown = ["unknown-program", "unknown-target", "unknown-command", "unparsed"];
    Kind::ALL.iter().map(|(_, name, _)| *name).chain(unknown)
}
