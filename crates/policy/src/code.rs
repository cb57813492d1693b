//! Codes of rules.

/// A code's group: what stands before its digits.
pub(crate) fn group_of(code: &str) -> &str {
    code.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// The first sixteen bytes of a code as a number, in the same order as the texts.
pub(crate) const fn key(code: &str) -> u128 {
    let mut rest = code.as_bytes();
    let (mut key, mut left) = (0, 16);
    while left > 0 {
        key <<= 8;
        if let [first, others @ ..] = rest {
            key |= *first as u128;
            rest = others;
        }
        left -= 1;
    }
    key
}
