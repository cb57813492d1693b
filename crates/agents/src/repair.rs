//! Makes JSON readable that a JavaScript or shell client got slightly wrong.

use std::borrow::Cow;

/// Repairs what a strict reader refuses and a tolerant one can understand.
///
/// Invalid UTF-8 and `\u` escapes of half a surrogate pair become U+FFFD, raw control characters
/// inside strings become escapes, and NUL bytes between the tokens become blanks. Everything else is
/// kept, so that text which is no JSON stays none.
pub(crate) fn repair(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let source = text.as_bytes();
    let mut repaired = Vec::with_capacity(source.len());
    let mut in_string = false;
    let mut position = 0;
    while let Some(&byte) = source.get(position) {
        let rest = source.get(position..).unwrap_or_default();
        let (piece, length): (Cow<'_, [u8]>, usize) = match byte {
            b'"' => {
                in_string = !in_string;
                (rest.get(..1).unwrap_or_default().into(), 1)
            }
            b'\\' if in_string => escape(rest),
            0..0x20 if in_string => (format!("\\u{byte:04x}").into_bytes().into(), 1),
            0 => (b" ".as_slice().into(), 1),
            _ => {
                let plain = rest
                    .iter()
                    .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))
                    .unwrap_or(rest.len())
                    .max(1);
                (rest.get(..plain).unwrap_or_default().into(), plain)
            }
        };
        repaired.extend_from_slice(&piece);
        position += length;
    }
    repaired
}

/// The escape at the start of `rest`, repaired, and how many bytes it took.
fn escape(rest: &[u8]) -> (Cow<'_, [u8]>, usize) {
    match code_unit(rest) {
        Some(0xD800..0xDC00) => match rest.get(6..).and_then(code_unit) {
            Some(0xDC00..0xE000) => (rest.get(..12).unwrap_or_default().into(), 12),
            _ => (br"\ufffd".as_slice().into(), 6),
        },
        Some(0xDC00..0xE000) => (br"\ufffd".as_slice().into(), 6),
        Some(_) => (rest.get(..6).unwrap_or_default().into(), 6),
        None => {
            let length = rest.len().min(2);
            (rest.get(..length).unwrap_or_default().into(), length)
        }
    }
}

/// The value of a `\uXXXX` at the start of `bytes`.
fn code_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(br"\u")?.get(..4)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_broken_changes() {
        for (broken, repaired) in [
            (br#"{"a":"\ud800"}"#.as_slice(), r#"{"a":"\ufffd"}"#),
            (br#"{"a":"x\uDC00y\ud83d\ude00"}"#, r#"{"a":"x\ufffdy\ud83d\ude00"}"#),
            (br#"{"a":"\ud800\ud83d\ude00"}"#, r#"{"a":"\ufffd\ud83d\ude00"}"#),
            (br#"{"a":"\\ud800 \" \ud8"}"#, r#"{"a":"\\ud800 \" \ud8"}"#),
            (b"{\"a\":\"x\0\ny\"}\0", "{\"a\":\"x\\u0000\\u000ay\"} "),
            (b"{\"a\":\"\xff\xc3\"}", "{\"a\":\"\u{fffd}\u{fffd}\"}"),
            (br#"{"a":"\"#, r#"{"a":"\"#),
            (b"not json", "not json"),
        ] {
            assert_eq!(String::from_utf8(repair(broken)).unwrap(), repaired);
        }
    }
}
