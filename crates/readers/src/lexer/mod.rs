//! Tokens of the scripting languages: Python, JavaScript, Ruby, PHP, Perl.
//!
//! One lexer, because the languages differ in quotes and comments more than in anything else that matters here.

mod delimiters;
mod literals;

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
    /// It is a list of words (`qw`, `%w`).
    pub(super) words: bool,
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
    "<=>", "===", "!==", "**=", "//=", "...", "<<=", ">>=", "&&=", "||=", "??=", "=>", "->", "::", "?.",
    "&.", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", ":=", "**", "++",
    "--", "&&", "||", "??", "//", "=~", "!~", "..", "<<", ">>", "(", ")", "[", "]", "{", "}", ",", ";", ":",
    ".", "=", "+", "-", "*", "/", "%", "<", ">", "!", "?", "@", "&", "|", "^", "~", "\\", "$", "#", "`",
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
        // What is still open at the end of the text is looked for beyond it.
        self.tokens.push(Token { kind, start, end: self.at.min(self.text.len()) });
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

    /// Does a function's name stand before, most likely?
    fn after_word(&self) -> bool {
        matches!(self.tokens.last().map(|token| &token.kind),
            Some(TokenKind::Name(name)) if !name.starts_with(['$', '@', '%', '&']))
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
            b'<' if self.language == Language::Perl
                && (!self.after_value() || self.after_word())
                && self.angle() => {}
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
        // What follows is data.
        if matches!(self.language, Language::Perl | Language::Ruby)
            && matches!(word.as_str(), "__END__" | "__DATA__")
            && (start == 0 || self.bytes.get(start - 1) == Some(&b'\n'))
        {
            self.at = self.bytes.len();
            return;
        }
        if self.language == Language::Ruby && matches!(next, b'?' | b'!') && self.byte(1) != b'=' {
            self.at += 1;
            let word = self.slice(start, self.at).to_owned();
            return self.push(TokenKind::Name(word), start);
        }
        if self.language == Language::Perl && (self.file_test() || self.perl_quote(&word, start)) {
            return;
        }
        while self.language == Language::Perl
            && self.rest().starts_with(b"::")
            && self.byte(2).is_ascii_alphabetic()
        {
            self.at += 2;
            while self.byte(0) == b'_' || self.byte(0).is_ascii_alphanumeric() || self.byte(0) >= 0x80 {
                self.at += 1;
            }
        }
        let word = self.slice(start, self.at).to_owned();
        self.push(TokenKind::Name(word), start);
    }

    /// Perl's `-s $file`, behind the letter: an operator that asks about a file.
    fn file_test(&mut self) -> bool {
        let letter = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        let dash = self.tokens.last().filter(|token| token.kind == TokenKind::Symbol("-"));
        let asks = dash.is_some_and(|dash| dash.end + 1 == self.at)
            && letter.is_some_and(|letter| b"rwxoRWXOezsfdlpSugkbctTBAMC".contains(letter))
            && !self.slice(self.at, self.bytes.len()).trim_start().starts_with("=>");
        let minus = self.tokens.pop_if(|_| asks);
        let asks = asks && !self.after_value();
        self.tokens.extend(minus);
        asks
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
                        if let TokenKind::Name(name) = &mut token.kind {
                            name.insert(0, '$');
                        }
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
            // Nothing but a name begins with an at sign.
            Language::Perl if byte == b'@' || (matches!(byte, b'%' | b'&') && !self.after_value()) => {
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
        loop {
            // `$Module::name`
            let parted = self.language == Language::Perl && self.byte(0) == b':' && self.byte(1) == b':';
            if name(self.byte(0)) || self.byte(0).is_ascii_digit() {
                self.at += 1;
            } else if parted && name(self.byte(2)) {
                self.at += 2;
            } else {
                break;
            }
        }
        let word = self.slice(start, self.at).to_owned();
        self.push(TokenKind::Name(word), start);
        true
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
        let inside = self.slice(start + 1, start + end).to_owned();
        self.at += end + 1;
        if inside.contains(['/', '*', '~']) && !inside.contains(['$', '<']) {
            // The same as `glob("...")`.
            let text = Literal { pieces: vec![Piece::Text(inside)], ..Literal::default() };
            self.push(TokenKind::Name("glob".to_owned()), start);
            self.push(TokenKind::Symbol("("), start);
            self.push(TokenKind::Text(text), start);
            self.push(TokenKind::Symbol(")"), start);
            return true;
        }
        if self.byte(0) == b'>' {
            self.at += 1;
        }
        self.push(TokenKind::Number, start);
        true
    }
}
