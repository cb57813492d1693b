//! Escapes, raw and written out: what stands behind one begins a word, whatever letter the escape ends with.

/// The most bytes of one; a longer one is no boundary.
const LONGEST: usize = 32;

/// Does an escape begin with the byte?
pub(crate) fn begins(byte: u8) -> bool {
    matches!(byte, 0x1b | b'\\')
}

/// Does an escape end right before `at`?
pub(crate) fn ends_at(text: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(LONGEST);
    let before = text.get(from..at).unwrap_or_default();
    let starts = (from..at).zip(before).filter(|(_, byte)| begins(**byte));
    starts.into_iter().any(|(start, _)| end(text, start) == Some(at))
}

/// The end of the escape that begins at `start`: `\n`, `\u2028` and the like as they are written in JSON and in literals, or
/// what drives a terminal, behind an escape byte or a written one (`\x1b[31m`).
pub(crate) fn end(text: &[u8], start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let rest = rest.get(..LONGEST).unwrap_or(rest);
    let (drives, length) = match rest {
        [0x1b, ..] => (true, 1),
        [b'\\', b'e' | b'E', ..] => (true, 2),
        [b'\\', b'n' | b't' | b'r' | b'b' | b'f', ..] => (false, 2),
        [b'\\', b'u', digits @ ..] => (drives(digits, 4)?, 6),
        [b'\\', b'x', digits @ ..] => (drives(digits, 2)?, 4),
        [b'\\', b'0', b'3', b'3', ..] => (true, 4),
        _ => return None,
    };
    let behind = if drives { sequence(rest.get(length..)?) } else { None };
    Some(start + length + behind.unwrap_or_default())
}

/// Are so many hexadecimal digits those of the escape byte? `None` where they are no digits.
fn drives(digits: &[u8], count: usize) -> Option<bool> {
    let digits = digits.get(..count)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let (zeros, byte) = digits.split_at_checked(count.checked_sub(2)?)?;
    Some(byte.eq_ignore_ascii_case(b"1b") && zeros.iter().all(|digit| *digit == b'0'))
}

/// The length of a terminal's sequence without the escape byte: `[`, parameters and a final byte, or a charset (`(B`).
fn sequence(rest: &[u8]) -> Option<usize> {
    let (head, is_part): (usize, fn(&u8) -> bool) = match rest.first()? {
        b'[' => (1, |byte| matches!(byte, b' '..=b'?')),
        _ => (0, |byte| matches!(byte, b' '..=b'/')),
    };
    let parts = rest.iter().skip(head).take_while(|byte| is_part(byte)).count();
    // Without a bracket only a charset: any other letter may be a token's first.
    let is_final = if head == 1 { b'@'..=b'~' } else { b'0'..=b'~' };
    let is_whole = head == 1 || parts > 0;
    rest.get(head + parts).filter(|byte| is_whole && is_final.contains(byte)).map(|_| head + parts + 1)
}
