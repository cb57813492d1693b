//! Text as one word of a shell.

/// The text in single quotes: one word to every shell, whatever is in it.
///
/// ```
/// assert_eq!(hookgate_shell::quoted("it's"), r"'it'\''s'");
/// assert_eq!(hookgate_shell::quoted(""), "''");
/// ```
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The same for text that a person reads: without quotes where none are needed.
///
/// ```
/// assert_eq!(hookgate_shell::quoted_if_needed("@scope/tool@1.2"), "@scope/tool@1.2");
/// assert_eq!(hookgate_shell::quoted_if_needed("x>=2"), "'x>=2'");
/// assert_eq!(hookgate_shell::quoted_if_needed(""), "''");
/// ```
pub fn quoted_if_needed(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:=@%+,^-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_a_shell_is_quoted() {
        for (text, expected) in [
            ("requests", "requests"),
            ("@scope/tool@1.2", "@scope/tool@1.2"),
            ("x>=2", "'x>=2'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$HOME", "'$HOME'"),
        ] {
            assert_eq!(quoted_if_needed(text), expected);
        }
    }
}
