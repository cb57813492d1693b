//! Patterns for commands: `npm test`, `npm test:*`, `git * main`.

/// What is in the brackets of a rule for a shell tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandPattern {
    /// The texts between the wildcards; one where there is none.
    pieces: Vec<String>,
    /// `x *` stands for `x` alone as well.
    optional_tail: bool,
    /// `x`, or the `x` of `x:*`: the client looks for this text before it looks for patterns.
    exact: Option<String>,
}

impl CommandPattern {
    /// Reads a pattern. `:*` at its end is the same as ` *`; `\*` is a star.
    pub(crate) fn parse(text: &str) -> CommandPattern {
        let (text, prefix) = match text.strip_suffix(":*") {
            Some(prefix) => (prefix, true),
            None => (text, false),
        };
        let mut pieces = vec![String::new()];
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' if characters.peek() == Some(&'*') => push(&mut pieces, characters.next()),
                '*' if !prefix => pieces.push(String::new()),
                plain => push(&mut pieces, Some(plain)),
            }
        }
        if prefix {
            push(&mut pieces, Some(' '));
            pieces.push(String::new());
        }
        let optional_tail =
            matches!(pieces.as_slice(), [first, last] if first.ends_with(' ') && last.is_empty());
        let exact = match pieces.as_slice() {
            [only] => Some(only.clone()),
            [first, _] if prefix => first.strip_suffix(' ').map(str::to_owned),
            _ => None,
        };
        CommandPattern { pieces, optional_tail, exact }
    }

    /// Is it this very text, or this text as a prefix?
    pub(crate) fn names(&self, text: &str) -> bool {
        self.exact.as_deref() == Some(text)
    }

    /// Does it begin with a wildcard? The client grants nothing by such a pattern.
    pub(crate) fn is_open(&self) -> bool {
        self.pieces.len() > 1 && self.pieces.first().is_some_and(String::is_empty)
    }

    /// Does it match the whole text?
    pub(crate) fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.pieces.split_first() else { return false };
        if self.optional_tail && first.strip_suffix(' ') == Some(text) {
            return true;
        }
        let Some((last, middle)) = rest.split_last() else { return first == text };
        let Some(mut left) = text.strip_prefix(first.as_str()) else { return false };
        for piece in middle {
            let Some((_, behind)) = left.split_once(piece.as_str()) else { return false };
            left = behind;
        }
        left.ends_with(last.as_str())
    }
}

fn push(pieces: &mut [String], character: Option<char>) {
    if let (Some(piece), Some(character)) = (pieces.last_mut(), character) {
        piece.push(character);
    }
}

#[cfg(test)]
mod tests {
    use super::CommandPattern;

    fn matches(pattern: &str, text: &str) -> bool {
        CommandPattern::parse(pattern).matches(text)
    }

    #[test]
    fn without_a_wildcard_only_the_same_text_matches() {
        assert!(matches("npm test", "npm test"));
        assert!(!matches("npm test", "npm test -- x"));
    }

    #[test]
    fn a_prefix_ends_at_a_word() {
        for pattern in ["ls:*", "ls *"] {
            assert!(matches(pattern, "ls") && matches(pattern, "ls -la"), "{pattern}");
            assert!(!matches(pattern, "lsof"), "{pattern}");
        }
        assert!(matches("ls*", "lsof"));
    }

    #[test]
    fn wildcards_stand_anywhere_and_for_anything() {
        assert!(matches("git * main", "git push origin main"));
        assert!(!matches("git * main", "git main"));
        assert!(matches("*--force*", "git push --force origin"));
        assert!(matches("a:b c", "a:b c") && !matches("a:b", "a c"));
        assert!(matches(r"echo \*", "echo *") && !matches(r"echo \*", "echo x"));
    }

    #[test]
    fn pieces_do_not_overlap() {
        assert!(!matches("ab*ba", "aba"));
        assert!(matches("ab*ba", "abba"));
    }
}
