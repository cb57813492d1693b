//! Private keys: a PEM header with a body behind it. The header alone, as code that looks for keys has it, is none.

use crate::{Certainty, Found};

/// What every header has, and little else.
pub(crate) const WINDOW: &[u8; 3] = b"--B";
/// Where in a header that is.
const OFFSET: usize = 3;

/// The longest name of a kind of key, in bytes.
const LONGEST_KIND: usize = 64;
/// The least that a body has, in base64 digits: an Ed25519 key has 64.
const LEAST_BODY: usize = 40;
/// The most bytes that a key has.
const LONGEST: usize = 64 * 1024;

/// The key in whose header [`WINDOW`] stands at `middle`.
pub(crate) fn at(text: &str, middle: usize) -> Option<Found<'static>> {
    let start = middle.checked_sub(OFFSET)?;
    let rest = text.get(start..)?.strip_prefix("-----BEGIN ")?;
    let is_kind = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
    let kind = rest.get(..rest.bytes().take(LONGEST_KIND).take_while(is_kind).count())?;
    if !rest.get(kind.len()..)?.starts_with("-----") {
        return None;
    }
    if !kind.ends_with("PRIVATE KEY") && !kind.ends_with("PRIVATE KEY BLOCK") {
        return None;
    }
    let body_start = start + "-----BEGIN ".len() + kind.len() + "-----".len();
    let body = text.get(body_start..)?;
    // Of a key that was cut off (`head -n 20`), what is left of it: it opens as much as the rest lets be guessed.
    let end = body.as_bytes().windows(5).take(LONGEST).position(|window| window == b"-----");
    let end = end.unwrap_or_else(|| cut_off(body));
    let body = body.get(..end)?;
    // `\n` is written out where the key stands in a literal or in JSON.
    let digits = body.replace("\\n", "").replace("\\r", "");
    let digits = digits.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    let (mut count, mut seen) = (0_usize, [false; 256]);
    for digit in digits {
        count += 1;
        if let Some(seen) = seen.get_mut(usize::from(digit)) {
            *seen = true;
        }
    }
    let different = seen.iter().filter(|seen| **seen).count();
    (count >= LEAST_BODY && different >= 16).then(|| Found {
        name: "private-key",
        range: start..body_start + body.len(),
        certainty: Certainty::Certain,
    })
}

/// How far the lines of base64 go behind a header without an end: full ones, and a shorter one that ends them. Prose behind a
/// header has no such lines.
fn cut_off(body: &str) -> usize {
    let (mut at, mut end) = (0, 0);
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty() && at < LONGEST) {
        let (line, next) = first_line(rest);
        let inner = line.trim();
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        let digits = inner.bytes().take(LONGEST).take_while(|byte| is_base64(*byte)).count();
        let is_head = end == 0 && (inner.is_empty() || inner.contains(": "));
        if !is_head && digits < LEAST_BODY && end == 0 {
            break;
        }
        if !is_head {
            end = at + (line.len() - line.trim_start().len()) + digits;
            if digits < inner.len() || digits < LEAST_BODY {
                break;
            }
        }
        at += next;
    }
    end.min(LONGEST)
}

/// The first line, and where the next one begins; a line break may be written out.
fn first_line(text: &str) -> (&str, usize) {
    let raw = text.find('\n').map(|at| (at, at + 1));
    let written = text.find('\\').map(|at| {
        let rest = text.get(at..).unwrap_or_default();
        (at, at + if rest.starts_with("\\n") || rest.starts_with("\\r") { 2 } else { 1 })
    });
    let (end, next) = match (raw, written) {
        (Some(raw), Some(written)) => raw.min(written),
        (one, other) => one.or(other).unwrap_or((text.len(), text.len())),
    };
    (text.get(..end).unwrap_or_default(), next)
}
