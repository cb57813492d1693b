//! Assignments and arrays.

use super::word::Context;
use super::{Parsed, Parser};
use crate::tree::{Assignment, Part, Word};

impl Parser<'_> {
    /// The assignment that begins here, if one does.
    pub(super) fn assignment(&mut self) -> Parsed<Option<Assignment>> {
        let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
        if !rest.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_') {
            return Ok(None);
        }
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let start = self.at;
        let (subscript, append) = match (rest.get(length), rest.get(length + 1)) {
            (Some(b'='), _) => {
                self.at += length + 1;
                (None, false)
            }
            (Some(b'+'), Some(b'=')) => {
                self.at += length + 2;
                (None, true)
            }
            (Some(b'['), _) => match self.subscript(length)? {
                Some((word, append)) => (Some(word), append),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.count()?;
        let name = self.slice(start, start + length).to_owned();
        let array = self.peek(0) == b'(';
        let value = if array { self.elements()? } else { vec![self.word(Context::Value)?] };
        let span = self.span(start, self.at);
        Ok(Some(Assignment { name, append, subscript, value, array, span }))
    }

    /// At a name of this length and `[`: what `[i]=` or `[i]+=` say. `None`, and the cursor stays: the brackets belong
    /// to a word.
    fn subscript(&mut self, length: usize) -> Parsed<Option<(Word, bool)>> {
        let start = self.at;
        self.at += length + 1;
        let word = self.nest(|parser| parser.balanced(b'[', b']'))?;
        if self.peek(0) != b']' {
            return self.syntax(start, self.end, "a subscript is not closed");
        }
        let (append, operator) = match (self.peek(1), self.peek(2)) {
            (b'=', _) => (false, 2),
            (b'+', b'=') => (true, 3),
            _ => {
                // Bash has taken the brackets for one piece, blanks and signs of comments in them included.
                let inside = self.slice(start + length + 1, self.at);
                if inside.contains(|sign: char| sign.is_whitespace() || "#;&|<>(){}'\"\\`$".contains(sign)) {
                    return self.syntax(start, self.at + 1, "a subscript without an assignment");
                }
                self.at = start;
                return Ok(None);
            }
        };
        self.at += operator;
        Ok(Some((word, append)))
    }

    /// At `(`: the elements of an array.
    fn elements(&mut self) -> Parsed<Vec<Word>> {
        let start = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            self.newlines();
            if self.peek(0) == b')' {
                self.at += 1;
                return Ok(elements);
            }
            if !self.word_ahead() {
                return self.syntax(start, self.end, "an array is not closed");
            }
            let nodes = self.nodes;
            self.count()?;
            let element = self.nest(Self::element)?;
            self.keep(&mut elements, element, nodes);
        }
    }

    /// `a` or `[i]=a`.
    fn element(&mut self) -> Parsed<Word> {
        let start = self.at;
        if self.peek(0) == b'['
            && let Some((mut word, append)) = self.subscript(0)?
        {
            let literal = |text: &str| Part::Literal { text: text.to_owned(), quoted: false };
            word.parts.insert(0, literal("["));
            word.parts.push(literal(if append { "]+=" } else { "]=" }));
            let value = self.word(Context::Value)?;
            word.parts.extend(value.parts);
            return Ok(Word { parts: word.parts, span: self.span(start, self.at) });
        }
        self.word(Context::Plain)
    }

    /// `A=(a b)` as an argument of `declare` and its like, of which `A=` has been read.
    pub(super) fn array_argument(&mut self, start: usize, name: Word) -> Parsed<Word> {
        let mut parts = name.parts;
        // No other word holds brackets that aren't quoted.
        parts.push(Part::Literal { text: "(".to_owned(), quoted: false });
        for (index, element) in self.elements()?.into_iter().enumerate() {
            if index > 0 {
                parts.push(Part::Literal { text: " ".to_owned(), quoted: true });
            }
            parts.extend(element.parts);
        }
        parts.push(Part::Literal { text: ")".to_owned(), quoted: false });
        Ok(Word { parts, span: self.span(start, self.at) })
    }
}
