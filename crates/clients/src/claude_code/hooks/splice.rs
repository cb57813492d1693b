//! Edits of a JSON text that leave every byte where it is that they are not about: what is put in can be taken out again, and the
//! text is what it was.

use std::ops::Range;

use serde_json::Value;

/// What is to be done to a text, collected while its tree is read.
#[derive(Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

/// How a text is laid out.
pub(super) struct Layout {
    newline: &'static str,
    /// One step to the right.
    unit: String,
    /// Values stand on lines of their own.
    lines: bool,
}

/// An object or an array, and where its properties or elements are.
pub(super) struct Container<'t> {
    pub(super) text: &'t str,
    /// With its brackets.
    pub(super) range: Range<usize>,
    pub(super) items: Vec<Range<usize>>,
}

impl Layout {
    /// That of a text.
    pub(super) fn of(text: &str) -> Layout {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let body = text.trim();
        let inside = body.strip_prefix('{').unwrap_or(body).trim_end_matches('}');
        let indented = inside.lines().skip(1).find(|line| !line.trim().is_empty());
        let unit = indented.map(|line| blank_start(line).to_owned()).filter(|unit| !unit.is_empty());
        let lines = body.contains('\n') || inside.trim().is_empty();
        Layout { newline, unit: unit.unwrap_or_else(|| "  ".to_owned()), lines }
    }

    /// A value, its later lines to the right of `indent`. A list of plain values stays on one line.
    fn write(&self, value: &Value, indent: &str) -> String {
        let is_plain = |value: &Value| !value.is_array() && !value.is_object();
        let inner = format!("{indent}{}", self.unit);
        let (open, close, parts): (_, _, Vec<String>) = match value {
            Value::Array(items) if items.iter().all(is_plain) => {
                let items: Vec<String> = items.iter().map(Value::to_string).collect();
                return format!("[{}]", items.join(if self.lines { ", " } else { "," }));
            }
            Value::Array(items) => ('[', ']', items.iter().map(|item| self.write(item, &inner)).collect()),
            Value::Object(fields) if !fields.is_empty() => {
                let fields = fields.iter().map(|(key, value)| self.property(key, value, &inner));
                ('{', '}', fields.collect())
            }
            plain => return plain.to_string(),
        };
        if self.lines {
            let separator = format!(",{}{inner}", self.newline);
            format!("{open}{0}{inner}{1}{0}{indent}{close}", self.newline, parts.join(&separator))
        } else {
            format!("{open}{}{close}", parts.join(","))
        }
    }

    fn property(&self, key: &str, value: &Value, indent: &str) -> String {
        let space = if self.lines { " " } else { "" };
        format!("{}:{space}{}", Value::from(key), self.write(value, indent))
    }
}

impl Edits {
    /// The text after the edits, which don't overlap.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| range.start);
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for (range, new) in self.0 {
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(&new);
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }

    /// With those of another part of the text.
    pub(super) fn join(&mut self, other: Edits) {
        self.0.extend(other.0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds values to the end of a container: properties where they have keys.
    pub(super) fn append(
        &mut self,
        container: &Container<'_>,
        new: &[(Option<&str>, Value)],
        layout: &Layout,
    ) {
        let write = |indent: &str| -> Vec<String> {
            let one = |(key, value): &(Option<&str>, Value)| match key {
                Some(key) => layout.property(key, value, indent),
                None => layout.write(value, indent),
            };
            new.iter().map(one).collect()
        };
        let line = line_start(container.text, container.range.start);
        let own = blank_start(container.text.get(line..).unwrap_or_default()).to_owned();
        let Some(last) = container.items.last() else {
            let inner = format!("{own}{}", layout.unit);
            let inside = container.range.start + 1..container.range.end.saturating_sub(1);
            let filled = if layout.lines {
                let separator = format!(",{}{inner}", layout.newline);
                format!("{0}{inner}{1}{0}{own}", layout.newline, write(&inner).join(&separator))
            } else {
                write(&own).join(",")
            };
            self.0.push((inside, filled));
            return;
        };
        let before = container.text.get(container.range.start..last.start).unwrap_or_default();
        let separator = if before.contains('\n') {
            let line = line_start(container.text, last.start);
            let indent = blank_start(container.text.get(line..).unwrap_or_default());
            format!(",{}{indent}", layout.newline)
        } else {
            if layout.lines { ", ".to_owned() } else { ",".to_owned() }
        };
        let indent = separator.trim_start_matches(',').trim_start_matches(['\r', '\n']);
        let indent = if before.contains('\n') { indent } else { own.as_str() };
        for text in write(indent) {
            self.0.push((last.end..last.end, format!("{separator}{text}")));
        }
    }

    /// Takes items out of a container, each with the comma that it no longer needs.
    pub(super) fn take(&mut self, container: &Container<'_>, is_gone: impl Fn(usize) -> bool) {
        let mut kept_before = false;
        let count = container.items.len();
        if (0..count).all(&is_gone) {
            self.0.push((container.range.start + 1..container.range.end.saturating_sub(1), String::new()));
            return;
        }
        for (at, item) in container.items.iter().enumerate() {
            if !is_gone(at) {
                kept_before = true;
                continue;
            }
            let previous = at.checked_sub(1).and_then(|at| container.items.get(at));
            let range = match (kept_before, previous, container.items.get(at + 1)) {
                (true, Some(previous), _) => previous.end..item.end,
                (_, _, Some(next)) => item.start..next.start,
                _ => item.clone(),
            };
            self.0.push((range, String::new()));
        }
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

fn blank_start(line: &str) -> &str {
    let end = line.find(|c| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}
