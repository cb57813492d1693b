//! Names that stand for something else in a part of the text: loops, comprehensions, functions without a name.

use super::super::Language;
use super::super::lexer::TokenKind;
use super::super::value::{Arguments, Value};
use super::functions::closing_brace;
use super::{MOST_ALTERNATIVES, Reader};

/// Parameters of more tokens are no parameters.
const LONGEST_PARAMETERS: usize = 1024;

impl Reader<'_> {
    /// Python's `lambda`, behind the word: its parameters hide what else has these names.
    pub(super) fn lambda(&mut self) {
        let mut names = Vec::new();
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Symbol(":") | TokenKind::Line => break,
                TokenKind::Name(name) => names.push(name.clone()),
                _ => {}
            }
            self.advance();
        }
        self.take(":");
        self.hiding(&names, |reader| {
            let value = reader.expression();
            reader.escape(&value);
        });
    }

    /// Reads something while these names stand for what nobody knows.
    pub(crate) fn hiding(&mut self, names: &[String], read: impl FnOnce(&mut Self)) {
        let before: Vec<Option<Value>> =
            names.iter().map(|name| self.names.insert(name.clone(), Value::Unknown)).collect();
        read(self);
        for (name, value) in names.iter().zip(before) {
            match value {
                Some(value) => self.names.insert(name.clone(), value),
                None => self.names.remove(name),
            };
        }
    }

    /// The parameters of an arrow function that begins here (`a => ...`, `(a, b) => ...`), which are taken with the arrow.
    pub(super) fn arrow(&mut self) -> Option<Vec<String>> {
        if self.dialect.language != Language::Javascript {
            return None;
        }
        let mut names = Vec::new();
        let mut offset = 0;
        let mut depth = 0usize;
        while offset < LONGEST_PARAMETERS {
            match self.peek_at(offset)? {
                TokenKind::Name(name) => {
                    names.push(name.clone());
                    if depth == 0 {
                        break;
                    }
                }
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}") => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                TokenKind::Symbol("," | "..." | ":" | "?" | "=") if depth > 0 => {}
                TokenKind::Text(_) | TokenKind::Number if depth > 0 => {}
                _ => return None,
            }
            offset += 1;
        }
        (self.symbol_at(offset + 1)? == "=>").then(|| {
            self.at += offset + 2;
            names
        })
    }

    /// What stands behind the parameters of a function: a block, or an expression.
    pub(super) fn arrow_body(&mut self, names: &[String]) {
        self.skip_lines();
        self.hiding(names, |reader| {
            if reader.take("{") {
                reader.block();
            } else {
                let value = reader.expression();
                reader.escape(&value);
            }
        });
    }

    /// A name is each of the items in turn.
    pub(crate) fn loop_over(&mut self, name: &str, items: Value) {
        let value = match items {
            Value::List(items) if !items.is_empty() && items.len() <= MOST_ALTERNATIVES => {
                Value::OneOf(items)
            }
            value @ Value::File(_) => value,
            value @ (Value::Text(_) | Value::Decoded(_) | Value::Fetched)
                if self.dialect.language == Language::Perl =>
            {
                value
            }
            value => {
                self.escape(&value);
                Value::Unknown
            }
        };
        self.assign(name, value);
    }

    /// `items.map(item => ...)`, behind the bracket: the parameter is each of the items, or what a promise gives.
    pub(crate) fn each(&mut self, receiver: &Value, method: &str) -> Option<Value> {
        let item = match (receiver, method) {
            (Value::List(items), "forEach" | "map" | "filter" | "some" | "every" | "find" | "flatMap")
                if !items.is_empty() && items.len() <= MOST_ALTERNATIVES =>
            {
                Value::OneOf(items.clone())
            }
            (Value::Name(_), "then") => receiver.clone(),
            _ => return None,
        };
        let start = self.at;
        self.take_word("async");
        let Some(names) = self.arrow() else {
            self.at = start;
            return None;
        };
        let mut value = Value::Unknown;
        self.skip_lines();
        self.hiding(&names, |reader| {
            if let Some(name) = names.first() {
                reader.names.insert(name.clone(), item);
            }
            if reader.take("{") {
                reader.block();
            } else {
                value = reader.expression();
            }
        });
        let rest = self.arguments();
        self.pass(&rest);
        Some(match (method, value) {
            ("map", Value::OneOf(items)) => Value::List(items),
            (_, value) => {
                self.escape(&value);
                Value::Unknown
            }
        })
    }

    /// Ruby's `items.each { |item| ... }`: the parameter is each of the items.
    pub(crate) fn block_of(&mut self, receiver: &Value) {
        let opens = match self.peek() {
            Some(TokenKind::Symbol(symbol)) => *symbol == "{",
            Some(TokenKind::Name(word)) => word == "do",
            _ => false,
        };
        if let (Value::List(items), true, Some("|"), Some(TokenKind::Name(name)), Some("|")) =
            (receiver, opens, self.symbol_at(1), self.peek_at(2), self.symbol_at(3))
            && !items.is_empty()
            && items.len() <= MOST_ALTERNATIVES
        {
            let name = name.clone();
            self.assign(&name, Value::OneOf(items.clone()));
        } else if let (Value::File(_), true, Some("|"), Some(TokenKind::Name(name)), Some("|")) =
            (receiver, opens, self.symbol_at(1), self.peek_at(2), self.symbol_at(3))
        {
            let name = name.clone();
            self.assign(&name, receiver.clone());
        }
    }

    /// A call, and in Ruby the block behind it that goes through what it gives: `Dir.glob(pattern) { |file| ... }`.
    pub(super) fn call_with_block(&mut self, name: &str, arguments: &Arguments, start: usize) -> Value {
        let value = self.call(name, arguments, start);
        if self.dialect.language == Language::Ruby && matches!(value, Value::File(_) | Value::List(_)) {
            self.block_of(&value);
        }
        value
    }

    /// JavaScript's `function`, behind the word: one that is followed is known already.
    pub(crate) fn function(&mut self) {
        self.take("*");
        self.take_name();
        let open = self.at;
        let mut depth = 0usize;
        let mut names = Vec::new();
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Symbol("(") => depth += 1,
                TokenKind::Symbol(")") => depth = depth.saturating_sub(1),
                TokenKind::Name(name) => names.push(name.clone()),
                _ => {}
            }
            self.advance();
            if depth == 0 {
                break;
            }
        }
        if self.symbol() != Some("{") {
            self.at = open;
            return;
        }
        match closing_brace(&self.tokens, self.at).filter(|_| self.is_hoisted()) {
            Some(end) => self.at = end + 1,
            _ => {
                self.advance();
                self.hiding(&names, Reader::block);
            }
        }
    }

    /// The names between `for` and `in` take the elements of what follows.
    pub(crate) fn loop_target(&mut self) {
        let mut names = Vec::new();
        let mut offset = 0;
        loop {
            match self.peek_at(offset) {
                Some(TokenKind::Name(name)) if matches!(name.as_str(), "in" | "of") => break,
                Some(TokenKind::Name(name)) if names.len() < MOST_ALTERNATIVES => names.push(name.clone()),
                Some(TokenKind::Symbol("," | "(" | ")" | "[" | "]" | "{" | "}" | "*"))
                    if offset < 4 * MOST_ALTERNATIVES => {}
                _ => return,
            }
            offset += 1;
        }
        self.at += offset + 1;
        let saved = self.bracketed;
        let value = self.expression();
        self.bracketed = saved;
        let names: Vec<String> =
            names.into_iter().filter(|name| !matches!(name.as_str(), "const" | "let" | "var")).collect();
        let value = match value {
            Value::List(items) if items.is_empty() => Value::Unknown,
            Value::List(items) if items.len() <= MOST_ALTERNATIVES => Value::OneOf(items),
            Value::File(_) | Value::Decoded(_) | Value::Fetched => value,
            other => {
                self.escape(&other);
                Value::Unknown
            }
        };
        if let [name] = names.as_slice() {
            return self.assign(name, value);
        }
        for (index, name) in names.iter().enumerate() {
            let part = |item: &Value| match item {
                Value::List(parts) if parts.len() == names.len() => parts.get(index).cloned(),
                _ => None,
            };
            let value = match &value {
                Value::OneOf(items) => items.iter().map(part).collect::<Option<_>>().map(Value::OneOf),
                _ => None,
            };
            let value = match value {
                Some(Value::OneOf(values)) => Value::one_of(values),
                _ => Value::Unknown,
            };
            self.assign(name, value);
        }
    }

    /// The `for` of a comprehension whose element begins here.
    pub(super) fn comprehension(&self) -> Option<usize> {
        if self.dialect.language != Language::Python {
            return None;
        }
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().take(self.to).skip(self.at) {
            match &token.kind {
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}") if depth == 0 => return None,
                TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
                TokenKind::Symbol(",") if depth == 0 => return None,
                TokenKind::Name(word) if depth == 0 && word == "for" && at > self.at => return Some(at),
                _ => {}
            }
        }
        None
    }

    /// `element for name in items if condition`, whose `for` is there: the names have their values before the element.
    pub(super) fn element(&mut self) -> Value {
        let Some(word) = self.comprehension() else { return self.expression() };
        let element = (self.at, word);
        self.at = word;
        let mut filtered = false;
        while let Some(kind) = self.peek() {
            let before = self.at;
            match kind {
                TokenKind::Symbol(")" | "]" | "}" | ",") => break,
                TokenKind::Name(word) if word == "for" => {
                    self.advance();
                    self.loop_target();
                    filtered |= matches!(self.peek(), Some(TokenKind::Name(word)) if word == "for");
                }
                _ => {
                    filtered = true;
                    let value = self.expression();
                    self.escape(&value);
                }
            }
            if self.at == before {
                self.advance();
            }
        }
        let at = std::mem::replace(&mut self.at, element.0);
        let to = std::mem::replace(&mut self.to, element.1);
        let mut values = Vec::new();
        while self.at < self.to {
            let before = self.at;
            values.push(self.expression());
            if self.at == before || self.at < self.to {
                self.advance();
            }
        }
        self.at = at;
        self.to = to;
        match (values.pop(), values.is_empty() && !filtered) {
            (Some(Value::OneOf(items)), true) => Value::List(items),
            (Some(value), true) if value.taint() != Value::Unknown => value.taint(),
            (value, _) => {
                for value in values.iter().chain(&value) {
                    self.escape(value);
                }
                Value::Unknown
            }
        }
    }
}
