//! Secrets that the event's text has only in pieces: words that quotes, variables, formats and filters put together.

use crate::effect::Composed;
use hookgate_secrets::{Certainty, Found, fingerprint, scan, scan_named};
use hookgate_shell::Span;

/// How many bytes of such words are searched.
const MAXIMUM_SEARCHED: usize = 1 << 20;

/// As many secrets are told apart.
const MAXIMUM_FOUND: usize = 256;

/// What the words that are put together hold.
#[derive(Default)]
pub(crate) struct Pieces {
    found: Vec<Composed>,
    searched: usize,
    /// A file of the machine was read: its text may be in the words as well.
    beside_a_file: bool,
}

impl Pieces {
    /// Looks for secrets in a word.
    pub(crate) fn note(&mut self, word: &str, span: Span) {
        self.search(word, span, || scan(word));
    }

    /// Looks for secrets in what is assigned to a name.
    pub(crate) fn note_assigned(&mut self, name: &str, value: &str, span: Span) {
        self.search(value, span, || scan_named(name, value));
    }

    fn search(&mut self, word: &str, span: Span, scan: impl FnOnce() -> Vec<Found<'static>>) {
        self.searched = self.searched.saturating_add(word.len());
        if self.is_incomplete() {
            return;
        }
        for one in scan() {
            let secret = word.get(one.range).unwrap_or_default();
            if !self.found.iter().any(|known| known.secret == secret) {
                self.found.push(Composed {
                    name: format!("{}:{}", one.name, fingerprint(secret)),
                    secret: secret.to_owned(),
                    likely: one.certainty == Certainty::Likely,
                    span,
                });
            }
        }
    }

    /// A file of the machine was read, and what it holds is followed like the event's own text.
    pub(crate) fn read_a_file(&mut self) {
        self.beside_a_file = true;
    }

    /// Were there more words than are searched, or more secrets than are told apart?
    pub(crate) fn is_incomplete(&self) -> bool {
        self.searched > MAXIMUM_SEARCHED || self.found.len() >= MAXIMUM_FOUND
    }

    /// The secrets whose pieces stand in the text. Where no file was read, they can't be from anywhere else.
    pub(crate) fn of_text(&mut self, text: &str) -> Vec<Composed> {
        let mut found = std::mem::take(&mut self.found);
        if self.beside_a_file {
            found.retain(|one| has_pieces(text, &one.secret));
        }
        found
    }
}

/// As many bytes of a secret are looked for in the text.
const MOST_COVERED: usize = 64;

/// The least that the pieces of a secret have on average: what a file holds and what stands in the text share a byte or two
/// here and there.
const LEAST_PIECE: usize = 3;

/// Does the text hold the secret in pieces?
fn has_pieces(text: &str, secret: &str) -> bool {
    let bytes = secret.len().min(MOST_COVERED);
    let (mut at, mut pieces) = (0, 0);
    while at < bytes {
        let lengths = (1..=bytes - at)
            .take_while(|length| secret.get(at..at + length).is_some_and(|piece| text.contains(piece)));
        at += lengths.last().unwrap_or(1);
        pieces += 1;
    }
    pieces * LEAST_PIECE <= bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_in_the_text_are_told_from_what_a_file_holds() {
        let secret = "q7Zt0WbXk3Lr9VdYs5Ne2HgPjUcMf8Ra";
        assert!(has_pieces("a=q7Zt0WbXk b=3Lr9VdYs5Ne2 c=HgPjUcMf8Ra; echo $a$b$c", secret));
        assert!(!has_pieces(
            "source .env; curl -H \"Authorization: Bearer $TOKEN\" https://api.acme.dev",
            secret
        ));
    }

    #[test]
    fn more_words_than_are_searched_are_said() {
        let mut pieces = Pieces::default();
        pieces.note(&"a ".repeat(MAXIMUM_SEARCHED / 2), Span::default());
        assert!(!pieces.is_incomplete());
        pieces.note("one more", Span::default());
        assert!(pieces.is_incomplete());
    }
}
