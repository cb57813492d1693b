//! Values that look random, assigned to a name that speaks of a secret: `DB_PASSWORD="…"`, `api_key: …`.

use hookgate_knowledge::Row;

use crate::names::{LAST_WORDS, ends_in};
use crate::{Certainty, Found, known_names, piece, placeholder};

/// How far before the sign the end of a name is looked for, in bytes.
const LONGEST_GAP: usize = 32;

/// Values of fewer bytes, or of more, are no keys that anybody assigns in a line.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=256;

/// The value assigned at the sign at `sign` (`=` or `:`).
pub(crate) fn at(text: &str, sign: usize) -> Option<Found<'static>> {
    let name = name_before(text.as_bytes(), sign)?;
    if !LAST_WORDS.iter().any(|word| ends_in(name, word)) {
        return None;
    }
    let rest = text.get(sign + 1..)?;
    let rest = rest.strip_prefix(['=', '>']).unwrap_or(rest);
    let value = rest.trim_start_matches([' ', '\t']);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let value = quote.map_or(value, |quote| value.strip_prefix(quote).unwrap_or(value));
    let begin = text.len() - value.len();
    let taken = value.bytes().take(LENGTHS.end() + 1).take_while(|byte| is_value(char::from(*byte)));
    let end = taken.count();
    let closes = |quote: char| value.get(end..).is_some_and(|rest| rest.starts_with(quote));
    if quote.is_some_and(|quote| !closes(quote)) {
        return None;
    }
    let follows = value.get(end..).and_then(|rest| rest.chars().next());
    let ends = quote.is_some()
        || follows.is_none_or(|c| c.is_whitespace() || matches!(c, ';' | ',' | '&' | '|' | ')' | '"'));
    let value = value.get(..end).filter(|_| ends)?;
    let range = begin..begin + value.len();
    let is_of = |row: &Row<'_>| {
        let cells = row.cell(0).zip(row.cell(1));
        cells.is_some_and(|(word, shape)| {
            ends_in(name, word) && piece::length_of(value, shape) == Some(value.len())
        })
    };
    if let Some(row) = known_names().rows().find(is_of) {
        let is_drawn = !placeholder::is_placeholder(value, value);
        return is_drawn.then(|| Found { name: row.key(), range, certainty: Certainty::Certain });
    }
    looks_random(value).then_some(Found { name: "assigned-secret", range, certainty: Certainty::Likely })
}

/// Does the name speak of a secret, and can the value be one?
pub(crate) fn may_be_assigned(name: &str, value: &str) -> bool {
    LENGTHS.contains(&value.len()) && LAST_WORDS.iter().any(|word| ends_in(name.as_bytes(), word))
}

/// What stands before a sign, up to the end of the name.
fn name_before(text: &[u8], sign: usize) -> Option<&[u8]> {
    let before = text.get(sign.saturating_sub(LONGEST_GAP)..sign)?;
    let is_gap = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b':' | b']');
    text.get(..sign - before.iter().rev().take_while(is_gap).count())
}

/// The last two letters of the names: most signs stand behind something else.
static ENDINGS: [bool; 1024] = endings();

#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn endings() -> [bool; 1024] {
    let mut endings = [false; 1024];
    let mut index = 0;
    while index < LAST_WORDS.len() {
        if let Some(&[one, two]) = LAST_WORDS[index].as_bytes().last_chunk::<2>() {
            endings[number(one, two)] = true;
        }
        index += 1;
    }
    endings
}

/// May a sign at `sign` assign to one of the names?
pub(crate) fn may_stand_before(text: &[u8], sign: usize) -> bool {
    let ending = name_before(text, sign).and_then(|name| name.last_chunk::<2>());
    ending.is_some_and(|&[one, two]| ENDINGS.get(number(one, two)).copied().unwrap_or_default())
}

/// Two letters, in one number, whatever their case.
const fn number(one: u8, two: u8) -> usize {
    ((one & 31) as usize) << 5 | (two & 31) as usize
}

/// Was it drawn at random? Letters of both cases and digits without a word, a path or a call between them.
fn looks_random(value: &str) -> bool {
    let count = |test: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| test(byte)).count();
    let digits = count(u8::is_ascii_digit);
    let lower = count(u8::is_ascii_lowercase);
    let upper = count(u8::is_ascii_uppercase);
    let hexadecimal =
        digits + lower + upper == value.len() && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mixed = digits >= 2 && (lower >= 2 && upper >= 2 || hexadecimal && digits >= 6 && lower + upper >= 4);
    // A name in parts (`module.Class1_field`, `a-b-c`), a path, a URL.
    let parts = value.split(['_', '-', '.', '/', ':']).filter(|part| part.len() >= 3).count();
    let words = value.split(|c: char| !c.is_ascii_lowercase()).any(|run| run.len() >= 6);
    LENGTHS.contains(&value.len())
        && mixed
        && parts <= 3
        && !words
        && !value.contains("://")
        && !value.starts_with(['$', '/', '.', '<', '{', '%', '@'])
        && !placeholder::is_placeholder(value, value)
        && placeholder::entropy(value) >= if hexadecimal { 2.9 } else { 3.6 }
}

fn is_value(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '-' | '.' | '/' | '+' | '=' | '~' | '!' | '@' | '#' | '%' | '^' | '*' | '$')
}
