//! Expressions: every part of one is looked at, and its value is known where it is simple.

use super::super::Language;
use super::super::lexer::{Literal, Piece, Token, TokenKind, tokens};
use super::super::value::Value;
use super::{DEEPEST, Reader, join};

impl Reader<'_> {
    /// One expression: every part of it is looked at, its value is known where it is simple.
    pub(in crate::languages) fn expression(&mut self) -> Value {
        let mut result: Option<Value> = None;
        let mut operator: Option<&'static str> = None;
        loop {
            match self.peek() {
                None => break,
                Some(TokenKind::Line) => {
                    if self.bracketed || operator.is_some() || self.continues() {
                        self.advance();
                        continue;
                    }
                    break;
                }
                Some(TokenKind::Symbol("," | ")" | "]" | "}" | ";" | "=" | ":=")) => break,
                Some(TokenKind::Symbol(":")) if !self.symbol_literal() => break,
                Some(TokenKind::Symbol("||=" | "??=" | "+=" | ".=")) => break,
                Some(TokenKind::Symbol("(" | "[" | "{" | ":" | "\\")) => {}
                Some(TokenKind::Symbol(symbol)) => {
                    operator = Some(symbol);
                    self.advance();
                    continue;
                }
                Some(TokenKind::Name(word)) if (self.dialect.keyword)(word) => {
                    if result.is_some() && starts_statement(self.dialect.language, word) {
                        break;
                    }
                    if word == "for" {
                        self.advance();
                        self.loop_target();
                    } else {
                        self.advance();
                    }
                    operator = Some("word");
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let value = self.primary();
            if self.at == before {
                self.advance();
            }
            result = Some(match (result.take(), operator.take()) {
                (None, None | Some("!" | "-" | "+" | "*" | "**" | "...")) => value,
                (None, Some("word")) => value,
                (None, Some(_)) => {
                    self.escape(&value);
                    Value::Unknown
                }
                (Some(left), operator) => self.combine(left, operator, value),
            });
        }
        result.unwrap_or(Value::Unknown)
    }

    /// Ruby's `:name`.
    pub(super) fn symbol_literal(&self) -> bool {
        self.dialect.language == Language::Ruby
            && matches!(
                (self.tokens.get(self.at), self.tokens.get(self.at + 1)),
                (Some(colon), Some(Token { kind: TokenKind::Name(_), start, .. })) if colon.end == *start
            )
            && !matches!(
                self.at.checked_sub(1).and_then(|at| self.tokens.get(at)),
                Some(Token { kind: TokenKind::Name(_) | TokenKind::Text(_), end, .. }) if *end == self.start()
            )
    }

    /// Does the next line go on with this expression?
    fn continues(&self) -> bool {
        let mut offset = 0;
        while self.peek_at(offset) == Some(&TokenKind::Line) {
            offset += 1;
        }
        match self.symbol_at(offset) {
            Some("." | "?." | "&.") => true,
            Some("+" | "?" | ":" | "&&" | "||" | "??" | "*" | "=>" | "|") => {
                self.dialect.language == Language::Javascript
            }
            _ => false,
        }
    }

    /// The expression of Python's `with`, which ends before `as`.
    pub(in crate::languages) fn expression_until_as(&mut self) -> Value {
        let value = self.primary();
        match self.peek() {
            Some(TokenKind::Name(word)) if word == "as" => value,
            Some(TokenKind::Symbol("," | ":")) => value,
            _ => {
                let rest = self.expression();
                self.combine(value, Some("word"), rest)
            }
        }
    }

    fn combine(&mut self, left: Value, operator: Option<&'static str>, right: Value) -> Value {
        match (operator, &left, &right) {
            (Some("+"), Value::Text(a), Value::Text(b)) => return Value::Text(format!("{a}{b}")),
            (Some("."), Value::Text(a), Value::Text(b))
                if matches!(self.dialect.language, Language::Php | Language::Perl) =>
            {
                return Value::Text(format!("{a}{b}"));
            }
            (Some(".."), Value::Text(a), Value::Text(b)) if self.dialect.language == Language::Lua => {
                return Value::Text(format!("{a}{b}"));
            }
            (Some("+"), Value::List(a), Value::List(b)) => {
                return Value::List(a.iter().chain(b).cloned().collect());
            }
            (Some("/"), Value::File(path), right) => {
                let joined = path.as_deref().zip(right.text()).map(|(a, b)| join(a, &b));
                return Value::File(joined);
            }
            _ => {}
        }
        self.escape(&left);
        self.escape(&right);
        match (left, right) {
            (Value::Fetched, _) | (_, Value::Fetched) => Value::Fetched,
            (Value::Decoded, _) | (_, Value::Decoded) => Value::Decoded,
            _ => Value::Unknown,
        }
    }

    /// The names between `for` and `in` take the elements of what follows.
    pub(in crate::languages) fn loop_target(&mut self) {
        let mut names = Vec::new();
        let mut offset = 0;
        loop {
            match self.peek_at(offset) {
                Some(TokenKind::Name(name)) if matches!(name.as_str(), "in" | "of") => break,
                Some(TokenKind::Name(name)) => names.push(name.clone()),
                Some(TokenKind::Symbol("," | "(" | ")" | "[" | "]" | "{" | "}" | "*")) => {}
                _ => return,
            }
            offset += 1;
        }
        self.at += offset + 1;
        let saved = self.bracketed;
        let value = self.expression();
        self.bracketed = saved;
        let value = match value {
            Value::List(_) | Value::File(_) | Value::Decoded | Value::Fetched => value,
            other => {
                self.escape(&other);
                Value::Unknown
            }
        };
        let names: Vec<String> =
            names.into_iter().filter(|name| !matches!(name.as_str(), "const" | "let" | "var")).collect();
        if let [name] = names.as_slice() {
            self.assign(name, value);
        } else {
            for name in &names {
                self.assign(name, Value::Unknown);
            }
        }
    }

    fn primary(&mut self) -> Value {
        let start = self.start();
        match self.peek().cloned() {
            Some(TokenKind::Text(literal)) => {
                self.advance();
                let mut value = self.literal(&literal, start);
                while let Some(TokenKind::Text(next)) = self.peek().cloned() {
                    if self.dialect.language == Language::Perl
                        || self.dialect.language == Language::Javascript
                    {
                        break;
                    }
                    self.advance();
                    let next = self.literal(&next, start);
                    value = self.combine(value, Some("+"), next);
                }
                self.chain(value, start, None)
            }
            Some(TokenKind::Number) => {
                self.advance();
                self.chain(Value::Plain, start, None)
            }
            Some(TokenKind::Name(name)) => {
                self.advance();
                let value = self.lookup(&name);
                self.chain(value, start, Some(&name))
            }
            Some(TokenKind::Symbol(":")) => {
                self.advance();
                self.take_name().map_or(Value::Unknown, Value::Text)
            }
            Some(TokenKind::Symbol("(")) => {
                self.advance();
                let mut items = self.items(")");
                let value = match items.len() {
                    1 => items.pop().unwrap_or(Value::Unknown),
                    _ => Value::List(items),
                };
                self.chain(value, start, None)
            }
            Some(TokenKind::Symbol("[")) => {
                self.advance();
                let items = self.items("]");
                self.chain(Value::List(items), start, None)
            }
            Some(TokenKind::Symbol("{")) => {
                self.advance();
                self.block();
                self.chain(Value::Unknown, start, None)
            }
            _ => {
                self.advance();
                Value::Unknown
            }
        }
    }

    fn lookup(&mut self, name: &str) -> Value {
        if let Some(value) = self.names.get(name) {
            return value.clone();
        }
        if matches!(name, "False" | "None" | "false" | "null" | "nil" | "undefined") {
            return Value::Plain;
        }
        let known = (self.dialect.function)(name).is_some() || (self.dialect.module)(name);
        if known && !self.defined.contains(name) { Value::Name(name.to_owned()) } else { Value::Unknown }
    }

    /// Comma-separated expressions up to the closing bracket, which is taken.
    pub(super) fn items(&mut self, close: &str) -> Vec<Value> {
        let outer = std::mem::replace(&mut self.bracketed, true);
        self.depth += 1;
        if self.depth > DEEPEST {
            self.code.lose();
            self.at = self.tokens.len();
        }
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None => break,
                Some(TokenKind::Symbol(symbol)) if *symbol == close => {
                    self.advance();
                    break;
                }
                Some(TokenKind::Symbol(
                    "," | ";" | ":" | "=" | ":=" | ")" | "]" | "}" | "+=" | ".=" | "||=" | "??=",
                ))
                | Some(TokenKind::Line) => self.advance(),
                _ => {
                    let word = self.name().unwrap_or_default();
                    let function = self.dialect.statement;
                    if !word.is_empty()
                        && starts_statement(self.dialect.language, &word)
                        && function(self, &word)
                    {
                        continue;
                    }
                    let before = self.at;
                    let value = self.expression();
                    if self.at == before {
                        self.advance();
                    }
                    items.push(value);
                }
            }
        }
        self.depth -= 1;
        self.bracketed = outer;
        items
    }

    pub(super) fn literal(&mut self, literal: &Literal, start: usize) -> Value {
        let mut whole = Some(String::new());
        let mut taint = Value::Unknown;
        for piece in &literal.pieces {
            match piece {
                Piece::Text(text) => {
                    if let Some(whole) = &mut whole {
                        whole.push_str(text);
                    }
                }
                Piece::Code(from, to) if from == to => whole = None,
                Piece::Code(from, to) => {
                    let value = self.nested(*from, *to);
                    self.escape(&value);
                    if matches!(value, Value::Decoded | Value::Fetched) {
                        taint = value.clone();
                    }
                    whole = whole.zip(value.text()).map(|(whole, text)| whole + &text);
                }
            }
        }
        if literal.shell {
            let end = self.end();
            let text = self.in_directory(whole);
            self.code.shell.push((text, start, end));
            return Value::Unknown;
        }
        whole.map_or(taint, Value::Text)
    }

    /// Code inside a string.
    fn nested(&mut self, from: usize, to: usize) -> Value {
        let (inner, sound) = tokens(self.dialect.language, self.text, from, to);
        if !sound || self.depth > DEEPEST {
            self.code.lose();
            return Value::Unknown;
        }
        let outer = std::mem::replace(&mut self.tokens, inner);
        let at = std::mem::replace(&mut self.at, 0);
        let bracketed = std::mem::replace(&mut self.bracketed, true);
        self.depth += 1;
        let mut value = Value::Unknown;
        while self.at < self.tokens.len() {
            let first = self.at == 0;
            let part = self.expression();
            if first {
                value = part;
            } else {
                self.escape(&part);
            }
            if self.at < self.tokens.len() {
                self.advance();
            }
        }
        self.depth -= 1;
        self.tokens = outer;
        self.at = at;
        self.bracketed = bracketed;
        value
    }
}

fn starts_statement(language: Language, word: &str) -> bool {
    match language {
        Language::Python => matches!(word, "import" | "from" | "def" | "class" | "with" | "return"),
        Language::Javascript => matches!(word, "const" | "let" | "var" | "return" | "function" | "class"),
        Language::Perl => matches!(word, "my" | "our" | "local"),
        _ => false,
    }
}
