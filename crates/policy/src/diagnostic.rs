//! What is wrong with a policy file, where, and what to do about it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

/// The page that describes every key; a diagnostic links to the key's own section.
pub const REFERENCE: &str = "https://github.com/hookgate/hookgate/blob/main/docs/policy-reference.md";

/// How many bytes of a text that quotes the file are shown.
const LONGEST: usize = 600;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file still says what it means, but probably not what its author wants.
    Warning,
    /// The file can't be taken as written: the part that is meant has no effect.
    Error,
}

/// One thing that is wrong with a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lowercase, no full stop.
    pub message: String,
    /// The file.
    pub path: String,
    /// The bytes of the file's text that are meant.
    pub span: Range<usize>,
    /// What stands beside the underlined text; empty where the message says it all.
    pub label: String,
    /// What to do.
    pub help: Option<String>,
    /// The key's section in the reference: its path (`rule.when.run`), or empty for the whole page.
    pub key: &'static str,
}

impl Diagnostic {
    /// Line and column of its start in the file's `text`, both from 1; the column counts characters.
    #[must_use]
    pub fn position(&self, text: &str) -> (usize, usize) {
        let before = text.get(..floor(text, self.span.start)).unwrap_or(text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// The address of the section that describes the key.
    #[must_use]
    pub fn page(&self) -> String {
        if self.key.is_empty() { REFERENCE.to_owned() } else { format!("{REFERENCE}#{}", anchor(self.key)) }
    }

    /// The diagnostic on one line, for a notice: `.hookgate.toml:4:7: unknown level ...`.
    #[must_use]
    pub fn line(&self, text: &str) -> String {
        let (line, column) = self.position(text);
        let mut out = format!("{}:{line}:{column}: {}", self.path, plain(&self.message));
        if !self.label.is_empty() {
            let _ = write!(out, ": {}", plain(&self.label));
        }
        if let Some(help) = &self.help {
            let _ = write!(out, " ({})", plain(help));
        }
        out
    }

    /// The diagnostic with the file's line, the text underlined, help and link.
    #[must_use]
    pub fn render(&self, text: &str) -> String {
        let (line, column) = self.position(text);
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let source = text.split('\n').nth(line - 1).unwrap_or("").trim_end_matches('\r');
        let rest = source.chars().count().saturating_sub(column - 1);
        let covered = text.get(floor(text, self.span.start)..floor(text, self.span.end)).unwrap_or("");
        let width = covered.split('\n').next().unwrap_or("").chars().count().min(rest).max(1);
        // Tabs are shown as one blank, so that the underline stays below its text.
        let shown: String =
            source.chars().map(|c| if c == '\t' || c.is_control() { ' ' } else { c }).collect();
        let mut out = format!(
            "{severity}: {message}\n{gutter}--> {path}:{line}:{column}\n{gutter} |\n{number} | {shown}\n{gutter} | {blank}{mark}",
            message = plain(&self.message),
            path = self.path,
            blank = " ".repeat(column - 1),
            mark = "^".repeat(width),
        );
        if !self.label.is_empty() {
            let _ = write!(out, " {}", plain(&self.label));
        }
        out.push('\n');
        let _ = writeln!(out, "{gutter} |");
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{gutter} = help: {}", plain(help));
        }
        let _ = writeln!(out, "{gutter} = see: {}", self.page());
        out
    }
}

/// A text that quotes the file, fit for one line of a terminal.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) && text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for character in text.chars() {
        if out.len() > LONGEST {
            out.push_str("...");
            break;
        }
        if character.is_control() { out.extend(character.escape_default()) } else { out.push(character) }
    }
    Cow::Owned(out)
}

/// The largest character boundary at or below `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The anchor that Markdown renderers give to the heading `` `key` ``.
pub(crate) fn anchor(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
}

/// The candidate that `name` was most likely meant to be.
pub(crate) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len().max(name.len()) / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
