//! The shapes of tokens: literal pieces and classes with counts, found by their longest literal piece.
//!
//! `ghp_{alnum:36}` is a literal and 36 letters or digits. Counts are `{class:N}`, `{class:N-M}` and `{class:N-}`. A shape
//! may begin with a class (`{digit:8-10}:AA{token:33}`); it is then found by its first literal piece, and what goes before is
//! matched backwards.

use std::ops::Range;

use crate::index::{self, ESCAPE, Entry, FIRST, INNER, Index, SIGN, WORD};
use crate::piece::{Piece, matched};
use crate::{Certainty, Found, assignment, escape, placeholder, private_key};

/// The shipped shapes.
static INDEX: Index = include!(concat!(env!("OUT_DIR"), "/index.rs"));

/// For each entry up to where it can't match any more: a run of a class without an upper count was followed by something else,
/// and is so from each place inside of it.
#[derive(Default)]
pub(crate) struct Refuted(Vec<usize>);

/// A row.
#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    /// What stands before the anchor.
    before: &'static str,
    anchor: &'static str,
    /// What stands behind it.
    after: &'static str,
}

/// The next place at or after `at` where something may begin: an anchor where a word begins, one that stands inside of a
/// token, the sign of an assignment to a telling name or of a URL, or the header of a key.
pub(crate) fn next_candidate(text: &[u8], at: usize) -> Option<usize> {
    let class = |byte: u8| INDEX.bytes.get(usize::from(byte)).copied().unwrap_or_default();
    let always = INNER | SIGN | ESCAPE;
    let wanted = |class: u8| if class & WORD == 0 { FIRST | always } else { always };
    // Behind an escape a word begins, though the escape ends with a letter.
    let mut escaped = usize::MAX;
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    let mut mask = wanted(before.map_or(0, |byte| class(*byte)));
    // This loop is what a large text costs.
    for (offset, &byte) in text.get(at..)?.iter().enumerate() {
        let class = class(byte);
        let here = at + offset;
        if here == escaped {
            mask = wanted(0);
        }
        if class & mask != 0 {
            if class & ESCAPE != 0 {
                escaped = escape::end(text, here).unwrap_or(usize::MAX);
            }
            if begins(text, here, class & mask) {
                return Some(here);
            }
        }
        mask = wanted(class);
    }
    None
}

/// Does something begin at a byte that is this?
fn begins(text: &[u8], at: usize, is: u8) -> bool {
    let Some(rest) = text.get(at..) else { return false };
    let is_other = match rest {
        [b':', b'/', b'/', ..] => true,
        [b':', b':', ..] => false,
        [b'=' | b':', ..] => assignment::may_stand_before(text, at),
        rest => rest.starts_with(private_key::WINDOW),
    };
    is_other
        || is & (FIRST | INNER) != 0
            && chain(rest).any(|(_, shape)| {
                (is & FIRST != 0 || shape.is_inner()) && rest.starts_with(shape.anchor.as_bytes())
            })
}

/// The shapes of which an anchor may stand at the beginning of the bytes, with the numbers of their entries.
fn chain(bytes: &[u8]) -> impl Iterator<Item = (usize, Shape)> {
    let mut head = INDEX.head(bytes);
    std::iter::from_fn(move || {
        let number = usize::from(head).checked_sub(1)?;
        let entry = INDEX.entries.get(number)?;
        head = entry.next;
        Some((number, Shape::of(entry)?))
    })
}

/// Does the text begin with a row's literal piece of at least `least` bytes? What stands behind it.
pub(crate) fn behind_literal(text: &str, least: usize) -> impl Iterator<Item = &str> {
    let fits = move |shape: &Shape| shape.before.is_empty() && shape.anchor.len() >= least;
    let shapes = chain(text.as_bytes()).map(|(_, shape)| shape).filter(fits);
    shapes.filter_map(|shape| text.strip_prefix(shape.anchor))
}

/// The first token that begins in the range.
pub(crate) fn within(text: &str, range: Range<usize>, refuted: &mut Refuted) -> Option<Found<'static>> {
    let mut from = range.start;
    loop {
        let start = next_candidate(text.as_bytes(), from).filter(|start| range.contains(start))?;
        if let Some(found) = at(text, start, refuted) {
            return Some(found);
        }
        from = start + 1;
    }
}

/// The token whose anchor stands at `start`. Of several the longest.
pub(crate) fn at(text: &str, start: usize, refuted: &mut Refuted) -> Option<Found<'static>> {
    let bytes = text.as_bytes();
    refuted.0.resize(INDEX.entries.len(), 0);
    let mut best: Option<Found<'static>> = None;
    for (number, shape) in chain(bytes.get(start..)?) {
        let refuted = refuted.0.get_mut(number)?;
        let found = if start < *refuted { None } else { shape.at(text, start) };
        if found.is_none() && start >= *refuted {
            *refuted = shape.open_run(bytes, start);
        }
        let longer = |one: &Found<'_>| best.as_ref().is_none_or(|best| one.range.len() > best.range.len());
        if let Some(found) = found.filter(longer) {
            best = Some(found);
        }
    }
    best
}

impl Shape {
    fn of(entry: &Entry) -> Option<Shape> {
        let part = |from: u16, to: u16| INDEX.text.get(usize::from(from)..usize::from(to));
        Some(Shape {
            name: part(entry.start, entry.name)?,
            before: part(entry.name, entry.before)?,
            anchor: part(entry.before, entry.anchor)?,
            after: part(entry.anchor, entry.after)?,
        })
    }

    /// Can the anchor stand behind a letter?
    fn is_inner(&self) -> bool {
        index::is_inner(self.before, self.anchor)
    }

    /// The end of the run behind the anchor, if its class has no upper count.
    fn open_run(&self, bytes: &[u8], start: usize) -> usize {
        let class = self.after.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some(piece) =
            class.and_then(|(class, _)| Piece::class(class)).filter(|piece| piece.most == usize::MAX)
        else {
            return 0;
        };
        let begin = start + self.anchor.len();
        let here = bytes.get(start..begin).is_some_and(|here| here == self.anchor.as_bytes());
        let rest = bytes.get(begin..).filter(|_| here).unwrap_or_default();
        begin + rest.iter().take_while(|byte| piece.accepts(**byte)).count()
    }

    /// The token, if its anchor stands at `start`.
    fn at(&self, text: &str, start: usize) -> Option<Found<'static>> {
        let bytes = text.as_bytes();
        let behind = start + self.anchor.len();
        if bytes.get(start..behind)? != self.anchor.as_bytes() {
            return None;
        }
        let begin = match self.before {
            "" => start,
            class => {
                let piece = Piece::class(class.get(1..class.len().checked_sub(1)?)?)?;
                // One more than may stand there is enough to see that too much does.
                let before = bytes.get(..start)?.iter().rev().take(piece.most.saturating_add(1));
                let run = before.take_while(|b| piece.accepts(**b)).count();
                (piece.least..=piece.most).contains(&run).then(|| start - run)?
            }
        };
        let end = behind + matched(bytes.get(behind..)?, self.after)?;
        let secret = text.get(begin..end)?;
        // Of one that begins with a class, most may stand before the anchor.
        let random = if self.before.is_empty() { text.get(behind..end).unwrap_or_default() } else { secret };
        let joined = begin.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(|b| index::is_word(*b));
        if joined && !self.is_inner() && !escape::ends_at(bytes, begin)
            || placeholder::is_placeholder(secret, random)
        {
            return None;
        }
        Some(Found { name: self.name, range: begin..end, certainty: Certainty::Certain })
    }
}
