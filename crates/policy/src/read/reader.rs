//! What every part of a file is read with: values and where they stand, and the errors about them.

use crate::code::group_of;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::glob::GlobError;
use crate::keys;
use crate::level::Level;
use crate::source::Source;
use crate::{Date, Map, Value};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
pub(super) type Item<'t> = Spanned<DeValue<'t>>;

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
    /// The same of a file that has changed since it was last read without an error: its regular expressions are compiled, so
    /// that one that can't be is an error like any other.
    Changed,
    /// Everything that a person wants to hear about, expired rules included.
    Thorough {
        /// Today.
        today: Date,
    },
}

impl Check {
    /// Is the file looked at as a whole, warnings included?
    pub(super) fn is_thorough(self) -> bool {
        matches!(self, Check::Thorough { .. })
    }
}

impl Vocabulary<'_> {
    /// The rule of that code.
    pub(super) fn rule(&self, code: &str) -> Option<&KnownRule<'_>> {
        let at = self.rules.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
        self.rules.get(at)
    }

    /// Is there a rule of that group?
    pub(super) fn has_group(&self, group: &str) -> bool {
        let at = self.rules.partition_point(|rule| rule.code < group);
        self.rules.get(at).is_some_and(|rule| group_of(rule.code) == group)
    }
}

/// Reads values and collects what is wrong with them.
pub(super) struct Reader<'s> {
    pub(super) source: &'s Source<'s>,
    pub(super) vocabulary: &'s Vocabulary<'s>,
    pub(super) check: Check,
    pub(super) today: Option<Date>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// An offset and its line, so that lines are counted only once.
    pub(super) counted: (usize, usize),
    /// Where the file first speaks of new worktrees.
    pub(super) worktree: Option<Range<usize>>,
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
    pub(super) fn old_spelling(&mut self, span: Range<usize>, key: &'static str) {
        let help = Some(format!("write `{key}`"));
        let message = format!("`{key}` is spelt with a dash");
        self.report(Severity::Warning, span, key, message, "the old spelling, which is still read", help);
    }

    pub(super) fn error(
        &mut self,
        span: Range<usize>,
        key: &'static str,
        message: impl Into<String>,
        label: impl Into<String>,
        help: Option<String>,
    ) {
        self.report(Severity::Error, span, key, message, label, help);
    }

    pub(super) fn warning(
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
    pub(super) fn line(&mut self, offset: usize) -> usize {
        let (from, line) = if self.counted.0 <= offset { self.counted } else { (0, 1) };
        let between = self.source.text.as_bytes().get(from..offset).unwrap_or_default();
        let line = line + between.iter().filter(|byte| **byte == b'\n').count();
        self.counted = (offset, line);
        line
    }

    /// A key that is none.
    pub(super) fn unknown_key(&mut self, span: Range<usize>, parent: &'static str, name: &str) {
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
    pub(super) fn wrong_type(&mut self, item: &Item<'_>, key: &'static str, wanted: &str) {
        let found = article(item.get_ref().type_str());
        self.error(
            item.span(),
            key,
            format!("`{key}` must be {wanted}, not {found}"),
            format!("expected {wanted}"),
            None,
        );
    }

    pub(super) fn table<'i, 't>(&mut self, item: &'i Item<'t>, key: &'static str) -> Option<&'i DeTable<'t>> {
        let table = item.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(item, key, "a table");
        }
        table
    }

    pub(super) fn text<'i>(&mut self, item: &'i Item<'_>, key: &'static str) -> Option<&'i str> {
        let text = item.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(item, key, "a text");
        }
        text
    }

    pub(super) fn owned(&mut self, item: &Item<'_>, key: &'static str) -> Option<String> {
        self.text(item, key).map(str::to_owned)
    }

    pub(super) fn boolean(&mut self, item: &Item<'_>, key: &'static str) -> Option<bool> {
        let boolean = item.get_ref().as_bool();
        if boolean.is_none() {
            self.wrong_type(item, key, "true or false");
        }
        boolean
    }

    /// A text or a list of texts; each with its place.
    pub(super) fn texts<'i>(
        &mut self,
        item: &'i Item<'_>,
        key: &'static str,
    ) -> Option<Vec<(&'i str, &'i Item<'i>)>> {
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
    pub(super) fn one_of(&mut self, item: &Item<'_>, key: &'static str, values: &[&str]) -> Option<usize> {
        let text = self.text(item, key)?;
        let found = values.iter().position(|value| *value == text);
        if found.is_none() {
            self.unknown_value(item.span(), key, text, values.iter().copied());
        }
        found
    }

    /// A text that is not out of the list that it must be out of.
    pub(super) fn unknown_value<'c>(
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

    pub(super) fn date(&mut self, item: &Item<'_>, key: &'static str) -> Option<Date> {
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
    pub(super) fn inside(
        &mut self,
        item: &Item<'_>,
        key: &'static str,
        what: &str,
        text: &str,
        error: &GlobError,
    ) {
        let span = if text.is_empty() {
            item.span()
        } else {
            inner(self.source.text, item.span(), text, error.offset)
        };
        self.error(span, key, format!("bad {what} `{text}`"), error.message, None);
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        item: &Item<'_>,
        key: &'static str,
        names: &[&str],
        values: &[T],
    ) -> Option<T> {
        self.one_of(item, key, names).and_then(|at| values.get(at).copied())
    }

    pub(super) fn entries(
        &mut self,
        item: &Item<'_>,
        key: &'static str,
        mut each: impl FnMut(&mut Self, &DeTable<'_>, Range<usize>),
    ) {
        let DeValue::Array(items) = item.get_ref() else {
            let help = Some(format!("write `[[{key}]]` above each"));
            self.error(item.span(), key, format!("`{key}` must be a list of tables"), "", help);
            return;
        };
        for item in items {
            if let Some(table) = self.table(item, key) {
                each(self, table, item.span());
            }
        }
    }

    pub(super) fn level(&mut self, item: &Item<'_>, key: &'static str) -> Option<Level> {
        let Some(text) = item.get_ref().as_str() else {
            let help = Some(format!("use one of {}", keys::LEVELS.join(", ")));
            self.error(item.span(), key, "a level must be a text", "expected a level", help);
            return None;
        };
        let level = Level::from_name(text);
        if level.is_none() {
            let help = match (text, nearest(text, keys::LEVELS.iter().copied())) {
                ("block" | "error", _) => "did you mean `deny`?".to_owned(),
                (_, Some(near)) => format!("did you mean `{near}`?"),
                (_, None) => format!("use one of {}", keys::LEVELS.join(", ")),
            };
            self.error(item.span(), key, format!("unknown level `{text}`"), "", Some(help));
        }
        level
    }

    /// A whole number from 1 to 1000.
    pub(super) fn count(&mut self, item: &Item<'_>, key: &'static str) -> Option<usize> {
        let number = match item.get_ref() {
            DeValue::Integer(number) => integer(number),
            _ => None,
        };
        let count = number.and_then(|number| usize::try_from(number).ok()).filter(|n| (1..=1000).contains(n));
        if count.is_none() {
            self.error(item.span(), key, "not a whole number from 1 to 1000".to_owned(), "", None);
        }
        count
    }
}

/// From the place of a text and an offset into its value to the place in the file.
pub(super) fn inner(source: &str, span: Range<usize>, value: &str, offset: usize) -> Range<usize> {
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
pub(super) fn json(value: &DeValue<'_>) -> Value {
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
pub(super) fn json_map(table: &DeTable<'_>) -> Map {
    in_order(table).map(|(key, item)| (key.get_ref().to_string(), json(item.get_ref()))).collect()
}

/// A whole number.
pub(super) fn integer(number: &toml::de::DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A table's entries in the order of the file.
pub(super) fn in_order<'i, 't>(
    table: &'i DeTable<'t>,
) -> impl Iterator<Item = (&'i Spanned<toml::de::DeString<'t>>, &'i Item<'t>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter()
}
