//! The text as the statement parser gets it: as long as the original, with everything that has a grammar of its own
//! (quotes, expansions, heredocs, comments, arithmetic) filled up with something harmless. So a span means the same
//! place in both, and nothing inside a word can lead the statement parser astray, or keep it busy.

use std::borrow::Cow;

use super::scan::{HeredocPlace, Mark, MarkKind};

/// A text for the statement parser, and what it no longer shows.
pub(super) struct Masked<'a> {
    pub(super) text: Cow<'a, str>,
    marks: Vec<Mark>,
}

impl<'a> Masked<'a> {
    pub(super) fn new(text: &'a str, mut marks: Vec<Mark>) -> Self {
        marks.retain(|mark| mark.start < mark.end);
        if marks.is_empty() {
            return Self { text: Cow::Borrowed(text), marks };
        }
        let mut bytes = text.as_bytes().to_vec();
        for mark in &marks {
            let Some(part) = bytes.get_mut(mark.start..mark.end) else { continue };
            match mark.kind {
                // No character of a name, so that `"a"=b` doesn't become an assignment.
                MarkKind::Word => part.fill(b'.'),
                MarkKind::Blank => part.fill(b' '),
                MarkKind::Arithmetic => part.fill(b'1'),
                MarkKind::ForArithmetic => {
                    part.iter_mut().filter(|byte| **byte != b';').for_each(|byte| *byte = b' ');
                }
                MarkKind::HeredocOperator(_) => {
                    part.fill(b' ');
                    if let Some(first) = part.first_mut() {
                        *first = b'<';
                    }
                }
            }
        }
        marks.sort_unstable_by_key(|mark| mark.start);
        // Marks begin and end at ASCII characters, so what is left is whole characters.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        Self { text: Cow::Owned(text), marks }
    }

    /// The marks from `start` on.
    fn from(&self, start: usize) -> &[Mark] {
        let index = self.marks.partition_point(|mark| mark.start < start);
        self.marks.get(index..).unwrap_or_default()
    }

    /// The heredoc whose `<<` stands at `operator`.
    pub(super) fn heredoc(&self, operator: usize) -> Option<HeredocPlace> {
        match self.from(operator).first() {
            Some(Mark { start, kind: MarkKind::HeredocOperator(place), .. }) if *start == operator => {
                Some(*place)
            }
            _ => None,
        }
    }

    /// The inside of the first `(( ))` from `start` on.
    pub(super) fn arithmetic(&self, start: usize) -> Option<(usize, usize)> {
        self.from(start)
            .iter()
            .find(|mark| matches!(mark.kind, MarkKind::Arithmetic | MarkKind::ForArithmetic))
            .map(|mark| (mark.start, mark.end))
    }
}
