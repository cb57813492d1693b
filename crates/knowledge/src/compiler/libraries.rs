//! What the functions of a language's library do: `knowledge/libraries/NAME.toml`.
//!
//! ```toml
//! summary = "Python's library"
//! modules = "os subprocess"            # loading one does nothing
//! computes = "json math os.path sys.std*"   # everything below these names only computes; `*` ends a part of a name
//! handles = "logging"                 # may write to a path that they are given, though they compute otherwise
//!
//! [stands-for]
//! builtins = ""                        # `builtins.open` is `open`
//!
//! [functions]                          # what a call does, and the full names of the functions that do it
//! nothing = "print len"
//! "delete 0" = "os.remove os.unlink"
//!
//! [methods]                            # the same of methods, on a value that isn't followed
//! "move self, write 0" = "rename/1"    # only with one argument; `x/1+`: with at least one
//! ```
//!
//! `like = "javascript"` falls back to another library; the file goes first.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Compiler;
use super::mistake::nearest;
use super::source::{Source, join};
use crate::act::{self, Act};
use crate::kind::Kind;

/// Lists of names.
const LISTS: &[&str] =
    &["keywords", "modules", "computes", "handles", "loaded", "programs", "environment", "shows"];

/// Tables from what a call does to the names of what does it.
const CALLS: &[&str] = &["functions", "methods", "collections", "commands"];

/// Every key of such a file.
fn keys() -> Vec<&'static str> {
    ["summary", "like", "stands-for"].into_iter().chain(LISTS.iter().chain(CALLS).copied()).collect()
}

impl Compiler {
    /// A file about a library.
    pub(super) fn library(&mut self, source: &mut Source<'_>, table: &DeTable<'_>, file: &str) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            let rows = match (name, value.get_ref()) {
                ("summary", _) => continue,
                ("like", DeValue::String(other)) => {
                    self.likes.push((format!("libraries/{other}"), source.place(value.span(), name)));
                    let row = ("like".to_owned(), vec![other.to_string()]);
                    self.tables.entry(file.to_owned()).or_default().push(row);
                    continue;
                }
                ("stands-for", DeValue::Table(entries)) => source.stands_for(entries),
                (name, DeValue::Table(entries)) if CALLS.contains(&name) => source.calls(entries, name),
                (name, _) if LISTS.contains(&name) => {
                    let (parts, names): (Vec<_>, Vec<_>) =
                        source.names(value, name).into_iter().partition(|(name, _)| name.ends_with('*'));
                    let part = |(name, _): (String, _)| (name.trim_end_matches('*').to_owned(), Vec::new());
                    let table = self.tables.entry(format!("{file}/{name}*")).or_default();
                    table.extend(parts.into_iter().map(part));
                    names.into_iter().map(|(name, _)| (name, Vec::new())).collect()
                }
                (name, _) if keys().contains(&name) => {
                    source.error(Some(value.span()), name, "is a table of rows: [functions]");
                    continue;
                }
                _ => {
                    source.unknown_key(key, "", &keys());
                    continue;
                }
            };
            self.tables.entry(format!("{file}/{name}")).or_default().extend(rows);
        }
    }
}

type Rows = Vec<(String, Vec<String>)>;

impl Source<'_> {
    /// Names separated by blanks, or a list of names.
    pub(super) fn names(&mut self, value: &Spanned<DeValue<'_>>, key: &str) -> Vec<(String, Range<usize>)> {
        let DeValue::String(text) = value.get_ref() else { return self.texts(value, key) };
        let mut at = value.span().start;
        let mut names = Vec::new();
        for name in text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
            // A name is in the file as it is, but for backslashes.
            let found = self.text.get(at..value.span().end).and_then(|rest| rest.find(name));
            let span = found.map_or(value.span(), |found| at + found..at + found + name.len());
            at = if found.is_some() { span.end } else { at };
            names.push((name.to_owned(), span));
        }
        names
    }

    fn stands_for(&mut self, entries: &DeTable<'_>) -> Rows {
        let mut rows = Vec::new();
        for (names, value) in entries {
            let DeValue::String(text) = value.get_ref() else {
                self.error(Some(value.span()), "stands-for", "is the name of a module, or empty");
                continue;
            };
            let names = names.get_ref().split_whitespace();
            rows.extend(names.map(|name| (name.to_owned(), vec![text.to_string()])));
        }
        rows
    }

    fn calls(&mut self, entries: &DeTable<'_>, table: &str) -> Rows {
        let mut rows = Vec::new();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for (act, value) in entries {
            let key = join(table, act.get_ref());
            let bare = act.get_ref().strip_suffix(act::DOUBT).unwrap_or(act.get_ref());
            if let Err(word) = Act::read(bare) {
                let known = act::words().chain(Kind::ALL.iter().map(|(_, name, _)| *name));
                let near = nearest(word, known);
                self.error(Some(act.span()), &key, format_args!("\"{word}\" is not what a call does{near}"));
            }
            for (name, span) in self.names(value, &key) {
                if let Some(other) = seen.insert(name.clone(), act.get_ref().to_string()) {
                    let what = format_args!("\"{name}\" is there twice; it is in `{other}` as well");
                    self.error(Some(span.clone()), &key, what);
                }
                let mut cells = vec![act.get_ref().to_string()];
                let name = match name.rsplit_once('/') {
                    Some((name, count)) if is_count(count) => {
                        cells.push(count.to_owned());
                        name.to_owned()
                    }
                    _ => name,
                };
                rows.push((name, cells));
            }
        }
        rows
    }
}

/// How many arguments: `1`, or at least one: `1+`.
fn is_count(text: &str) -> bool {
    let digits = text.strip_suffix('+').unwrap_or(text);
    digits.len() == 1 && digits.starts_with(|c: char| c.is_ascii_digit())
}
