//! Strings in quotes and regular expressions: where they end, what their escapes stand for, which code they hold.

use super::super::Language;
use super::delimiters::closing;
use super::{Lexer, Literal, Piece, TokenKind};

impl Lexer<'_> {
    /// A string that starts at the quote under the cursor.
    pub(super) fn quoted(&mut self, start: usize, raw: bool, format: bool) {
        let quote = self.byte(0);
        let triple = self.language == Language::Python && self.byte(1) == quote && self.byte(2) == quote;
        let width = if triple { 3 } else { 1 };
        self.at += width;
        let interpolated = match self.language {
            Language::Python => format,
            Language::Javascript => quote == b'`',
            Language::Mongo
            | Language::Sql
            | Language::Awk
            | Language::Sed
            | Language::Redis
            | Language::Lua
            | Language::Statistics => false,
            Language::Ruby | Language::Php | Language::Perl => quote != b'\'',
        };
        let escapes = matches!(
            self.language,
            Language::Python | Language::Javascript | Language::Lua | Language::Statistics
        );
        let raw = raw || (quote == b'\'' && !escapes);
        let body = self.at;
        let mut closed = false;
        while self.at < self.bytes.len() {
            if self.byte(0) == b'\\' {
                self.at += 2;
                continue;
            }
            if self.byte(0) == quote && (!triple || (self.byte(1) == quote && self.byte(2) == quote)) {
                closed = true;
                break;
            }
            if interpolated && quote == b'`' && self.rest().starts_with(b"${") {
                self.at = self.matching(self.at + 1, self.bytes.len()) + 1;
                continue;
            }
            if interpolated && self.language == Language::Ruby && self.rest().starts_with(b"#{") {
                self.at = self.matching(self.at + 1, self.bytes.len()) + 1;
                continue;
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
        self.sound &= closed;
        let end = self.at;
        self.at = (self.at + width).min(self.bytes.len());
        let mut literal = self.literal(body, end, raw, interpolated);
        literal.shell = quote == b'`' && self.language != Language::Javascript;
        self.push(TokenKind::Text(literal), start);
    }

    /// The bracket before `end` that closes the one at `open`, strings inside skipped; `end` where there is none.
    fn matching(&self, open: usize, end: usize) -> usize {
        let bytes = self.bytes.get(..end).unwrap_or(self.bytes);
        let Some(&opening) = bytes.get(open) else { return end };
        let closing = closing(opening);
        let mut depth = 0usize;
        let mut at = open;
        let mut quote = 0u8;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'\\' {
                at += 2;
                continue;
            }
            if quote != 0 {
                if byte == quote {
                    quote = 0;
                }
            } else if matches!(byte, b'"' | b'\'' | b'`') && self.language != Language::Perl {
                quote = byte;
            } else if byte == opening && opening != closing {
                depth += 1;
            } else if byte == closing {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            at += 1;
        }
        end
    }

    /// Resolves escapes and finds the interpolated code of `text[body..end]`.
    pub(super) fn literal(&mut self, body: usize, end: usize, raw: bool, interpolated: bool) -> Literal {
        let mut literal = Literal::default();
        let mut text = String::new();
        let mut at = body;
        while at < end {
            let rest = self.slice(at, end);
            let Some(first) = rest.chars().next() else { break };
            if first == '\\' {
                let next = rest.chars().nth(1).unwrap_or('\\');
                let width = 1 + next.len_utf8();
                if raw {
                    if !matches!(next, '\'' | '\\') || self.language == Language::Python {
                        text.push('\\');
                    }
                    text.push(next);
                } else {
                    at += escape(rest, &mut text).unwrap_or(width);
                    continue;
                }
                at += width;
                continue;
            }
            if interpolated && let Some((code, next)) = self.code_at(at, end) {
                if code.0 == code.1 {
                    text.push(first);
                } else {
                    literal.pieces.push(Piece::Text(std::mem::take(&mut text)));
                    literal.pieces.push(Piece::Code(code.0, code.1));
                }
                at = next;
                continue;
            }
            text.push(first);
            at += first.len_utf8();
        }
        literal.pieces.push(Piece::Text(text));
        literal
    }

    /// The interpolated code at `at` and where the text goes on. An empty one is an escaped brace.
    fn code_at(&self, at: usize, end: usize) -> Option<((usize, usize), usize)> {
        let rest = self.bytes.get(at..end)?;
        let braced = |skip: usize| {
            let close = self.matching(at + skip - 1, end);
            ((at + skip, close), close + 1)
        };
        match self.language {
            Language::Python => match rest {
                [b'{', b'{', ..] | [b'}', b'}', ..] => Some(((at, at), at + 2)),
                [b'{', ..] => Some(braced(1)),
                _ => None,
            },
            Language::Javascript => rest.starts_with(b"${").then(|| braced(2)),
            Language::Ruby => rest.starts_with(b"#{").then(|| braced(2)),
            Language::Php | Language::Perl => {
                if rest.starts_with(b"{$") && self.language == Language::Php {
                    return Some(braced(1));
                }
                if rest.starts_with(b"@{") && self.language == Language::Perl {
                    return Some(braced(2));
                }
                let sigil = rest.first().copied()?;
                if !(sigil == b'$' || (sigil == b'@' && self.language == Language::Perl)) {
                    return None;
                }
                if rest.get(1) == Some(&b'{') {
                    let ((_, close), next) = braced(2);
                    return Some(((at, close + 1), next));
                }
                let mut width = 1;
                while rest.get(width).is_some_and(|&b| b == b'_' || b.is_ascii_alphanumeric()) {
                    width += 1;
                }
                if width == 1 {
                    return None;
                }
                // `$ENV{HOME}`: the element of a hash belongs to the name.
                if self.language == Language::Perl && rest.get(width) == Some(&b'{') {
                    width = (self.matching(at + width, end) + 1).min(end).saturating_sub(at);
                }
                Some(((at, at + width), at + width))
            }
            _ => None,
        }
    }

    /// Lua's `[[text]]`, without escapes.
    pub(super) fn long_string(&mut self, start: usize) {
        self.at += 2;
        let body = self.at;
        while self.at < self.bytes.len() && !self.rest().starts_with(b"]]") {
            self.at += 1;
        }
        let text = self.slice(body, self.at).to_owned();
        self.sound &= self.at < self.bytes.len();
        self.at += 2;
        self.push(TokenKind::Text(Literal { pieces: vec![Piece::Text(text)], ..Literal::default() }), start);
    }

    pub(super) fn regex_here(&self) -> bool {
        matches!(self.language, Language::Javascript | Language::Ruby | Language::Perl) && !self.after_value()
    }

    pub(super) fn regex(&mut self) {
        let start = self.at;
        self.at += 1;
        let mut class = false;
        loop {
            match self.byte(0) {
                0 if self.at >= self.bytes.len() => {
                    self.sound = false;
                    break;
                }
                b'\n' if self.language == Language::Javascript => {
                    self.sound = false;
                    break;
                }
                b'\\' => self.at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class || self.language == Language::Perl => break,
                b'#' if self.language == Language::Ruby && self.byte(1) == b'{' => self.sound = false,
                b'?' | b'(' if self.language == Language::Perl && self.code_in_regex() => self.sound = false,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        while self.byte(0).is_ascii_alphabetic() {
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
    }

    /// `(?{ code })` and `(??{ code })`.
    fn code_in_regex(&self) -> bool {
        self.rest().starts_with(b"(?{") || self.rest().starts_with(b"(??{")
    }
}

/// The longest number in braces, blanks around it included.
const MOST_DIGITS: usize = 16;

/// One escape at the start of `rest`; its width, or `None` for an ordinary escaped character (which is pushed).
fn escape(rest: &str, text: &mut String) -> Option<usize> {
    let mut characters = rest.chars().skip(1);
    let next = characters.next()?;
    let hex = |skip: usize, digits: usize| {
        let value = rest.get(skip..skip + digits).and_then(|d| u32::from_str_radix(d, 16).ok());
        value.and_then(char::from_u32).map(|c| (c, skip + digits))
    };
    // `\u{2e}`, `\x{2e}`
    let braced = || {
        let digits = rest.get(3..)?;
        let digits = digits.get(..digits.bytes().take(MOST_DIGITS).position(|byte| byte == b'}')?)?;
        let character = u32::from_str_radix(digits.trim(), 16).ok().and_then(char::from_u32)?;
        Some((character, digits.len() + 4))
    };
    let decoded = match next {
        'x' | 'u' if rest.get(2..3) == Some("{") => braced(),
        'x' => hex(2, 2),
        'u' => hex(2, 4),
        'U' => hex(2, 8),
        '0'..='7' => {
            let digits: String = rest.chars().skip(1).take(3).take_while(|c| c.is_digit(8)).collect();
            u32::from_str_radix(&digits, 8).ok().and_then(char::from_u32).map(|c| (c, 1 + digits.len()))
        }
        'n' => Some(('\n', 2)),
        't' => Some(('\t', 2)),
        'r' => Some(('\r', 2)),
        '\n' => return Some(2),
        _ => None,
    };
    if let Some((character, width)) = decoded {
        text.push(character);
        Some(width)
    } else {
        text.push(next);
        None
    }
}
