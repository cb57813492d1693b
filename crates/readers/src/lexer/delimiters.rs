//! Strings whose ends the text itself chooses: Perl's `q{}`, Ruby's `%w[]`, heredocs.

use super::super::Language;
use super::{Lexer, Literal, Piece, TokenKind};

impl Lexer<'_> {
    /// Perl's `q qq qw qx m qr s tr y` with any delimiter.
    pub(super) fn perl_quote(&mut self, word: &str, start: usize) -> bool {
        if !matches!(word, "q" | "qq" | "qw" | "qx" | "m" | "qr" | "s" | "tr" | "y") {
            return false;
        }
        // A method, or a name that is being given.
        match self.tokens.last().map(|token| &token.kind) {
            Some(TokenKind::Symbol("->")) => return false,
            Some(TokenKind::Name(word)) if matches!(word.as_str(), "sub" | "package") => return false,
            _ => {}
        }
        let mut open = self.at;
        while self.bytes.get(open).is_some_and(u8::is_ascii_whitespace) {
            open += 1;
        }
        let Some(&delimiter) = self.bytes.get(open) else { return false };
        // A key in braces or before an arrow is no operator.
        let key = matches!(delimiter, b')' | b'}') || self.bytes.get(open..open + 2) == Some(b"=>");
        if delimiter.is_ascii_alphanumeric()
            || delimiter == b'_'
            || key
            || (matches!(delimiter, b'#' | b',' | b';' | b'=') && open != self.at)
        {
            return false;
        }
        let close = self.delimited(open);
        let interpolated = !matches!(word, "q" | "qw" | "tr" | "y") && delimiter != b'\'';
        self.sound &= close < self.bytes.len();
        self.at = (close + 1).min(self.bytes.len());
        match word {
            "q" | "qq" | "qx" => {
                let mut literal = self.literal(open + 1, close, word == "q", interpolated);
                literal.shell = word == "qx";
                self.push(TokenKind::Text(literal), start);
            }
            "qw" => {
                let words = self.slice(open + 1, close).to_owned();
                let kind =
                    TokenKind::Text(Literal { pieces: vec![Piece::Text(words)], words: true, shell: false });
                self.push(kind, start);
            }
            _ => self.perl_substitution(word, start, open, close),
        }
        true
    }

    fn perl_substitution(&mut self, word: &str, start: usize, open: usize, close: usize) {
        let pattern = self.slice(open, close.min(self.bytes.len())).to_owned();
        if pattern.contains("(?{") || pattern.contains("(??{") {
            self.sound = false;
        }
        let mut replacement = (close, close);
        if matches!(word, "s" | "tr" | "y") {
            let mut second = close;
            if self.bytes.get(open).is_some_and(|&b| closing(b) != b) {
                second += 1;
                while self.bytes.get(second).is_some_and(u8::is_ascii_whitespace) {
                    second += 1;
                }
            }
            let end = self.delimited(second);
            self.sound &= end < self.bytes.len();
            replacement = (second + 1, end);
            self.at = (end + 1).min(self.bytes.len());
        }
        let flags = self.at;
        while self.byte(0).is_ascii_alphabetic() {
            self.at += 1;
        }
        let evaluated = word == "s" && self.slice(flags, self.at).contains('e');
        let mut pieces = Vec::new();
        if evaluated {
            pieces.push(Piece::Code(replacement.0, replacement.1));
        } else if word == "s" {
            pieces = self.literal(replacement.0, replacement.1, false, true).pieces;
        }
        pieces.push(Piece::Code(close, close));
        self.push(TokenKind::Text(Literal { pieces, ..Literal::default() }), start);
    }

    /// Ruby's `%w[] %i[] %q() %Q() %x() %r() %()`.
    pub(super) fn percent(&mut self) -> bool {
        let start = self.at;
        let letter = self.byte(1);
        let open = match letter {
            b'w' | b'W' | b'i' | b'I' | b'q' | b'Q' | b'x' | b'r' => self.at + 2,
            b'(' | b'[' | b'{' | b'|' => self.at + 1,
            _ => return false,
        };
        let Some(&delimiter) = self.bytes.get(open) else { return false };
        if delimiter.is_ascii_alphanumeric() || delimiter.is_ascii_whitespace() {
            return false;
        }
        let close = self.delimited(open);
        self.sound &= close < self.bytes.len();
        self.at = (close + 1).min(self.bytes.len());
        let mut literal = self.literal(open + 1, close, letter == b'q', letter != b'q');
        literal.shell = letter == b'x';
        literal.words = matches!(letter, b'w' | b'W' | b'i' | b'I');
        self.push(TokenKind::Text(literal), start);
        true
    }

    /// The end of a delimited piece that opens at `open`.
    fn delimited(&self, open: usize) -> usize {
        let Some(&opening) = self.bytes.get(open) else { return self.bytes.len() };
        let closing = closing(opening);
        let (mut at, mut depth) = (open + 1, 1usize);
        while let Some(&byte) = self.bytes.get(at) {
            if byte == b'\\' {
                at += 2;
                continue;
            }
            if byte == closing {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            } else if byte == opening {
                depth += 1;
            }
            at += 1;
        }
        self.bytes.len()
    }

    /// `<<EOT`, `<<~'EOT'`, `<<<EOT`: the token; its body follows the line.
    pub(super) fn heredoc(&mut self) -> bool {
        let mark: &[u8] = match self.language {
            Language::Php => b"<<<",
            Language::Ruby | Language::Perl => b"<<",
            _ => return false,
        };
        if !self.rest().starts_with(mark) {
            return false;
        }
        let start = self.at;
        let mut at = self.at + mark.len();
        if matches!(self.bytes.get(at), Some(b'~' | b'-')) {
            at += 1;
        }
        let quote = self.bytes.get(at).copied().filter(|b| matches!(b, b'"' | b'\''));
        at += usize::from(quote.is_some());
        let name = at;
        while self.bytes.get(at).is_some_and(|&b| b == b'_' || b.is_ascii_alphanumeric()) {
            at += 1;
        }
        let word = self.slice(name, at).to_owned();
        if !word.starts_with(|c: char| c.is_ascii_uppercase() || (quote.is_some() && c.is_alphabetic())) {
            return false;
        }
        self.at = at + usize::from(quote.is_some());
        self.heredocs.push((self.tokens.len(), word, quote != Some(b'\'')));
        self.push(TokenKind::Text(Literal::default()), start);
        true
    }

    pub(super) fn bodies(&mut self) {
        for (token, delimiter, interpolated) in std::mem::take(&mut self.heredocs) {
            let body = self.at;
            let mut end = body;
            loop {
                if self.at >= self.bytes.len() {
                    self.sound = false;
                    break;
                }
                let line = self.at;
                self.skip_line();
                let text = self.slice(line, self.at).trim();
                let done = text.strip_suffix(';').unwrap_or(text) == delimiter;
                self.at = (self.at + 1).min(self.bytes.len());
                if done {
                    break;
                }
                end = self.at;
            }
            let literal = self.literal(body, end, !interpolated, interpolated);
            if let Some(token) = self.tokens.get_mut(token) {
                token.kind = TokenKind::Text(literal);
            }
        }
    }
}

pub(super) fn closing(opening: u8) -> u8 {
    match opening {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}
