//! Tokens of the scripting languages: Python, JavaScript, Ruby, PHP, Perl.
//!
//! One lexer, because the languages differ in quotes and comments more than in anything else that matters here.

use super::Language;

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A name, with its sigil where the language has them.
    Name(String),
    /// A string.
    Text(Literal),
    /// A number or a regular expression.
    Number,
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end of a line, where that can end a statement.
    Line,
}

/// A string literal.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Literal {
    /// Text and interpolated code, in order.
    pub(super) pieces: Vec<Piece>,
    /// A shell runs it (backquotes, `qx`, `%x`).
    pub(super) shell: bool,
}

/// A piece of a literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    /// Text.
    Text(String),
    /// Code between these bytes.
    Code(usize, usize),
}

const SYMBOLS: &[&str] = &[
    "<=>", "===", "!==", "**=", "...", "<<=", ">>=", "&&=", "||=", "??=", "=>", "->", "::", "?.", "&.", "==",
    "!=", "<=", ">=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", ":=", "**", "++", "--", "&&",
    "||", "??", "=~", "!~", "..", "<<", ">>", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "+",
    "-", "*", "/", "%", "<", ">", "!", "?", "@", "&", "|", "^", "~", "\\", "$", "#", "`",
];

/// Reads the tokens of `text[from..to]`; `false` where something did not close.
pub(super) fn tokens(language: Language, text: &str, from: usize, to: usize) -> (Vec<Token>, bool) {
    let mut lexer = Lexer {
        language,
        text,
        bytes: text.as_bytes().get(..to).unwrap_or_default(),
        at: from,
        tokens: Vec::new(),
        brackets: 0,
        heredocs: Vec::new(),
        sound: true,
    };
    lexer.run();
    (lexer.tokens, lexer.sound)
}

struct Lexer<'a> {
    language: Language,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    brackets: usize,
    /// Heredocs whose bodies start on the next line: token index, delimiter, interpolated.
    heredocs: Vec<(usize, String, bool)>,
    sound: bool,
}

impl Lexer<'_> {
    fn byte(&self, offset: usize) -> u8 {
        self.bytes.get(self.at + offset).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at });
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// May a value end at the last token? Then `/` divides and `%` is an operator.
    fn after_value(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            None | Some(TokenKind::Line) => false,
            Some(TokenKind::Name(name)) => !matches!(
                name.as_str(),
                "return"
                    | "typeof"
                    | "case"
                    | "in"
                    | "of"
                    | "and"
                    | "or"
                    | "not"
                    | "if"
                    | "unless"
                    | "while"
                    | "until"
                    | "when"
                    | "split"
                    | "grep"
                    | "map"
                    | "print"
                    | "puts"
                    | "p"
                    | "x"
                    | "then"
                    | "else"
                    | "elsif"
                    | "do"
                    | "yield"
                    | "await"
                    | "void"
                    | "delete"
            ),
            Some(TokenKind::Text(_) | TokenKind::Number) => true,
            Some(TokenKind::Symbol(symbol)) => matches!(*symbol, ")" | "]" | "}" | "++" | "--"),
        }
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            self.one();
        }
    }

    fn one(&mut self) {
        let start = self.at;
        let byte = self.byte(0);
        let lines = matches!(self.language, Language::Python | Language::Javascript | Language::Ruby);
        match byte {
            b'\n' => {
                self.at += 1;
                if lines && !(self.language == Language::Python && self.brackets > 0) {
                    self.push(TokenKind::Line, start);
                }
                self.bodies();
            }
            b'\\' if self.byte(1) == b'\n' => self.at += 2,
            b if b.is_ascii_whitespace() => self.at += 1,
            b'#' if self.hash_comment() => self.skip_line(),
            b'-' if self.byte(1) == b'-' && self.language == Language::Lua => self.skip_line(),
            b'[' if self.byte(1) == b'[' && self.language == Language::Lua => self.long_string(start),
            b'/' if self.byte(1) == b'/' && matches!(self.language, Language::Javascript | Language::Php) => {
                self.skip_line();
            }
            b'/' if self.byte(1) == b'*' && matches!(self.language, Language::Javascript | Language::Php) => {
                self.at += 2;
                while self.at < self.bytes.len() && !self.rest().starts_with(b"*/") {
                    self.at += 1;
                }
                self.at += 2;
            }
            b'=' if self.language != Language::Python && self.pod() => {}
            b'<' if self.heredoc() => {}
            b'<' if self.language == Language::Perl && !self.after_value() && self.angle() => {}
            b'0'..=b'9' => self.number(),
            b'"' | b'\'' | b'`' => self.quoted(start, false, false),
            b'/' if self.regex_here() => self.regex(),
            b'%' if self.language == Language::Ruby && !self.after_value() && self.percent() => {}
            b'$' | b'@' | b'%' | b'&' if self.sigil() => {}
            _ if byte == b'_' || byte.is_ascii_alphabetic() || byte >= 0x80 => self.word(),
            _ => self.symbol(),
        }
    }

    fn hash_comment(&self) -> bool {
        match self.language {
            Language::Lua => false,
            Language::Javascript => self.at == 0 && self.byte(1) == b'!',
            Language::Perl => !matches!(self.bytes.get(self.at.wrapping_sub(1)), Some(b'$')),
            _ => true,
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.at += 1;
        }
    }

    /// Lua's `[[text]]`, without escapes.
    fn long_string(&mut self, start: usize) {
        self.at += 2;
        let body = self.at;
        while self.at < self.bytes.len() && !self.rest().starts_with(b"]]") {
            self.at += 1;
        }
        let text = self.slice(body, self.at).to_owned();
        self.sound &= self.at < self.bytes.len();
        self.at += 2;
        self.push(TokenKind::Text(Literal { pieces: vec![Piece::Text(text)], shell: false }), start);
    }

    /// Perl's documentation and Ruby's `=begin`.
    fn pod(&mut self) -> bool {
        let starts = self.at == 0 || self.bytes.get(self.at - 1) == Some(&b'\n');
        if !starts || !self.byte(1).is_ascii_alphabetic() || self.language == Language::Javascript {
            return false;
        }
        let end = if self.language == Language::Ruby { "\n=end" } else { "\n=cut" };
        let rest = self.slice(self.at, self.bytes.len());
        match rest.find(end) {
            Some(found) => {
                self.at += found + end.len();
                self.skip_line();
            }
            None => self.at = self.bytes.len(),
        }
        true
    }

    fn number(&mut self) {
        let start = self.at;
        while self.byte(0).is_ascii_alphanumeric()
            || self.byte(0) == b'_'
            || (self.byte(0) == b'.' && self.byte(1).is_ascii_digit())
        {
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
    }

    fn word(&mut self) {
        let start = self.at;
        while self.byte(0) == b'_'
            || self.byte(0).is_ascii_alphanumeric()
            || self.byte(0) >= 0x80
            || (self.byte(0) == b'$' && self.language == Language::Javascript)
        {
            self.at += 1;
        }
        let word = self.slice(start, self.at).to_owned();
        let next = self.byte(0);
        if self.language == Language::Python
            && matches!(next, b'"' | b'\'')
            && word.len() <= 2
            && word.bytes().all(|b| b"rRbBfFuUtT".contains(&b))
        {
            let lower = word.to_ascii_lowercase();
            return self.quoted(start, lower.contains('r'), lower.contains('f') || lower.contains('t'));
        }
        if self.language == Language::Ruby && matches!(next, b'?' | b'!') && self.byte(1) != b'=' {
            self.at += 1;
            let word = self.slice(start, self.at).to_owned();
            return self.push(TokenKind::Name(word), start);
        }
        if self.language == Language::Perl && self.perl_quote(&word, start) {
            return;
        }
        if matches!(self.language, Language::Perl)
            && self.rest().starts_with(b"::")
            && self.byte(2).is_ascii_alphabetic()
        {
            self.at += 2;
            self.word();
            if let Some(TokenKind::Name(last)) = self.tokens.last_mut().map(|token| &mut token.kind) {
                *last = format!("{word}::{last}");
            }
            if let Some(token) = self.tokens.last_mut() {
                token.start = start;
            }
            return;
        }
        self.push(TokenKind::Name(word), start);
    }

    fn symbol(&mut self) {
        let start = self.at;
        let found = SYMBOLS.iter().copied().find(|symbol| self.rest().starts_with(symbol.as_bytes()));
        let Some(symbol) = found else {
            self.at += 1;
            return;
        };
        match symbol {
            "(" | "[" | "{" => self.brackets += 1,
            ")" | "]" | "}" => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        self.at += symbol.len();
        self.push(TokenKind::Symbol(symbol), start);
    }

    /// `$x`, `@x`, `%x`, `&x` where they are names.
    fn sigil(&mut self) -> bool {
        let start = self.at;
        let byte = self.byte(0);
        let name = |b: u8| b == b'_' || b.is_ascii_alphabetic() || b >= 0x80;
        match self.language {
            Language::Javascript if byte == b'$' => {
                self.at += 1;
                if name(self.byte(0)) || self.byte(0) == b'$' {
                    self.word();
                    if let Some(token) = self.tokens.last_mut() {
                        token.start = start;
                    }
                } else {
                    self.push(TokenKind::Name("$".to_owned()), start);
                }
                return true;
            }
            Language::Php if byte == b'$' && name(self.byte(1)) => self.at += 1,
            Language::Ruby if byte == b'@' => {
                self.at += 1 + usize::from(self.byte(1) == b'@');
            }
            Language::Ruby if byte == b'$' => {
                self.at += 1;
                if !name(self.byte(0)) {
                    self.at += 1;
                }
            }
            Language::Perl if byte == b'$' => {
                self.at += 1;
                while self.byte(0) == b'$' && (name(self.byte(1)) || self.byte(1) == b'{') {
                    self.at += 1;
                }
                if self.byte(0) == b'{' {
                    // `${name}` is a name, `${ expression }` a bracket.
                    let mut end = 1;
                    while self.byte(end).is_ascii_alphanumeric() || self.byte(end) == b'_' {
                        end += 1;
                    }
                    if self.byte(end) == b'}' {
                        let word = format!("${}", self.slice(self.at + 1, self.at + end));
                        self.at += end + 1;
                        self.push(TokenKind::Name(word), start);
                    } else {
                        self.push(TokenKind::Symbol("$"), start);
                    }
                    return true;
                }
                if !name(self.byte(0)) {
                    // Punctuation and digit variables: `$_`, `$1`, `$!`, `$/`, `$#array`.
                    self.at += 1;
                    while self.byte(0).is_ascii_digit() {
                        self.at += 1;
                    }
                    if self.bytes.get(self.at - 1) != Some(&b'#') {
                        let word = self.slice(start, self.at).to_owned();
                        self.push(TokenKind::Name(word), start);
                        return true;
                    }
                }
            }
            Language::Perl if matches!(byte, b'@' | b'%' | b'&') && !self.after_value() => {
                if !name(self.byte(1)) && !matches!(self.byte(1), b'$' | b'{') {
                    return false;
                }
                self.at += 1;
                if matches!(self.byte(0), b'$' | b'{') {
                    return true;
                }
            }
            _ => return false,
        }
        while name(self.byte(0)) || self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
        let word = self.slice(start, self.at).to_owned();
        self.push(TokenKind::Name(word), start);
        true
    }

    fn regex_here(&self) -> bool {
        matches!(self.language, Language::Javascript | Language::Ruby | Language::Perl)
            && !self.after_value()
            && self.byte(1) != b'='
    }

    fn regex(&mut self) {
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

    /// `<FH>`, `<>`, `<*.c>`.
    fn angle(&mut self) -> bool {
        let start = self.at;
        let mut end = 1;
        while !matches!(self.byte(end), 0 | b'\n' | b'>' | b' ' | b';') {
            end += 1;
        }
        if self.byte(end) != b'>' {
            return false;
        }
        self.at += end + 1;
        if self.byte(0) == b'>' {
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
        true
    }

    /// A string that starts at the quote under the cursor.
    fn quoted(&mut self, start: usize, raw: bool, format: bool) {
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
                self.at = self.matching(self.at + 1) + 1;
                continue;
            }
            if interpolated && self.language == Language::Ruby && self.rest().starts_with(b"#{") {
                self.at = self.matching(self.at + 1) + 1;
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

    /// The bracket that closes the one at `open`, strings inside skipped.
    fn matching(&self, open: usize) -> usize {
        let Some(&opening) = self.bytes.get(open) else { return self.bytes.len() };
        let closing = closing(opening);
        let mut depth = 0usize;
        let mut at = open;
        let mut quote = 0u8;
        while let Some(&byte) = self.bytes.get(at) {
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
        self.bytes.len()
    }

    /// Resolves escapes and finds the interpolated code of `text[body..end]`.
    fn literal(&mut self, body: usize, end: usize, raw: bool, interpolated: bool) -> Literal {
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
            let close = self.matching(at + skip - 1).min(end);
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
                    width = (self.matching(at + width) + 1).min(end).saturating_sub(at);
                }
                Some(((at, at + width), at + width))
            }
            _ => None,
        }
    }

    /// Perl's `q qq qw qx m qr s tr y` with any delimiter.
    fn perl_quote(&mut self, word: &str, start: usize) -> bool {
        if !matches!(word, "q" | "qq" | "qw" | "qx" | "m" | "qr" | "s" | "tr" | "y") {
            return false;
        }
        if matches!(self.tokens.last().map(|t| &t.kind), Some(TokenKind::Symbol("->"))) {
            return false;
        }
        let mut open = self.at;
        while self.bytes.get(open).is_some_and(u8::is_ascii_whitespace) {
            open += 1;
        }
        let Some(&delimiter) = self.bytes.get(open) else { return false };
        if delimiter.is_ascii_alphanumeric()
            || matches!(delimiter, b'_' | b',' | b';' | b')' | b'}' | b'=')
            || (delimiter == b'#' && open != self.at)
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
                let kind = TokenKind::Text(Literal { pieces: vec![Piece::Text(words)], shell: false });
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
        self.push(TokenKind::Text(Literal { pieces, shell: false }), start);
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

    /// Ruby's `%w[] %i[] %q() %Q() %x() %r() %()`.
    fn percent(&mut self) -> bool {
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
        self.push(TokenKind::Text(literal), start);
        true
    }

    /// `<<EOT`, `<<~'EOT'`, `<<<EOT`: the token; its body follows the line.
    fn heredoc(&mut self) -> bool {
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

    fn bodies(&mut self) {
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

fn closing(opening: u8) -> u8 {
    match opening {
        b'(' => b')',
        b'[' => b']',
        b'{' => b'}',
        b'<' => b'>',
        other => other,
    }
}

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
        let (digits, _) = rest.get(3..)?.split_once('}')?;
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
