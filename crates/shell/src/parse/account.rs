//! Every byte has to be accounted for.
//!
//! The parser library recovers from errors, now and then without saying so. So the ranges of all words,
//! redirections and heredoc bodies are collected, and what lies between them may only be blanks, comments,
//! operators and reserved words. Anything else was skipped, and is a problem.

/// Ranges of one text that have been read.
#[derive(Default)]
pub(super) struct Ranges(Vec<(usize, usize)>);

impl Ranges {
    pub(super) fn add(&mut self, start: usize, end: usize) {
        self.0.push((start, end));
    }

    /// The first byte that belongs to nothing.
    pub(super) fn first_gap(&mut self, text: &str) -> Option<usize> {
        self.0.sort_unstable();
        let bytes = text.as_bytes();
        let mut at = 0;
        for (start, end) in self.0.iter().copied().chain([(bytes.len(), bytes.len())]) {
            if start > at
                && let Some(stray) = stray(bytes, at, start)
            {
                return Some(stray);
            }
            at = at.max(end);
        }
        None
    }
}

const RESERVED: [&str; 18] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "select", "function", "time", "coproc", "-p",
];

/// The first byte between `start` and `end` that no operator, reserved word, blank or comment explains.
fn stray(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut at = start;
    while at < end {
        match byte(at) {
            b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'(' | b')' | b'{' | b'}' | b'!' => at += 1,
            b'\\' if byte(at + 1) == b'\n' => at += 2,
            b'a'..=b'z' | b'-' => {
                let mut stop = at + 1;
                while stop < end && byte(stop).is_ascii_lowercase() {
                    stop += 1;
                }
                let word = bytes.get(at..stop).unwrap_or_default();
                if !RESERVED.iter().any(|reserved| reserved.as_bytes() == word) {
                    return Some(at);
                }
                at = stop;
            }
            _ => return Some(at),
        }
    }
    None
}
