//! The escapes of `$'...'`.

/// The text of `$'...'`. A NUL ends it, as in bash.
pub(super) fn unescape_ansi(raw: &str) -> String {
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    let bytes = raw.as_bytes();
    let mut at = 0;
    let get = |at: usize| bytes.get(at).copied();
    while let Some(byte) = get(at) {
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some(escape) = get(at) else {
            out.push(b'\\');
            break;
        };
        at += 1;
        match escape {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'e' | b'E' => out.push(27),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\\' | b'\'' | b'"' | b'?' => out.push(escape),
            b'c' => {
                if let Some(control) = get(at) {
                    out.push(control.to_ascii_uppercase() ^ 0x40);
                    at += 1;
                }
            }
            b'0'..=b'7' => {
                let (value, length) = digits(bytes, at - 1, 3, 8);
                at += length - 1;
                if value & 0xff == 0 {
                    break;
                }
                out.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
            }
            b'x' | b'u' | b'U' => {
                let most = match escape {
                    b'x' => 2,
                    b'u' => 4,
                    _ => 8,
                };
                let (value, length) = digits(bytes, at, most, 16);
                at += length;
                if length == 0 {
                    out.extend([b'\\', escape]);
                } else if value == 0 {
                    break;
                } else if escape == b'x' {
                    out.push(u8::try_from(value & 0xff).unwrap_or(b'?'));
                } else {
                    let character = char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER);
                    out.extend(character.encode_utf8(&mut [0; 4]).bytes());
                }
            }
            other => out.extend([b'\\', other]),
        }
    }
    String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The number in at most `most` digits from `at` on, and how many there are.
fn digits(bytes: &[u8], at: usize, most: usize, radix: u32) -> (u32, usize) {
    let mut value = 0_u32;
    let mut length = 0;
    while length < most
        && let Some(digit) = bytes.get(at + length).and_then(|byte| char::from(*byte).to_digit(radix))
    {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        length += 1;
    }
    (value, length)
}
