//! Codes of rules.

/// A code's group: what stands before its digits.
pub(crate) fn group_of(code: &str) -> &str {
    code.trim_end_matches(|c: char| c.is_ascii_digit())
}
