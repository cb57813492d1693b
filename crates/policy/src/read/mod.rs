//! A policy file's text becomes a [`Layer`], or precise errors; all of them in one run.

mod carried;
mod condition;
mod conventions;
mod doubt;
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
mod reader;
mod rewrite;

pub(crate) use carried::answers_every_worktree;
pub use reader::{Check, KnownRule, Vocabulary};

use crate::diagnostic::Diagnostic;
use crate::layer::Layer;
use crate::source::Source;
use reader::Reader;
use toml::de::DeTable;

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
