//! `[[ ... ]]`.

use super::word::Context;
use super::{Parsed, Parser};
use crate::tree::{Node, Part, Word};

impl Parser<'_> {
    /// After `[[`.
    pub(super) fn test(&mut self, start: usize) -> Parsed<Node> {
        let mut words = Vec::new();
        self.test_alternatives(&mut words)?;
        self.expect("]]", start)?;
        Ok(Node::Test(words))
    }

    /// Terms joined by `&&` and `||`.
    fn test_alternatives(&mut self, words: &mut Vec<Word>) -> Parsed<()> {
        loop {
            self.test_term(words)?;
            self.newlines();
            if !self.looking_at("&&") && !self.looking_at("||") {
                return Ok(());
            }
            self.sign(2, words)?;
        }
    }

    fn test_term(&mut self, words: &mut Vec<Word>) -> Parsed<()> {
        self.newlines();
        while self.bare_word() == "!" {
            self.sign(1, words)?;
            self.newlines();
        }
        if self.peek(0) == b'(' {
            self.sign(1, words)?;
            self.nest(|parser| parser.test_alternatives(words))?;
            self.newlines();
            if self.peek(0) != b')' {
                return self.syntax(self.at, self.end, "a bracket of `[[` is not closed");
            }
            return self.sign(1, words);
        }
        let first = self.bare_word();
        self.operand(words, Context::Pattern)?;
        self.blanks();
        if is_unary(first) {
            return self.operand(words, Context::Pattern);
        }
        match self.peek(0) {
            b'<' | b'>' if self.peek(1) != b'(' => {
                self.sign(1, words)?;
                self.operand(words, Context::Pattern)
            }
            _ => match self.bare_word() {
                "=~" => {
                    self.sign(2, words)?;
                    self.operand(words, Context::Regex)
                }
                operator @ ("=" | "==" | "!=" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt"
                | "-ot" | "-ef") => {
                    self.sign(operator.len(), words)?;
                    self.operand(words, Context::Pattern)
                }
                _ => Ok(()),
            },
        }
    }

    /// An operator as a word.
    fn sign(&mut self, length: usize, words: &mut Vec<Word>) -> Parsed<()> {
        let nodes = self.nodes;
        self.count()?;
        let start = self.at;
        self.at += length;
        let parts = vec![Part::Literal { text: self.slice(start, self.at).to_owned(), quoted: false }];
        let sign = Word { parts, span: self.span(start, self.at) };
        self.keep(words, sign, nodes);
        Ok(())
    }

    fn operand(&mut self, words: &mut Vec<Word>, context: Context) -> Parsed<()> {
        self.blanks();
        let begins = self.word_ahead() || (context == Context::Regex && matches!(self.peek(0), b'(' | b'|'));
        if !begins || self.bare_word() == "]]" {
            return self.syntax(self.at, self.end, "an operand of `[[` is missing");
        }
        let nodes = self.nodes;
        self.count()?;
        let word = self.word(context)?;
        self.keep(words, word, nodes);
        Ok(())
    }
}

fn is_unary(word: &str) -> bool {
    match word.as_bytes() {
        [b'-', letter] => b"abcdefghknoprstuvwxzGLNORS".contains(letter),
        _ => false,
    }
}
