//! One reader for the scripting languages: walks every expression of a text once, in order, follows literal values
//! and library names through assignments, and looks every call up in the language's own table.

mod chains;
mod expressions;
mod functions;
mod joining;
mod scopes;
mod survey;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::lexer::{Token, TokenKind, tokens};
use super::value::{Act, HOLE, HOME, Value};
use super::{Code, Language};
use functions::Function;
use survey::Survey;

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

/// More values than so many are not followed one by one.
const MOST_ALTERNATIVES: usize = 64;

/// Lists are not spread into one that has so many elements.
const MOST_SPREAD: usize = 4096;

/// Nesting beyond this is not followed.
const DEEPEST: usize = 60;

/// The state of a walk.
pub(super) struct Reader<'a> {
    pub(super) dialect: &'static Dialect,
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(super) names: HashMap<String, Value>,
    /// Names whose value is not followed, or not to its end.
    survey: Survey,
    /// Functions and classes of the text itself.
    pub(super) defined: HashSet<String>,
    /// Functions of the text whose calls are followed.
    functions: BTreeMap<String, Function>,
    /// The functions that are being called.
    stack: Vec<String>,
    /// How many bodies of functions are being read inside of each other, and the values that names had before.
    entered: usize,
    journal: Vec<(String, Option<Value>)>,
    /// How many calls were followed.
    calls: usize,
    /// What the function that is being called hands back.
    returned: Vec<Value>,
    /// The token behind the class that is being read.
    pub(super) class_end: usize,
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
        survey: survey::survey(dialect.language, text, &tokens, &[]),
        defined: HashSet::new(),
        functions: functions::hoisted(dialect.language, &tokens),
        stack: Vec::new(),
        entered: 0,
        journal: Vec::new(),
        calls: 0,
        returned: Vec::new(),
        class_end: 0,
        code: Code::new(),
        depth,
        bracketed: false,
        directory: None,
    };
    if !sound || depth > DEEPEST {
        reader.code.lose();
    }
    reader.define_all(&tokens);
    reader.tokens = tokens;
    reader.statements();
    reader.finish();
    reader.code
}

impl Reader<'_> {
    /// Which functions and classes exist, before the walk.
    fn define_all(&mut self, tokens: &[Token]) {
        for pair in tokens.windows(2) {
            if let [Token { kind: TokenKind::Name(word), .. }, Token { kind: TokenKind::Name(name), .. }] =
                pair
                && matches!(word.as_str(), "def" | "class" | "function" | "sub")
            {
                self.defined.insert(name.clone());
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

    /// Back to the token before.
    pub(super) fn at_back(&mut self) {
        self.at = self.at.saturating_sub(1);
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
        let value = if self.survey.changing.contains(name) {
            if self.dangerous(&value) {
                self.code.lose();
            }
            Value::Unknown
        } else {
            let growing = self.survey.growing.contains(name);
            match value {
                Value::List(_) if self.survey.reordered.contains(name) => Value::Unknown,
                Value::List(mut items) if growing => {
                    items.push(Value::Unknown);
                    Value::List(items)
                }
                Value::Text(text) | Value::Partial(text) if growing => {
                    Value::Partial(format!("{text}{HOLE}"))
                }
                value => value,
            }
        };
        self.set(name, value);
    }

    /// Gives a name a value for as long as the function that is being read lasts.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        let before = self.names.insert(name.to_owned(), value.bounded());
        if self.entered > 0 {
            self.journal.push((name.to_owned(), before));
        }
    }

    /// `a, b = one, other`, behind the first name: every name takes its part.
    fn unpack(&mut self) -> bool {
        let mut names = Vec::new();
        let mut offset = 0;
        loop {
            match (self.peek_at(offset), self.symbol_at(offset + 1)) {
                (Some(TokenKind::Name(name)), Some(",")) => names.push(name.clone()),
                (Some(TokenKind::Name(name)), Some("=")) if !names.is_empty() => {
                    names.push(name.clone());
                    break;
                }
                _ => return false,
            }
            if names.len() > MOST_ALTERNATIVES {
                return false;
            }
            offset += 2;
        }
        self.at += offset + 2;
        let mut values = vec![self.expression()];
        while self.take(",") {
            values.push(self.expression());
        }
        if let [Value::List(items)] = values.as_slice() {
            values = items.clone();
        }
        self.assign_each(&names, values);
        true
    }

    /// Gives each of the names its value.
    pub(super) fn assign_each(&mut self, names: &[String], values: Vec<Value>) {
        if values.len() != names.len() {
            for value in &values {
                self.escape(value);
            }
        }
        let known = values.len() == names.len();
        let mut values = values.into_iter();
        for name in names {
            let value = values.next().filter(|_| known).unwrap_or(Value::Unknown);
            self.assign(name, value);
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
        if self.unpack() {
            return;
        }
        let first = self.at;
        let value = self.expression();
        if let Some(operator @ ("=" | ":=" | "||=" | "??=" | "+=" | ".=" | "/=")) = self.symbol() {
            let target = (self.at == first + 1).then(|| self.tokens.get(first)).flatten();
            let target = match target.map(|token| &token.kind) {
                Some(TokenKind::Name(name)) => Some(name.clone()),
                _ => None,
            };
            self.advance();
            self.skip_lines();
            match (operator, target) {
                ("=" | ":=" | "||=" | "??=", target) => self.assignment(target.as_deref()),
                (operator, Some(target)) => {
                    let added = self.expression();
                    let operator = operator.strip_suffix('=');
                    let mut value = self.combine(&value, operator, &added);
                    if self.survey.changing.contains(&target) {
                        value = value.taint();
                    }
                    self.set(&target, value);
                }
                (_, None) => self.assignment(None),
            }
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
    if path.starts_with(['/', HOME]) || directory.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", directory.strip_suffix('/').unwrap_or(directory))
    }
}
