//! A policy file's text becomes a [`Layer`], or precise errors; all of them in one run.

mod carried;
mod condition;
mod conventions;
mod entry;
mod expression;
mod file;
mod gate;
mod hook;
mod judge;
mod lint;
mod notify;
mod packages;
mod protect;
mod rewrite;

pub(crate) use carried::answers_every_worktree;

use crate::code::group_of;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::glob::GlobError;
use crate::keys;
use crate::layer::Layer;
use crate::source::Source;
use crate::{Date, Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
type Item<'t> = Spanned<DeValue<'t>>;

/// What a policy may name besides its own rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vocabulary<'v> {
    /// The built-in rules, sorted by code.
    pub rules: &'v [KnownRule<'v>],
}

/// A built-in rule, as far as policies are concerned.
#[derive(Clone, Copy, Debug)]
pub struct KnownRule<'v> {
    /// Its code.
    pub code: &'v str,
}

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// What must be known before an event is judged. No regular expression is compiled.
    Quick,
    /// Everything that a person wants to hear about, expired rules included.
    Thorough {
        /// Today.
        today: Date,
    },
}

impl Vocabulary<'_> {
    /// The rule of that code.
    fn rule(&self, code: &str) -> Option<&KnownRule<'_>> {
        let at = self.rules.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
        self.rules.get(at)
    }

    /// Is there a rule of that group?
    fn has_group(&self, group: &str) -> bool {
        let at = self.rules.partition_point(|rule| rule.code < group);
        self.rules.get(at).is_some_and(|rule| group_of(rule.code) == group)
    }
}

/// Reads one file.
pub(crate) fn read(
    source: &Source<'_>,
    vocabulary: &Vocabulary<'_>,
    check: Check,
) -> (Layer, Vec<Diagnostic>) {
    let mut reader = Reader {
        source,
        vocabulary,
        check,
        diagnostics: Vec::new(),
        counted: (0, 1),
        today: None,
        worktree: None,
    };
    if let Check::Thorough { today } = check {
        reader.today = Some(today);
    }
    let (document, errors) = DeTable::parse_recoverable(source.text);
    let layer = reader.file(document.get_ref());
    // What is missing or odd behind broken syntax may only follow from it.
    let end = source.text.len();
    let first = errors.iter().map(|error| error.span().map_or(end, |span| span.start)).min();
    reader.diagnostics.retain(|one| first.is_none_or(|first| one.span.end <= first));
    for error in errors {
        let span = error.span().unwrap_or(end..end);
        reader.error(span, "", error.message().to_lowercase(), "", None);
    }
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|one| (one.span.start, one.span.end));
    (layer, diagnostics)
}

/// Reads values and collects what is wrong with them.
struct Reader<'s> {
    source: &'s Source<'s>,
    vocabulary: &'s Vocabulary<'s>,
    check: Check,
    today: Option<Date>,
    diagnostics: Vec<Diagnostic>,
    /// An offset and its line, so that lines are counted only once.
    counted: (usize, usize),
    /// Where the file first speaks of new worktrees.
    worktree: Option<Range<usize>>,
}

impl Reader<'_> {
    fn report(
        &mut self,
        severity: Severity,
        span: Range<usize>,
        key: &'static str,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) {
        self.diagnostics.push(Diagnostic {
            severity,
            message: message.into(),
            path: self.source.path.to_owned(),
            span,
            label: label.into(),
            help,
            key,
        });
    }

    /// A key that is still read under the name that it had before.
    fn old_spelling(&mut self, span: Range<usize>, key: &'static str) {
        let help = Some(format!("write `{key}`"));
        let message = format!("`{key}` is spelt with a dash");
        self.report(Severity::Warning, span, key, message, "the old spelling, which is still read", help);
    }

    fn error(
        &mut self,
        span: Range<usize>,
        key: &'static str,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) {
        self.report(Severity::Error, span, key, message, label, help);
    }

    fn warning(
        &mut self,
        span: Range<usize>,
        key: &'static str,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) {
        self.report(Severity::Warning, span, key, message, label, help);
    }

    /// The line of an offset. Offsets that grow are cheap.
    fn line(&mut self, offset: usize) -> usize {
        let (from, line) = if self.counted.0 <= offset { self.counted } else { (0, 1) };
        let between = self.source.text.as_bytes().get(from..offset).unwrap_or_default();
        let line = line + between.iter().filter(|byte| **byte == b'\n').count();
        self.counted = (offset, line);
        line
    }

    /// A key that is none.
    fn unknown_key(&mut self, span: Range<usize>, parent: &'static str, name: &str) {
        let place = if parent.is_empty() { "a policy".to_owned() } else { format!("`{parent}`") };
        let help = match nearest(name, keys::children(parent)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let all: Vec<_> = keys::children(parent).map(|name| format!("`{name}`")).collect();
                format!("keys: {}", all.join(", "))
            }
        };
        self.error(
            span,
            parent,
            format!("unknown key `{name}`"),
            format!("{place} has no such key"),
            Some(help),
        );
    }

    /// A value of the wrong type.
    fn wrong_type(&mut self, item: &Item<'_>, key: &'static str, wanted: &str) {
        let found = article(item.get_ref().type_str());
        self.error(
            item.span(),
            key,
            format!("`{key}` must be {wanted}, not {found}"),
            format!("expected {wanted}"),
            None,
        );
    }

    fn table<'i, 't>(&mut self, item: &'i Item<'t>, key: &'static str) -> Option<&'i DeTable<'t>> {
        let table = item.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(item, key, "a table");
        }
        table
    }

    fn text<'i>(&mut self, item: &'i Item<'_>, key: &'static str) -> Option<&'i str> {
        let text = item.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(item, key, "a text");
        }
        text
    }

    fn owned(&mut self, item: &Item<'_>, key: &'static str) -> Option<String> {
        self.text(item, key).map(str::to_owned)
    }

    fn boolean(&mut self, item: &Item<'_>, key: &'static str) -> Option<bool> {
        let boolean = item.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_type(item, key, "true or false");
        }
        boolean
    }

    /// A text or a list of texts; each with its place.
    fn texts<'i>(&mut self, item: &'i Item<'_>, key: &'static str) -> Option<Vec<(&'i str, &'i Item<'i>)>> {
        match item.get_ref() {
            DeValue::String(text) => Some(vec![(text.as_ref(), item)]),
            DeValue::Array(items) => {
                let mut texts = Vec::with_capacity(items.len());
                for item in items {
                    match item.get_ref().as_str() {
                        Some(text) => texts.push((text, item)),
                        None => self.wrong_type(item, key, "a text or a list of texts"),
                    }
                }
                Some(texts)
            }
            _ => {
                self.wrong_type(item, key, "a text or a list of texts");
                None
            }
        }
    }

    /// A text out of a list. Returns its index.
    fn one_of(&mut self, item: &Item<'_>, key: &'static str, values: &[&str]) -> Option<usize> {
        let text = self.text(item, key)?;
        let found = values.iter().position(|value| *value == text);
        if found.is_none() {
            self.unknown_value(item.span(), key, text, values.iter().copied());
        }
        found
    }

    /// A text that is not out of the list that it must be out of.
    fn unknown_value<'c>(
        &mut self,
        span: Range<usize>,
        key: &'static str,
        text: &str,
        values: impl Iterator<Item = &'c str> + Clone,
    ) {
        let name = key.rsplit('.').next().unwrap_or(key);
        let help = match nearest(text, values.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use one of {}", values.collect::<Vec<_>>().join(", ")),
        };
        self.error(span, key, format!("unknown value `{text}` for `{name}`"), "", Some(help));
    }

    fn date(&mut self, item: &Item<'_>, key: &'static str) -> Option<Date> {
        let date = match item.get_ref() {
            DeValue::Datetime(when) => when.date,
            DeValue::String(_) => {
                let help = Some("write the date without quotes: 2027-01-31".to_owned());
                self.error(
                    item.span(),
                    key,
                    format!("`{key}` must be a date, not a text"),
                    "expected a date",
                    help,
                );
                return None;
            }
            _ => None,
        };
        let Some(date) = date else {
            self.wrong_type(item, key, "a date");
            return None;
        };
        let date = Date { year: date.year, month: date.month, day: date.day };
        if let Some(today) = self.today
            && date < today
        {
            let help = Some("remove it, or set a later date".to_owned());
            self.warning(item.span(), key, format!("expired on {date}"), "no longer in effect", help);
        }
        Some(date)
    }

    /// An error inside a text, underlined as exactly as the text's escapes allow.
    fn inside(&mut self, item: &Item<'_>, key: &'static str, what: &str, text: &str, error: &GlobError) {
        let span = if text.is_empty() {
            item.span()
        } else {
            inner(self.source.text, item.span(), text, error.offset)
        };
        self.error(span, key, format!("bad {what} `{text}`"), error.message, None);
    }
}

/// From the place of a text and an offset into its value to the place in the file.
fn inner(source: &str, span: Range<usize>, value: &str, offset: usize) -> Range<usize> {
    let raw = source.get(span.clone()).unwrap_or("");
    for quotes in [3, 1] {
        let content = raw.get(quotes..raw.len().saturating_sub(quotes));
        if content == Some(value) {
            let start = span.start + quotes + offset;
            return start..(span.end - quotes).max(start + 1);
        }
    }
    span
}

/// `a` or `an` before a TOML type.
fn article(kind: &str) -> String {
    match kind {
        "string" => "a text".to_owned(),
        "array" => "a list".to_owned(),
        "integer" => "a number".to_owned(),
        "float" => "a fraction".to_owned(),
        other => format!("a {other}"),
    }
}

/// A value as JSON.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => integer(number).map_or(Value::Null, Value::from),
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(boolean) => Value::from(*boolean),
        DeValue::Datetime(when) => Value::from(when.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| json(item.get_ref())).collect()),
        DeValue::Table(table) => Value::Object(json_map(table)),
    }
}

/// A table as a JSON object, in the order of the file.
fn json_map(table: &DeTable<'_>) -> Map {
    in_order(table).map(|(key, item)| (key.get_ref().to_string(), json(item.get_ref()))).collect()
}

/// A whole number.
fn integer(number: &toml::de::DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A table's entries in the order of the file.
fn in_order<'i, 't>(
    table: &'i DeTable<'t>,
) -> impl Iterator<Item = (&'i Spanned<toml::de::DeString<'t>>, &'i Item<'t>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter()
}
