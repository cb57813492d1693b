//! Expressions: every part of one is looked at, and its value is known where it is simple.

use super::super::Language;
use super::super::lexer::{Token, TokenKind};
use super::super::value::Value;
use super::{MOST_SPREAD, Reader};

impl Reader<'_> {
    /// One expression: every part of it is looked at, its value is known where it is simple.
    pub(crate) fn expression(&mut self) -> Value {
        self.deeper(Value::Unknown, Self::expression_here)
    }

    fn expression_here(&mut self) -> Value {
        let mut result: Option<Value> = None;
        let mut operator: Option<&'static str> = None;
        // The last word may be a whole statement, or the line of one.
        let mut whole = false;
        loop {
            match self.peek() {
                None => break,
                Some(TokenKind::Line) => {
                    // Python's lines end nowhere but in brackets.
                    let open = operator.is_some() && !whole && self.dialect.language != Language::Python;
                    if self.bracketed || open || self.continues() {
                        self.skip_lines();
                        continue;
                    }
                    break;
                }
                Some(TokenKind::Symbol("," | ")" | "]" | "}" | ";" | "=" | ":=")) => break,
                Some(TokenKind::Symbol(":")) if !self.symbol_literal() => break,
                Some(TokenKind::Symbol("||=" | "??=" | "//=" | "+=" | ".=" | "/=")) => break,
                Some(TokenKind::Symbol("(" | "[" | "{" | ":" | "\\")) => {}
                Some(TokenKind::Symbol(symbol)) => {
                    operator = Some(symbol);
                    whole = false;
                    self.advance();
                    continue;
                }
                Some(TokenKind::Name(word)) if self.library.keyword(word) => {
                    if result.is_some() && starts_statement(self.dialect.language, word) {
                        break;
                    }
                    whole = result.is_none() && stands_alone(word);
                    match word.as_str() {
                        // Perl's `unlink for LIST`
                        "for" | "foreach"
                            if self.dialect.language == Language::Perl
                                && matches!(result, Some(Value::Name(_))) =>
                        {
                            self.advance();
                            let items = self.expression();
                            self.loop_over("$_", &items);
                            if let Some(called) = result.take() {
                                self.escape(&called);
                            }
                            return Value::Unknown;
                        }
                        "for" => {
                            self.advance();
                            self.loop_target();
                        }
                        "lambda" if self.dialect.language == Language::Python => {
                            self.advance();
                            self.lambda();
                        }
                        // Perl's lists, and what goes through them.
                        _ if self.goes_through(word).is_some() => {
                            let act = self.goes_through(word);
                            self.advance();
                            if let Some(before) = result.take() {
                                self.escape(&before);
                            }
                            operator = None;
                            result = Some(self.perl_list(act));
                            continue;
                        }
                        "sub" | "function" | "fn" if self.given.is_some() => {
                            self.advance();
                            self.block_for_given();
                            result = Some(Value::Unknown);
                            continue;
                        }
                        _ => self.advance(),
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
                (None, Some("-")) => match value {
                    Value::Number(number) => Value::Number(number.saturating_neg()),
                    value => value,
                },
                (None, None | Some("!" | "&" | "+" | "*" | "**" | "...")) => value,
                (None, Some("word")) => value,
                (None, Some(_)) => {
                    self.escape(&value);
                    Value::Unknown
                }
                (Some(left), operator) => self.combine(&left, operator, &value),
            });
        }
        result.unwrap_or(Value::Unknown)
    }

    /// Ruby's `:name`.
    pub(super) fn symbol_literal(&self) -> bool {
        self.dialect.language == Language::Ruby
            && matches!(
                (self.token(self.at), self.token(self.at + 1)),
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
    pub(crate) fn expression_until_as(&mut self) -> Value {
        self.take_word("new");
        let value = self.primary();
        match self.peek() {
            Some(TokenKind::Name(word)) if word == "as" => value,
            Some(TokenKind::Symbol("," | ":")) => value,
            _ => {
                let rest = self.expression();
                self.combine(&value, Some("word"), &rest)
            }
        }
    }

    fn primary(&mut self) -> Value {
        let start = self.start();
        if let Some(names) = self.arrow() {
            self.arrow_body(&names);
            return Value::Unknown;
        }
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
                    value = self.combine(&value, Some("+"), &next);
                }
                self.chain(value, start, None)
            }
            Some(TokenKind::Number) => {
                let number = self.token(self.at).and_then(|token| self.text.get(token.start..token.end));
                let number = number.and_then(number_of).map_or(Value::Plain, Value::Number);
                self.advance();
                self.chain(number, start, None)
            }
            Some(TokenKind::Name(name)) => {
                self.advance();
                if name == "function" && self.dialect.language == Language::Javascript {
                    self.function();
                    return self.chain(Value::Unknown, start, None);
                }
                if self.is_function(&name) && self.symbol() != Some("(") {
                    self.loosen(&name);
                }
                let value = self.lookup(&name);
                self.chain(value, start, Some(&name))
            }
            Some(TokenKind::Symbol(":")) => {
                self.advance();
                self.take_name().map_or(Value::Unknown, Value::Text)
            }
            Some(TokenKind::Symbol("(")) => {
                let value = self.in_brackets();
                self.chain(value, start, None)
            }
            Some(TokenKind::Symbol("[")) => {
                self.advance();
                let comprehended = self.comprehension().is_some();
                let mut items = self.items("]");
                let value = match items.pop() {
                    Some(value) if comprehended && items.is_empty() => value,
                    last => Value::List(items.into_iter().chain(last).collect()),
                };
                self.chain(value, start, None)
            }
            // Perl's `print {$handle} "text"`
            Some(TokenKind::Symbol("{"))
                if self.dialect.language == Language::Perl && self.symbol_at(2) == Some("}") =>
            {
                self.advance();
                let value = self.expression();
                self.take("}");
                self.chain(value, start, None)
            }
            Some(TokenKind::Symbol("{")) => {
                let value = match self.is_table() {
                    true => self.table(),
                    false => {
                        self.advance();
                        self.block();
                        Value::Unknown
                    }
                };
                self.chain(value, start, None)
            }
            _ => {
                self.advance();
                Value::Unknown
            }
        }
    }

    /// What stands in round brackets, at the first of them: a value or a list.
    fn in_brackets(&mut self) -> Value {
        self.advance();
        let first = self.at;
        let mut items = self.items(")");
        // `(one,)` is a list.
        let comma = self.dialect.language == Language::Python
            && self
                .at
                .checked_sub(2)
                .filter(|at| *at > first)
                .and_then(|at| self.tokens.get(at))
                .is_some_and(|token| token.kind == TokenKind::Symbol(","));
        match items.len() {
            1 if !comma => items.pop().unwrap_or(Value::Unknown),
            // `(0, value)`
            2.. if self.dialect.language == Language::Javascript => {
                let last = items.pop().unwrap_or(Value::Unknown);
                self.escape(&Value::List(items));
                last
            }
            _ => Value::List(items),
        }
    }

    /// Is the brace here that of a dictionary or an object?
    fn is_table(&self) -> bool {
        let mut offset = 1;
        while self.peek_at(offset) == Some(&TokenKind::Line) {
            offset += 1;
        }
        let next = self.symbol_at(offset + 1);
        match (self.dialect.language, self.peek_at(offset)) {
            (Language::Python, _) => true,
            (Language::Javascript, Some(TokenKind::Text(_) | TokenKind::Name(_))) => {
                next == Some(":") || (self.bracketed && matches!(next, Some("," | "}")))
            }
            (Language::Javascript, Some(TokenKind::Symbol("..."))) => true,
            _ => false,
        }
    }

    /// `{key: value}`
    fn table(&mut self) -> Value {
        self.advance();
        let outer = std::mem::replace(&mut self.bracketed, true);
        let mut entries = Vec::new();
        let mut key: Option<String> = None;
        loop {
            match self.peek() {
                None => break,
                Some(TokenKind::Symbol("}")) => {
                    self.advance();
                    break;
                }
                Some(TokenKind::Symbol(
                    "," | ";" | ")" | "]" | "=" | ":=" | "+=" | ".=" | "||=" | "??=" | "//=" | "/=",
                ))
                | Some(TokenKind::Line) => {
                    self.advance();
                    key = None;
                    continue;
                }
                Some(TokenKind::Symbol(":")) => {
                    self.advance();
                    continue;
                }
                _ => {}
            }
            let name = self.name().filter(|_| self.dialect.language == Language::Javascript);
            if let Some(name) = &name
                && self.symbol_at(1) == Some(":")
            {
                self.at += 2;
                key = Some(name.clone());
                continue;
            }
            let before = self.at;
            let value = self.element();
            if self.at == before {
                self.advance();
            }
            match (key.take(), &value, self.symbol()) {
                (None, Value::Text(text), Some(":")) => key = Some(text.clone()),
                (Some(key), ..) => entries.push((key, value)),
                (None, ..) => {
                    self.escape(&value);
                    // `{cwd}` is `{cwd: cwd}`.
                    entries.extend(name.map(|name| (name, value)));
                }
            }
        }
        self.bracketed = outer;
        Value::Table(entries)
    }

    pub(crate) fn lookup(&mut self, name: &str) -> Value {
        // Perl's `&name(...)`
        let name = match name.strip_prefix('&') {
            Some(plain) if self.dialect.language == Language::Perl => plain,
            _ => name,
        };
        if let Some(value) = self.names.get(name).cloned() {
            self.spend(value.weight());
            return value;
        }
        if matches!(name, "False" | "None" | "false" | "null" | "nil" | "undefined") {
            return Value::Plain;
        }
        let known = self.library_function(name).is_some() || self.library.module(name);
        // What a text defines takes the place of what has its name; of Perl's and PHP's own functions nothing does, and
        // in Python not before it is defined.
        let own = self.defined.contains(name)
            && match self.dialect.language {
                Language::Perl => PERL_IMPORTS.contains(&name),
                Language::Php | Language::Python => false,
                _ => true,
            };
        if known && !own { Value::Name(name.to_owned()) } else { Value::Unknown }
    }

    /// Comma-separated expressions up to the closing bracket, which is taken.
    pub(crate) fn items(&mut self, close: &str) -> Vec<Value> {
        let outer = std::mem::replace(&mut self.bracketed, true);
        let mut items = Vec::new();
        loop {
            match self.peek() {
                None => break,
                Some(TokenKind::Symbol(symbol)) if *symbol == close => {
                    self.advance();
                    break;
                }
                Some(TokenKind::Symbol(
                    "," | ";" | ":" | "=" | ":=" | ")" | "]" | "}" | "+=" | ".=" | "||=" | "??=" | "//="
                    | "/=",
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
                    let spread = matches!(self.symbol(), Some("*" | "..."));
                    let value = self.element();
                    if self.at == before {
                        self.advance();
                    }
                    match value {
                        Value::List(parts) if spread && items.len() < MOST_SPREAD => items.extend(parts),
                        value => items.push(value),
                    }
                }
            }
        }
        self.bracketed = outer;
        items
    }
}

/// Functions of Perl's modules, which a text may define itself.
const PERL_IMPORTS: [&str; 16] = [
    "run",
    "capture",
    "capturex",
    "systemx",
    "backtick",
    "open2",
    "open3",
    "rmtree",
    "remove_tree",
    "mkpath",
    "make_path",
    "move",
    "copy",
    "cp",
    "get",
    "getstore",
];

/// The number that is written there.
pub(crate) fn number_of(written: &str) -> Option<i64> {
    let plain = written.replace('_', "").to_ascii_lowercase();
    match (plain.strip_prefix("0x"), plain.strip_prefix("0o"), plain.strip_prefix('0')) {
        (Some(digits), ..) => i64::from_str_radix(digits, 16).ok(),
        (_, Some(digits), _) => i64::from_str_radix(digits, 8).ok(),
        // What begins with a zero has the base eight, but for decimal fractions and what no other digits are in.
        (.., Some(digits)) if !digits.is_empty() => {
            i64::from_str_radix(digits, 8).or_else(|_| plain.parse()).ok()
        }
        _ => plain.parse().ok(),
    }
}

/// May a line end behind the word, and the next one be a statement of its own?
fn stands_alone(word: &str) -> bool {
    !matches!(
        word,
        "and"
            | "await"
            | "delete"
            | "extends"
            | "in"
            | "instanceof"
            | "new"
            | "not"
            | "of"
            | "or"
            | "typeof"
            | "void"
    )
}

fn starts_statement(language: Language, word: &str) -> bool {
    match language {
        Language::Python => matches!(word, "import" | "from" | "def" | "class" | "with" | "return"),
        Language::Javascript => matches!(word, "const" | "let" | "var" | "return" | "function" | "class"),
        Language::Perl => matches!(word, "my" | "our" | "local"),
        _ => false,
    }
}
