//! The shapes of tokens: literal pieces and classes with counts, found by their longest literal piece.
//!
//! `ghp_{alnum:36}` is a literal and 36 letters or digits. Counts are `{class:N}`, `{class:N-M}` and `{class:N-}`. A shape
//! may begin with a class (`{digit:8-10}:AA{token:33}`); it is then found by its first literal piece, and what goes before is
//! matched backwards.

use std::ops::Range;

use hookgate_knowledge::{Row, Table};

use crate::assignment::Endings;
use crate::{Certainty, Found, escape, placeholder, private_key};

/// The least length of an anchor, in bytes.
pub const ANCHOR: usize = 2;

/// The bytes of an anchor that the index goes by.
const WINDOW: usize = 3;

/// The slots of the index of anchors.
const SLOTS: usize = 1024;

/// What a byte is to the search, as bits: an anchor begins with it that begins a token, one that stands inside of a token, the
/// sign of an assignment or of a URL, a letter of a word, the beginning of an escape.
const FIRST: u8 = 1;
const INNER: u8 = 2;
const SIGN: u8 = 4;
const WORD: u8 = 8;
const ESCAPE: u8 = 16;

/// The rows, by the first bytes of their anchors.
pub(crate) struct Shapes<'k> {
    /// What each byte is.
    bytes: [u8; 256],
    /// For each slot the first row with such an anchor, plus one.
    heads: [u16; SLOTS],
    /// For each row the next one in its slot, plus one.
    next: Vec<u16>,
    rows: Vec<Shape<'k>>,
    endings: Endings,
}

/// For each row up to where it can't match any more: a run of a class without an upper count was followed by something else,
/// and is so from each place inside of it.
#[derive(Default)]
pub(crate) struct Refuted(Vec<usize>);

/// A row.
#[derive(Clone, Copy)]
struct Shape<'k> {
    row: Row<'k>,
    /// What stands before the anchor.
    before: &'k str,
    anchor: &'k str,
    /// What stands behind it.
    after: &'k str,
}

impl<'k> Shapes<'k> {
    /// Indexes the table. Rows without a literal piece of [`ANCHOR`] bytes are left out; a test holds the data to that.
    pub(crate) fn new(table: Table<'k>) -> Shapes<'k> {
        let mut shapes = Shapes {
            bytes: [0; 256],
            heads: [0; SLOTS],
            next: Vec::with_capacity(2 * table.len()),
            rows: Vec::with_capacity(2 * table.len()),
            endings: Endings::new(),
        };
        for (byte, is) in (0..=u8::MAX).zip(&mut shapes.bytes) {
            *is = match byte {
                b'=' | b':' => SIGN,
                b'-' => INNER,
                _ if escape::begins(byte) => ESCAPE,
                _ if is_word(byte) => WORD,
                _ => 0,
            };
        }
        for row in table.rows() {
            if let Some(shape) = row.cell(0).and_then(|shape| parse(row, shape)) {
                shapes.add(&shape);
            }
        }
        shapes
    }

    fn add(&mut self, shape: &Shape<'k>) {
        let anchor = shape.anchor.as_bytes();
        let first = anchor.first().map_or(0, |first| usize::from(*first));
        if let Some(byte) = self.bytes.get_mut(first) {
            *byte |= if shape.is_inner() { INNER } else { FIRST };
        }
        match *anchor {
            [one, two, three, ..] => self.add_at(slot([one, two, three]), *shape),
            // A short one is entered with each byte that may follow it.
            [one, two] => {
                let class = shape.after.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let Some(piece) = class.and_then(|(class, _)| Piece::class(class)) else { return };
                for three in (0..=u8::MAX).filter(|byte| piece.accepts(*byte)) {
                    self.add_at(slot([one, two, three]), *shape);
                }
            }
            _ => {}
        }
    }

    fn add_at(&mut self, slot: usize, shape: Shape<'k>) {
        if let (Some(head), Ok(number)) = (self.heads.get_mut(slot), u16::try_from(self.rows.len() + 1)) {
            self.next.push(*head);
            *head = number;
            self.rows.push(shape);
        }
    }

    /// The next place at or after `at` where something may begin: an anchor where a word begins, one that stands inside of a
    /// token, the sign of an assignment to a telling name or of a URL, or the header of a key.
    pub(crate) fn next_candidate(&self, text: &[u8], at: usize) -> Option<usize> {
        let class = |byte: u8| self.bytes.get(usize::from(byte)).copied().unwrap_or_default();
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
                if self.begins(text, here, class & mask) {
                    return Some(here);
                }
            }
            mask = wanted(class);
        }
        None
    }

    /// Does something begin at a byte that is this?
    fn begins(&self, text: &[u8], at: usize, is: u8) -> bool {
        let Some(rest) = text.get(at..) else { return false };
        let is_other = match rest {
            [b':', b'/', b'/', ..] => true,
            [b':', b':', ..] => false,
            [b'=' | b':', ..] => self.endings.may_stand_before(text, at),
            rest => rest.starts_with(private_key::WINDOW),
        };
        is_other
            || is & (FIRST | INNER) != 0
                && self
                    .chain(rest)
                    .any(|row| (is & FIRST != 0 || row.is_inner()) && rest.starts_with(row.anchor.as_bytes()))
    }

    /// The rows of which an anchor may stand at the beginning of the bytes.
    fn chain(&self, bytes: &[u8]) -> impl Iterator<Item = &Shape<'k>> {
        self.numbers(bytes).filter_map(|number| self.rows.get(number))
    }

    /// Their numbers.
    fn numbers(&self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        let head = bytes.first_chunk::<WINDOW>().and_then(|window| self.heads.get(slot(*window)));
        let mut index = head.copied().unwrap_or_default();
        std::iter::from_fn(move || {
            let number = usize::from(index).checked_sub(1)?;
            index = self.next.get(number).copied().unwrap_or_default();
            Some(number)
        })
    }

    /// Does the text begin with a row's literal piece of at least `least` bytes? What stands behind it.
    pub(crate) fn behind_literal<'t>(&self, text: &'t str, least: usize) -> impl Iterator<Item = &'t str> {
        let fits = move |shape: &&Shape<'k>| shape.before.is_empty() && shape.anchor.len() >= least;
        self.chain(text.as_bytes()).filter(fits).filter_map(|shape| text.strip_prefix(shape.anchor))
    }

    /// The first token that begins in the range.
    pub(crate) fn within(&self, text: &str, range: Range<usize>, refuted: &mut Refuted) -> Option<Found<'k>> {
        let mut at = range.start;
        loop {
            let start = self.next_candidate(text.as_bytes(), at).filter(|start| range.contains(start))?;
            if let Some(found) = self.at(text, start, refuted) {
                return Some(found);
            }
            at = start + 1;
        }
    }

    /// The token whose anchor stands at `start`. Of several the longest.
    pub(crate) fn at(&self, text: &str, start: usize, refuted: &mut Refuted) -> Option<Found<'k>> {
        let bytes = text.as_bytes();
        refuted.0.resize(self.rows.len(), 0);
        let mut best: Option<Found<'k>> = None;
        for row in self.numbers(bytes.get(start..)?) {
            let (shape, refuted) = (self.rows.get(row)?, refuted.0.get_mut(row)?);
            let found = if start < *refuted { None } else { shape.at(text, start) };
            if found.is_none() && start >= *refuted {
                *refuted = shape.open_run(bytes, start);
            }
            let longer =
                |one: &Found<'_>| best.as_ref().is_none_or(|best| one.range.len() > best.range.len());
            if let Some(found) = found.filter(longer) {
                best = Some(found);
            }
        }
        best
    }
}

impl<'k> Shape<'k> {
    /// Can the anchor stand behind a letter?
    fn is_inner(&self) -> bool {
        !self.before.is_empty() || !self.anchor.starts_with(|c: char| c.is_ascii_alphanumeric())
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
    fn at(&self, text: &str, start: usize) -> Option<Found<'k>> {
        let bytes = text.as_bytes();
        let behind = start + self.anchor.len();
        if bytes.get(start..behind)? != self.anchor.as_bytes() {
            return None;
        }
        let begin = match self.before {
            "" => start,
            class => {
                let piece = Piece::class(class.get(1..class.len().checked_sub(1)?)?)?;
                let run = bytes.get(..start)?.iter().rev().take_while(|b| piece.accepts(**b)).count();
                (piece.least..=piece.most).contains(&run).then(|| start - run)?
            }
        };
        let end = behind + matched(bytes.get(behind..)?, self.after)?;
        let secret = text.get(begin..end)?;
        // Of one that begins with a class, most may stand before the anchor.
        let random = if self.before.is_empty() { text.get(behind..end).unwrap_or_default() } else { secret };
        let joined = begin.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(|b| is_word(*b));
        if joined && !self.is_inner() && !escape::ends_at(bytes, begin)
            || placeholder::is_placeholder(secret, random)
        {
            return None;
        }
        Some(Found { name: self.row.key(), range: begin..end, certainty: Certainty::Certain })
    }
}

/// The length of what a shape without an anchor takes of the beginning of `text`.
pub(crate) fn length_of(text: &str, shape: &str) -> Option<usize> {
    matched(text.as_bytes(), shape)
}

/// Splits a shape at its anchor: the first literal piece.
fn parse<'k>(row: Row<'k>, shape: &'k str) -> Option<Shape<'k>> {
    let (before, rest) =
        if shape.starts_with('{') { shape.split_at_checked(shape.find('}')? + 1)? } else { ("", shape) };
    let (anchor, after) = rest.split_at_checked(rest.find('{').unwrap_or(rest.len()))?;
    (anchor.len() >= ANCHOR).then_some(Shape { row, before, anchor, after })
}

/// How many bytes the pieces take from the beginning of `bytes`; `None` where they don't fit, or where the last class could go
/// on.
fn matched(bytes: &[u8], pieces: &str) -> Option<usize> {
    let Some(rest) = pieces.strip_prefix('{') else {
        let (literal, more) = pieces.split_at_checked(pieces.find('{').unwrap_or(pieces.len()))?;
        if !bytes.starts_with(literal.as_bytes()) {
            return None;
        }
        return match more {
            "" => Some(literal.len()),
            _ => Some(literal.len() + matched(bytes.get(literal.len()..)?, more)?),
        };
    };
    let (class, more) = rest.split_once('}')?;
    let piece = Piece::class(class)?;
    let run = bytes.iter().take(piece.most.saturating_add(1)).take_while(|b| piece.accepts(**b)).count();
    if run < piece.least {
        return None;
    }
    if more.is_empty() {
        return (run <= piece.most).then_some(run);
    }
    // What follows may be of the same class: the shortest run behind which the rest fits.
    let last = run.min(piece.most);
    let exact = if piece.least == piece.most { last } else { piece.least };
    (exact..=last).find_map(|count| Some(count + matched(bytes.get(count..)?, more)?))
}

/// `{class:N-M}`.
struct Piece {
    class: Class,
    least: usize,
    most: usize,
}

#[derive(Clone, Copy)]
enum Class {
    Digit,
    Hex,
    Upper,
    Lower,
    Alpha,
    Alnum,
    Token,
    Base64,
    Base32,
}

impl Piece {
    /// Reads `alnum:36`, `token:20-`, `digit:8-10`.
    fn class(text: &str) -> Option<Piece> {
        let (class, count) = text.split_once(':')?;
        let class = match class {
            "digit" => Class::Digit,
            "hex" => Class::Hex,
            "upper" => Class::Upper,
            "lower" => Class::Lower,
            "alpha" => Class::Alpha,
            "alnum" => Class::Alnum,
            "token" => Class::Token,
            "base64" => Class::Base64,
            "base32" => Class::Base32,
            _ => return None,
        };
        let (least, most) = match count.split_once('-') {
            None => (count.parse().ok()?, count.parse().ok()?),
            Some((least, "")) => (least.parse().ok()?, usize::MAX),
            Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
        };
        Some(Piece { class, least, most })
    }

    /// Is the byte of the class?
    fn accepts(&self, byte: u8) -> bool {
        match self.class {
            Class::Digit => byte.is_ascii_digit(),
            Class::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Class::Upper => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Class::Lower => byte.is_ascii_digit() || byte.is_ascii_lowercase(),
            Class::Alpha => byte.is_ascii_alphabetic(),
            Class::Alnum => byte.is_ascii_alphanumeric(),
            Class::Token => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Class::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='),
            Class::Base32 => byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte),
        }
    }
}

/// Does the byte belong to a word, so that a token can't begin behind it?
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The slot of an anchor, by its first bytes.
fn slot([one, two, three]: [u8; WINDOW]) -> usize {
    (usize::from(one) ^ usize::from(two) << 2 ^ usize::from(three) << 5) % SLOTS
}
