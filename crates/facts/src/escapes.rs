//! Escapes and digits of encoded text.

/// Backslash escapes, as `echo -e` and `printf` know them.
pub fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut bytes: Vec<u8> = Vec::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let number = |characters: &mut std::iter::Peekable<std::str::Chars<'_>>, radix: u32, most: usize| {
        let mut value: u32 = 0;
        let mut count = 0;
        while count < most {
            let Some(digit) = characters.peek().and_then(|c| c.to_digit(radix)) else { break };
            value = value * radix + digit;
            characters.next();
            count += 1;
        }
        (count > 0).then_some(value)
    };
    let mut buffer = [0_u8; 4];
    while let Some(character) = characters.next() {
        if character != '\\' {
            bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            continue;
        }
        match characters.next() {
            Some('\\') | None => bytes.push(b'\\'),
            Some('n') => bytes.push(b'\n'),
            Some('t') => bytes.push(b'\t'),
            Some('r') => bytes.push(b'\r'),
            Some('a') => bytes.push(7),
            Some('e' | 'E') => bytes.push(27),
            Some('x') => {
                bytes.extend(number(&mut characters, 16, 2).and_then(|value| u8::try_from(value).ok()));
            }
            Some('u' | 'U') => {
                let character = number(&mut characters, 16, 8).and_then(char::from_u32);
                if let Some(character) = character {
                    bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
                }
            }
            Some('0') => bytes
                .push(number(&mut characters, 8, 3).and_then(|value| u8::try_from(value).ok()).unwrap_or(0)),
            Some(digit @ '1'..='7') => {
                let first = digit.to_digit(8).unwrap_or(0);
                let mut value = first;
                for _ in 0..2 {
                    let Some(next) = characters.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + next;
                    characters.next();
                }
                bytes.extend(u8::try_from(value).ok());
            }
            Some(other) => {
                bytes.push(b'\\');
                bytes.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The same in a format of `printf`, where an octal number has at most three digits with its leading zero.
pub fn unescaped_format(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\0") {
        result.push_str(before);
        let digits = after.bytes().take(2).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
        let (number, tail) = after.split_at_checked(digits).unwrap_or((after, ""));
        let character = u8::from_str_radix(number, 8).unwrap_or(0);
        result.push(char::from(character));
        rest = tail;
    }
    result.push_str(rest);
    unescaped(&result)
}

/// The characters of a `tr` set; `None` for classes.
pub fn character_set(text: &str) -> Option<Vec<char>> {
    if text.contains("[:") {
        return match text {
            "[:upper:]" => Some(('A'..='Z').collect()),
            "[:lower:]" => Some(('a'..='z').collect()),
            _ => None,
        };
    }
    let characters: Vec<char> = unescaped(text).chars().collect();
    let mut set = Vec::new();
    let mut index = 0;
    while let Some(low) = characters.get(index).copied() {
        match (characters.get(index + 1), characters.get(index + 2)) {
            (Some('-'), Some(high)) if *high >= low && u32::from(*high) - u32::from(low) < 256 => {
                set.extend(low..=*high);
                index += 3;
            }
            _ => {
                set.push(low);
                index += 1;
            }
        }
    }
    Some(set)
}

/// The value of a digit of base64, in either alphabet.
pub fn base64_digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

/// The value of a digit of base32.
pub fn base32_digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'2'..=b'7' => byte - b'2' + 26,
        _ => return None,
    }))
}

/// Digits of so many bits to bytes; `None` where something else than digits, blanks and padding is there.
pub fn decode_digits(text: &str, width: u32, digit: impl Fn(u8) -> Option<u32>) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut held, mut bits) = (0_u32, 0_u32);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        held = (held << width) | digit(byte)?;
        bits += width;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((held >> bits) & 0xff).ok()?);
            held &= (1 << bits) - 1;
        }
    }
    Some(bytes)
}

/// What a text in base64 stands for.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    decode_digits(text, 6, base64_digit)
}
