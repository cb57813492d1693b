//! Names that stand for something else in a part of the text: loops, comprehensions, functions without a name; and what
//! these go through.

use super::super::Language;
use super::super::lexer::TokenKind;
use super::super::value::{Act, Arguments, HOLE, RECEIVER, Value};
use super::functions::closing_brace;
use super::{MOST_ALTERNATIVES, Reader, join};

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
        self.for_given(&names, Self::expression);
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
    pub(crate) fn loop_over(&mut self, name: &str, items: &Value) {
        let value = self.item_of(items);
        self.assign(name, value);
    }

    /// `items.map(item => ...)`, behind the bracket: the parameter is each of the items, or what a promise gives.
    pub(crate) fn each(&mut self, receiver: &Value, method: &str) -> Option<Value> {
        let act = self.library.method(method, 1);
        let is_promise = method == "then";
        if self.dialect.language != Language::Javascript
            || !(is_promise
                || matches!(
                    act,
                    Some(Act::ForEach | Act::Mapped | Act::Among(RECEIVER) | Act::Item(RECEIVER))
                ))
        {
            return None;
        }
        let start = self.at;
        self.take_word("async");
        let parts = self.destructured();
        let names = match self.take_word("function") {
            true => self.parameter_names(),
            false => self.arrow(),
        };
        let Some(names) = names else {
            self.at = start;
            return None;
        };
        let whole = names.first().filter(|_| parts.is_empty()).cloned();
        let item = if is_promise { receiver.clone() } else { self.item_of(receiver) };
        let mut value = Value::Unknown;
        self.skip_lines();
        self.hiding(&names, |reader| {
            for (member, name) in parts {
                let part = match &item {
                    Value::Name(module) => Value::Name(format!("{module}.{member}")),
                    Value::Foreign => Value::Foreign,
                    _ => Value::Unknown,
                };
                reader.names.insert(name, part);
            }
            if let Some(name) = whole {
                reader.names.insert(name, item.clone());
            }
            if reader.take("{") {
                reader.block();
            } else {
                value = reader.expression();
            }
        });
        let rest = self.arguments();
        self.pass(&rest);
        Some(match act {
            Some(Act::Mapped) => match (receiver, value) {
                // Nothing is left out, and the order is the same.
                (Value::List(_), Value::OneOf(values)) => Value::List(values),
                (_, value) => {
                    self.escape(&value);
                    value.any_number()
                }
            },
            Some(Act::Among(_)) => item.any_number(),
            Some(Act::Item(_)) => item,
            _ => {
                self.escape(&value);
                value.taint()
            }
        })
    }

    /// The members and their names where the parameters that begin here are `({member, member: name})`.
    fn destructured(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        if (self.symbol(), self.symbol_at(1)) != (Some("("), Some("{")) {
            return found;
        }
        let mut offset = 2;
        while let Some(TokenKind::Name(member)) = self.peek_at(offset) {
            let name = match (self.symbol_at(offset + 1), self.peek_at(offset + 2)) {
                (Some(":"), Some(TokenKind::Name(name))) => {
                    offset += 2;
                    name
                }
                _ => member,
            };
            found.push((member.clone(), name.clone()));
            if found.len() >= MOST_ALTERNATIVES || self.symbol_at(offset + 1) != Some(",") {
                break;
            }
            offset += 2;
        }
        found
    }

    /// `(a, b)` behind `function`.
    fn parameter_names(&mut self) -> Option<Vec<String>> {
        self.take_name();
        if !self.take("(") {
            return None;
        }
        let mut names = Vec::new();
        while let Some(kind) = self.peek().cloned() {
            self.advance();
            match kind {
                TokenKind::Name(name) => names.push(name),
                TokenKind::Symbol(")") => return Some(names),
                TokenKind::Symbol(",") => {}
                _ => return None,
            }
        }
        None
    }

    /// Ruby's `items.each { |item| ... }`: the parameter is each of the items.
    pub(crate) fn block_of(&mut self, receiver: &Value) {
        let opens = match self.peek() {
            Some(TokenKind::Symbol(symbol)) => *symbol == "{",
            Some(TokenKind::Name(word)) => word == "do",
            _ => false,
        };
        if let (
            Value::List(_) | Value::File(_) | Value::Shell | Value::Child(_),
            true,
            Some("|"),
            Some(TokenKind::Name(name)),
            Some("|" | ","),
        ) = (receiver, opens, self.symbol_at(1), self.peek_at(2), self.symbol_at(3))
        {
            let name = name.clone();
            let item = self.item_of(receiver);
            self.assign(&name, item);
        }
    }

    /// A call, and in Ruby the block behind it that goes through what it gives: `Dir.glob(pattern) { |file| ... }`.
    pub(super) fn call_with_block(&mut self, name: &str, arguments: &Arguments, start: usize) -> Value {
        let value = self.call(name, arguments, start);
        if self.dialect.language == Language::Ruby
            && matches!(value, Value::File(_) | Value::List(_) | Value::Shell | Value::Child(_))
        {
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
        let value = self.item_of(&value);
        if let [name] = names.as_slice() {
            return self.assign(name, value);
        }
        for (index, name) in names.iter().enumerate() {
            let part = |item: &Value| match item {
                Value::List(parts) if parts.len() == names.len() => parts.get(index).cloned(),
                _ => None,
            };
            let parts: Option<Vec<Value>> = value.clone().alternatives().iter().map(part).collect();
            let parts = parts.unwrap_or_else(|| vec![Value::Unknown]);
            let parts = parts.into_iter().flat_map(Value::alternatives).collect();
            self.assign(name, Value::one_of(parts));
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
                    // A condition is no part of what is gone through.
                    let end = self.clause_end();
                    let to = std::mem::replace(&mut self.to, end);
                    self.loop_target();
                    self.to = to;
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
        for value in &values {
            self.escape(value);
        }
        match (values.pop(), values.is_empty()) {
            (Some(Value::OneOf(items)), true) if !filtered => Value::List(items),
            (Some(value), true) => {
                self.escape(&value);
                value.any_number()
            }
            _ => Value::Unknown,
        }
    }

    /// The token behind what is gone through by the `for` before.
    fn clause_end(&self) -> usize {
        let (mut depth, mut named) = (0usize, false);
        for (at, token) in self.tokens.iter().enumerate().take(self.to).skip(self.at) {
            match &token.kind {
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}") if depth == 0 => return at,
                TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
                TokenKind::Symbol(",") if depth == 0 && named => return at,
                TokenKind::Name(word) if word == "in" => named |= depth == 0,
                TokenKind::Name(word) if depth == 0 && matches!(word.as_str(), "if" | "for" | "async") => {
                    return at;
                }
                _ => {}
            }
        }
        self.to
    }

    /// One of what is in a list, or in what was found in a directory.
    pub(crate) fn item_of(&mut self, value: &Value) -> Value {
        match value {
            Value::List(items) if items.len() <= MOST_ALTERNATIVES => {
                let mut found: Vec<Value> = Vec::new();
                for item in items.iter().flat_map(|item| item.clone().alternatives()) {
                    if !found.contains(&item) {
                        found.push(item);
                    }
                }
                if found.is_empty() || found.len() > MOST_ALTERNATIVES {
                    found = vec![Value::Unknown];
                }
                Value::one_of(found)
            }
            Value::OneOf(lists) => {
                let items = lists.iter().map(|list| self.item_of(list)).flat_map(Value::alternatives);
                Value::one_of(items.take(MOST_ALTERNATIVES).collect())
            }
            Value::File(_) | Value::Decoded(_) | Value::Fetched | Value::Shell | Value::Child(_) => {
                value.clone()
            }
            Value::Text(_) if self.dialect.language == Language::Perl => value.clone(),
            value => {
                self.escape(value);
                Value::Unknown
            }
        }
    }

    /// Functions among the arguments are called for an item; what one of them gives.
    pub(crate) fn call_for(&mut self, item: &Value, functions: &[Value], start: usize) -> Value {
        let mut given = self.gave.take().unwrap_or(Value::Unknown);
        for function in functions {
            match function {
                Value::Name(name) => {
                    let name = name.clone();
                    let arguments = Arguments { positional: vec![item.clone()], named: Vec::new() };
                    given = self.call(&name, &arguments, start);
                }
                Value::Text(name)
                    if self.dialect.language == Language::Php && self.library_function(name).is_some() =>
                {
                    let arguments = Arguments { positional: vec![item.clone()], named: Vec::new() };
                    given = self.call(name, &arguments, start);
                }
                // `&:name`
                Value::Text(name) if self.dialect.language == Language::Ruby => {
                    if let Some(act) = self.library.method(name, 0) {
                        given = self.perform(act, item, &Arguments::default(), start);
                    }
                }
                value => self.escape(value),
            }
        }
        given
    }

    /// What is left of a list by a function that is told which items, and what is in it (`among 0`).
    pub(crate) fn go_through(
        &mut self,
        act: Act,
        receiver: &Value,
        arguments: &Arguments,
        start: usize,
    ) -> Value {
        let index = match act {
            Act::Among(index) | Act::Item(index) | Act::Numbered(index) => index,
            Act::Map => 1,
            _ => RECEIVER,
        };
        let whole = match index {
            RECEIVER => receiver.clone(),
            index => arguments.positional.get(index).cloned().unwrap_or(Value::Unknown),
        };
        let item = self.item_of(&whole);
        let others = arguments.positional.iter().enumerate().filter(|(at, _)| *at != index);
        let mut functions: Vec<Value> = others.map(|(_, value)| value.clone()).collect();
        functions.extend(arguments.named.iter().map(|(_, value)| value.clone()));
        let given = self.call_for(&item, &functions, start);
        match act {
            Act::Item(_) => item,
            Act::Map | Act::Mapped => given.any_number(),
            Act::Numbered(_) => Value::List(vec![Value::List(vec![Value::Unknown, item])]),
            Act::ForEach => Value::Unknown,
            _ => item.any_number(),
        }
    }

    /// What is in all of the arguments, one behind the other or side by side.
    pub(crate) fn together(&mut self, act: Act, arguments: &Arguments) -> Value {
        let items: Vec<Value> = arguments.positional.iter().map(|value| self.item_of(value)).collect();
        match act {
            Act::Zipped => Value::List(vec![Value::List(items)]),
            _ => {
                let items: Vec<Value> = items.into_iter().flat_map(Value::alternatives).collect();
                Value::one_of(items.into_iter().take(MOST_ALTERNATIVES).collect()).any_number()
            }
        }
    }

    /// Reads ahead what the function in the arguments that begin here is called for.
    pub(crate) fn look_ahead(&mut self, name: &str) {
        let index = match self.library_function(name) {
            Some(Act::Map | Act::Found) => 1,
            Some(Act::Among(index)) if index != RECEIVER => index,
            _ => return,
        };
        let (given, act) = (self.read_ahead(index), self.library_function(name));
        self.given = given.map(|value| match act {
            Some(Act::Found) => Value::File(value.shape().map(|path| join(&path, &HOLE.to_string()))),
            _ => self.item_of(&value),
        });
    }

    /// The argument of that index of the call whose arguments begin here. Nothing is done by reading it.
    fn read_ahead(&mut self, index: usize) -> Option<Value> {
        if self.ahead {
            return None;
        }
        let mut bounds = vec![self.at];
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().take(self.to).skip(self.at) {
            match &token.kind {
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}" | ";") if depth == 0 => {
                    bounds.push(at);
                    break;
                }
                TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
                TokenKind::Symbol(",") if depth == 0 => bounds.extend([at, at + 1]),
                _ => {}
            }
            if bounds.len() > 2 * index + 1 {
                break;
            }
        }
        let (from, to) = (*bounds.get(2 * index)?, bounds.get(2 * index + 1).copied().unwrap_or(self.to));
        let has_function = |kind: &TokenKind| match kind {
            TokenKind::Name(word) => matches!(word.as_str(), "lambda" | "sub" | "function" | "fn"),
            _ => false,
        };
        let all = self.tokens.get(self.at..from)?.iter();
        if !all.clone().any(|token| has_function(&token.kind)) && index != 0 {
            return None;
        }
        let code = self.code.clone();
        let names = self.names.clone();
        let (at, end) = (std::mem::replace(&mut self.at, from), std::mem::replace(&mut self.to, to));
        self.ahead = true;
        let value = self.element();
        self.ahead = false;
        (self.at, self.to) = (at, end);
        (self.code, self.names) = (code, names);
        Some(value)
    }

    /// A function without a name is read, whose parameters are these; the first is what it is called for, where that is
    /// known.
    pub(super) fn for_given(&mut self, names: &[String], read: impl FnOnce(&mut Self) -> Value) {
        let given = self.given.take();
        let mut gave = Value::Unknown;
        self.hiding(names, |reader| {
            if let (Some(name), Some(given)) = (names.first(), &given) {
                for name in names.iter().skip(1).filter(|name| name.starts_with('$')).chain([name]) {
                    reader.names.insert(name.clone(), given.clone());
                }
            }
            gave = read(reader);
            reader.escape(&gave);
        });
        self.gave = given.is_some().then_some(gave);
    }

    /// Ruby's `items.map { |item| ... }`, at the brace: what its one expression gives.
    pub(crate) fn mapped_block(&mut self, receiver: &Value) -> Option<Value> {
        if (self.symbol(), self.symbol_at(1), self.symbol_at(3)) != (Some("{"), Some("|"), Some("|")) {
            return None;
        }
        let Some(TokenKind::Name(name)) = self.peek_at(2).cloned() else { return None };
        let end = closing_brace(&self.tokens, self.at).filter(|end| *end < self.to)?;
        let body = self.tokens.get(self.at + 4..end)?;
        if body.iter().any(|token| matches!(token.kind, TokenKind::Line | TokenKind::Symbol("=" | ";"))) {
            return None;
        }
        let item = self.item_of(receiver);
        self.assign(&name, item);
        let value = self.last_within(self.at + 4, end);
        self.at = end + 1;
        self.escape(&value);
        Some(value.any_number())
    }

    /// Perl's `sub { ... }` and PHP's `function ($a) { ... }`, behind the word, for what is given.
    pub(super) fn block_for_given(&mut self) {
        let mut names = Vec::new();
        if self.dialect.language == Language::Perl {
            names.extend(["$_".to_owned(), "$File::Find::name".to_owned()]);
        }
        while let Some(kind) = self.peek().cloned() {
            match kind {
                TokenKind::Symbol("{" | "=>" | ";" | "}") => break,
                TokenKind::Name(name) if name.starts_with('$') && names.is_empty() => names.push(name),
                _ => {}
            }
            self.advance();
        }
        self.for_given(&names, |reader| {
            if reader.take("=>") {
                return reader.expression();
            }
            if reader.take("{") {
                reader.block();
            }
            Value::Unknown
        });
    }

    /// What a word of Perl does that goes through a list with a block or an expression.
    pub(super) fn goes_through(&self, word: &str) -> Option<Act> {
        let act = self.library_function(word).filter(|_| self.dialect.language == Language::Perl)?;
        matches!(act, Act::Among(_) | Act::Map).then_some(act)
    }

    /// Perl's `map { ... } LIST`, behind the word: what it goes through is read first, then what is done with it.
    pub(super) fn perl_list(&mut self, act: Option<Act>) -> Value {
        let bracket = self.take("(");
        let (body, behind) = match closing_brace(&self.tokens, self.at).filter(|end| *end < self.to) {
            Some(end) => (self.at + 1..end, end + 1),
            None if act == Some(Act::Among(0)) => (self.at..self.at, self.at),
            None => match self.comma() {
                Some(comma) => (self.at..comma, comma),
                None => return Value::Unknown,
            },
        };
        self.at = behind;
        self.take(",");
        let items = if bracket {
            Value::List(self.items(")"))
        } else {
            Value::List(self.bare_arguments().positional)
        };
        let items = match items {
            Value::List(mut items) if items.len() == 1 => items.pop().unwrap_or(Value::Unknown),
            items => items,
        };
        let item = self.item_of(&items);
        let at = self.at;
        let before = self.names.insert("$_".to_owned(), item.clone());
        let value = self.last_within(body.start, body.end);
        match before {
            Some(before) => self.names.insert("$_".to_owned(), before),
            None => self.names.remove("$_"),
        };
        self.at = at;
        if act == Some(Act::Map) { value.any_number() } else { item.any_number() }
    }

    /// The expressions between those tokens: the value of the last one.
    fn last_within(&mut self, start: usize, end: usize) -> Value {
        self.at = start;
        let to = std::mem::replace(&mut self.to, end);
        let mut value = Value::Unknown;
        while self.at < self.to {
            let from = self.at;
            value = self.expression();
            if self.at == from || self.at < self.to {
                self.advance();
            }
        }
        self.to = to;
        value
    }

    /// The next comma that is in no brackets.
    fn comma(&self) -> Option<usize> {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().take(self.to).skip(self.at) {
            match &token.kind {
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}" | ";") if depth == 0 => return None,
                TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
                TokenKind::Symbol(",") if depth == 0 => return Some(at),
                _ => {}
            }
        }
        None
    }
}
