//! Values that look random, assigned to a name that speaks of a secret: `DB_PASSWORD="…"`, `api_key: …`.

use crate::{Certainty, Found, placeholder};

/// Last words of names whose values are secrets.
const NAMES: [&str; 18] = [
    "password",
    "passwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "access-key",
    "accesskey",
    "private_key",
    "client_secret",
    "secret_key",
    "secretkey",
    "auth_token",
    "passphrase",
    "credential",
    "authtoken",
];

/// How far before the sign the end of a name is looked for, in bytes.
const LONGEST_GAP: usize = 32;

/// Values of fewer bytes, or of more, are no keys that anybody assigns in a line.
const LENGTHS: std::ops::RangeInclusive<usize> = 16..=256;

/// The value assigned at the sign at `sign` (`=` or `:`).
pub(crate) fn at(text: &str, sign: usize) -> Option<Found<'static>> {
    let before = text.as_bytes().get(sign.saturating_sub(LONGEST_GAP)..sign)?;
    let gap =
        before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b':' | b']'));
    let name_end = sign - gap.count();
    if !speaks_of_a_secret(text.as_bytes().get(..name_end)?) {
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
    let value = value.get(..end)?;
    (ends && looks_random(value)).then(|| Found {
        name: "assigned-secret",
        range: begin..begin + value.len(),
        certainty: Certainty::Likely,
    })
}

/// Does the text end in one of the words?
fn speaks_of_a_secret(text: &[u8]) -> bool {
    NAMES.iter().any(|word| {
        let end = text.len().checked_sub(word.len()).and_then(|start| text.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
    })
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
