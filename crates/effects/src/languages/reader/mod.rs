//! One reader for the scripting languages: walks every expression of a text once, in order, follows literal values
//! and library names through assignments, and looks every call up in the language's own table.

mod chains;
mod expressions;

use std::collections::{HashMap, HashSet};

use super::lexer::{Token, TokenKind, tokens};
use super::value::{Act, Value};
use super::{Code, Language};

/// What makes one scripting language differ from another.
pub(super) struct Dialect {
    /// Which.
    pub(super) language: Language,
    /// What calling a function does, by its full name; a builtin has a bare one.
    pub(super) function: fn(&str) -> Option<Act>,
    /// What calling a method does on a value of which nothing is known.
    pub(super) method: fn(&str, usize) -> Option<Act>,
    /// Everything below this full name only computes.
    pub(super) harmless: fn(&str) -> bool,
    /// The module is known, so loading it does nothing.
    pub(super) module: fn(&str) -> bool,
    /// Words that are no values; they part expressions.
    pub(super) keyword: fn(&str) -> bool,
    /// Reads a statement that starts with a word of its own; `false` where the word is nothing special.
    pub(super) statement: fn(&mut Reader<'_>, &str) -> bool,
    /// Calling a name that nobody defined is an error at run time, not a call of something unknown.
    pub(super) undefined_fails: bool,
    /// Calls need no brackets (`system "ls"`).
    pub(super) bare_calls: bool,
}

/// Nesting beyond this is not followed.
const DEEPEST: usize = 60;

/// The state of a walk.
pub(super) struct Reader<'a> {
    pub(super) dialect: &'static Dialect,
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(super) names: HashMap<String, Value>,
    /// Names that are assigned more than once: their value is not followed.
    changing: HashSet<String>,
    /// Functions and classes of the text itself.
    pub(super) defined: HashSet<String>,
    pub(super) code: Code,
    depth: usize,
    /// Inside round or square brackets, where a line's end means nothing.
    bracketed: bool,
    /// Where `chdir` went: `Some(None)` if that is computed.
    pub(super) directory: Option<Option<String>>,
}

/// Reads a whole text.
pub(super) fn read(dialect: &'static Dialect, text: &str, depth: usize) -> Code {
    let (tokens, sound) = tokens(dialect.language, text, 0, text.len());
    let mut reader = Reader {
        dialect,
        text,
        tokens: Vec::new(),
        at: 0,
        names: HashMap::new(),
        changing: HashSet::new(),
        defined: HashSet::new(),
        code: Code::new(),
        depth,
        bracketed: false,
        directory: None,
    };
    if !sound || depth > DEEPEST {
        reader.code.lose();
    }
    reader.survey(&tokens);
    reader.tokens = tokens;
    reader.statements();
    reader.code
}

impl Reader<'_> {
    /// Which names change and which functions exist, before the walk.
    fn survey(&mut self, tokens: &[Token]) {
        let mut assigned = HashSet::new();
        for pair in tokens.windows(2) {
            let [first, second] = pair else { continue };
            let (TokenKind::Name(name), TokenKind::Symbol(symbol)) = (&first.kind, &second.kind) else {
                if let (TokenKind::Name(word), TokenKind::Name(name)) = (&first.kind, &second.kind) {
                    if matches!(word.as_str(), "def" | "class" | "function" | "sub") {
                        self.defined.insert(name.clone());
                    } else if word == "for" && !assigned.insert(name.clone()) {
                        self.changing.insert(name.clone());
                    }
                }
                continue;
            };
            let once = matches!(*symbol, "=" | ":=");
            let again = matches!(*symbol, "+=" | ".=" | "/=" | "||=" | "??=" | "%=" | "-=" | "*=" | "++");
            if again || (once && !assigned.insert(name.clone())) {
                self.changing.insert(name.clone());
            }
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<&TokenKind> {
        self.tokens.get(self.at + offset).map(|token| &token.kind)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn symbol(&self) -> Option<&'static str> {
        match self.peek() {
            Some(TokenKind::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn symbol_at(&self, offset: usize) -> Option<&'static str> {
        match self.peek_at(offset) {
            Some(TokenKind::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<String> {
        match self.peek() {
            Some(TokenKind::Name(name)) => Some(name.clone()),
            _ => None,
        }
    }

    pub(super) fn take_name(&mut self) -> Option<String> {
        let name = self.name()?;
        self.advance();
        Some(name)
    }

    pub(super) fn take(&mut self, symbol: &str) -> bool {
        let found = self.symbol() == Some(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(TokenKind::Name(name)) if name == word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn skip_lines(&mut self) {
        while self.peek() == Some(&TokenKind::Line) {
            self.advance();
        }
    }

    pub(super) fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |token| token.start)
    }

    pub(super) fn end(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.end)
    }

    /// Is the word anywhere between the token at `from` and here?
    pub(super) fn mentions(&self, from: usize, word: &str) -> bool {
        self.tokens
            .iter()
            .take(self.at)
            .rev()
            .take_while(|token| token.start >= from)
            .any(|token| matches!(&token.kind, TokenKind::Name(name) if name == word))
    }

    /// Gives a name a value, unless the name takes several.
    pub(super) fn assign(&mut self, name: &str, value: Value) {
        if self.changing.contains(name) {
            let library = matches!(value, Value::Name(_));
            if library && self.dangerous(&value) {
                self.code.lose();
            }
            self.names.insert(name.to_owned(), Value::Unknown);
        } else {
            self.names.insert(name.to_owned(), value);
        }
    }

    fn statements(&mut self) {
        loop {
            match self.peek() {
                None => return,
                Some(TokenKind::Symbol("}")) if self.bracketed => return,
                _ => {}
            }
            let before = self.at;
            self.statement();
            if self.at == before {
                self.advance();
            }
        }
    }

    /// One statement, up to what ends it.
    fn statement(&mut self) {
        self.skip_lines();
        while matches!(self.symbol(), Some(";" | "," | ":" | ")" | "]")) {
            self.advance();
            self.skip_lines();
        }
        if let Some(word) = self.name() {
            let function = self.dialect.statement;
            if function(self, &word) {
                return;
            }
        }
        let first = self.at;
        let value = self.expression();
        if matches!(self.symbol(), Some("=" | ":=" | "||=" | "??=" | "+=" | ".=")) {
            let target = (self.at == first + 1).then(|| self.tokens.get(first)).flatten();
            let target = match target.map(|token| &token.kind) {
                Some(TokenKind::Name(name)) => Some(name.clone()),
                _ => None,
            };
            self.advance();
            self.skip_lines();
            self.assignment(target.as_deref());
        } else {
            self.discard(&value);
        }
    }

    /// The right side of an assignment, also of a chain of them.
    pub(super) fn assignment(&mut self, target: Option<&str>) {
        let first = self.at;
        let mut value = self.expression();
        if self.symbol() == Some("=") && self.at == first + 1 {
            let inner = self.tokens.get(first).and_then(|token| match &token.kind {
                TokenKind::Name(name) => Some(name.clone()),
                _ => None,
            });
            self.advance();
            self.assignment(inner.as_deref());
            value = inner.and_then(|name| self.names.get(&name).cloned()).unwrap_or(Value::Unknown);
        }
        match target {
            Some(target) => self.assign(target, value),
            None => self.escape(&value),
        }
    }

    /// A value that nobody uses; in languages without brackets a bare name is a call.
    fn discard(&mut self, value: &Value) {
        let called = match value {
            Value::Name(name) => (self.dialect.function)(name).is_some(),
            _ => false,
        };
        if self.dialect.bare_calls && called {
            self.escape(value);
        }
    }

    /// Statements up to the closing brace, which is taken.
    pub(super) fn block(&mut self) {
        let outer = std::mem::replace(&mut self.bracketed, false);
        self.depth += 1;
        if self.depth > DEEPEST {
            self.code.lose();
            self.at = self.tokens.len();
        }
        loop {
            self.skip_lines();
            match self.symbol() {
                Some("}") => {
                    self.advance();
                    break;
                }
                None if self.peek().is_none() => break,
                _ => {}
            }
            let before = self.at;
            self.statement();
            if self.at == before {
                self.advance();
            }
        }
        self.depth -= 1;
        self.bracketed = outer;
    }
}

/// Joins a path and what is below it.
pub(super) fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", directory.strip_suffix('/').unwrap_or(directory))
    }
}
