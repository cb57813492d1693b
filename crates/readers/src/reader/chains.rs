//! What follows a value: members, calls with their arguments, subscripts.

use super::super::Language;
use super::super::calls::runs_queries;
use super::super::lexer::{Literal, TokenKind};
use super::super::value::{Act, Arguments, Value};
use super::{MOST_SPREAD, Reader};

impl Reader<'_> {
    /// What follows a value: members, calls, subscripts.
    pub(super) fn chain(&mut self, mut value: Value, start: usize, mut bare: Option<&str>) -> Value {
        loop {
            value = self.links(value, start, &mut bare);
            match self.tag(&value, bare) {
                Some((name, literal)) => {
                    self.advance();
                    let text = self.literal(&literal, start);
                    let arguments = Arguments { positional: vec![text], named: Vec::new() };
                    value = self.call(&name, &arguments, start);
                    bare = None;
                }
                None => return self.called_bare(value, start, bare),
            }
        }
    }

    /// The function of JavaScript that a template follows, and the template.
    fn tag(&self, value: &Value, bare: Option<&str>) -> Option<(String, Literal)> {
        if self.dialect.language != Language::Javascript {
            return None;
        }
        let Some(TokenKind::Text(literal)) = self.peek() else { return None };
        let name = match (value, bare) {
            (Value::Name(name), _) => name.clone(),
            // Whoever it comes from, it runs a shell.
            (_, Some("$")) => "zx.$".to_owned(),
            _ => return None,
        };
        Some((name, literal.clone()))
    }

    /// A call without brackets.
    fn called_bare(&mut self, value: Value, start: usize, bare: Option<&str>) -> Value {
        if self.dialect.bare_calls && self.begins_argument() {
            match &value {
                Value::Name(name) => {
                    let name = name.clone();
                    self.look_ahead(&name);
                    let arguments = self.bare_arguments();
                    return self.call_with_block(&name, &arguments, start);
                }
                Value::Unknown if bare.is_some_and(|name| !name.starts_with(['$', '@', '%'])) => {
                    self.undefined(bare.unwrap_or_default());
                }
                _ => {}
            }
        }
        value
    }

    /// Members, calls in brackets and subscripts, as many as there are.
    fn links(&mut self, mut value: Value, start: usize, bare: &mut Option<&str>) -> Value {
        loop {
            match self.symbol() {
                Some(mark @ ("." | "?." | "->" | "::" | "&.")) if self.is_member(mark) => {
                    self.advance();
                    let name = self.take_name().unwrap_or_default();
                    value = match value {
                        Value::OneOf(values)
                            if values.iter().any(|value| matches!(value, Value::Name(_))) =>
                        {
                            let member = |value| match value {
                                Value::Name(module) => Value::Name(format!("{module}.{name}")),
                                _ => Value::Unknown,
                            };
                            Value::OneOf(values.into_iter().map(member).collect())
                        }
                        value => self.member(&value, &name, *bare, start),
                    };
                    *bare = None;
                }
                Some("->" | "?." | ".") if matches!(self.symbol_at(1), Some("(" | "[" | "{")) => {
                    self.advance();
                }
                Some("(") => {
                    self.advance();
                    if let Value::Name(name) = &value {
                        self.look_ahead(name);
                    }
                    let arguments = self.arguments();
                    value = match value {
                        Value::Name(name) => self.call_with_block(&name, &arguments, start),
                        Value::Text(name) if self.dialect.language == Language::Php => {
                            self.call(&name, &arguments, start)
                        }
                        Value::Foreign => self.call_of_foreign(*bare, &arguments, start),
                        Value::OneOf(values) => {
                            for value in values {
                                match value {
                                    Value::Name(name) => {
                                        self.call(&name, &arguments, start);
                                    }
                                    _ => {
                                        self.hand(&arguments);
                                        self.pass(&arguments);
                                    }
                                }
                            }
                            Value::Unknown
                        }
                        Value::Unknown => self.call_of_unknown(*bare, &arguments),
                        _ => {
                            self.hand(&arguments);
                            self.pass(&arguments);
                            Value::Unknown
                        }
                    };
                    *bare = None;
                }
                Some("[") if self.turns_around() => {
                    self.at += 5;
                    value = match value {
                        Value::Text(text) => Value::Text(text.chars().rev().collect()),
                        Value::List(items) => Value::List(items.into_iter().rev().collect()),
                        value => value.taint(),
                    };
                    *bare = None;
                }
                Some("[") => {
                    self.advance();
                    let items = self.items("]");
                    value = self.subscript(value, &items, start);
                    *bare = None;
                }
                Some("{") if self.dialect.language == Language::Perl && self.hash_element() => {
                    self.advance();
                    let key = self.name();
                    let items = self.items("}");
                    let items = match (key, items.as_slice()) {
                        (Some(key), [Value::Unknown]) => vec![Value::Text(key)],
                        _ => items,
                    };
                    value = self.subscript(value, &items, start);
                }
                Some("++" | "--") => self.advance(),
                _ => break,
            }
        }
        value
    }

    /// A call of something of a module that nobody knows: its name may say what it does.
    fn call_of_foreign(&mut self, bare: Option<&str>, arguments: &Arguments, start: usize) -> Value {
        let act = match bare {
            Some(name) if runs_queries(name) => Some(Act::Query(0)),
            Some(name) if self.destroys(name, arguments) => {
                self.library.method(name, arguments.positional.len())
            }
            _ => None,
        };
        if let Some(act) = act {
            self.perform(act, &Value::Unknown, arguments, start);
        }
        self.hand(arguments);
        self.pass(arguments);
        self.code.lose();
        Value::Foreign
    }

    /// A call of what has no value: of a function of the text by its name, or of something that nobody knows.
    fn call_of_unknown(&mut self, bare: Option<&str>, arguments: &Arguments) -> Value {
        match bare {
            Some(name) if self.is_function(name) => return self.invoke(name, arguments),
            Some(name) if self.defined.contains(name) => self.keep_all(arguments),
            _ => self.hand(arguments),
        }
        if let Some(name) = bare {
            self.undefined(name);
        }
        self.pass(arguments);
        Value::Unknown
    }

    /// Python's `[::-1]`.
    fn turns_around(&self) -> bool {
        let number = self.token(self.at + 3).and_then(|token| self.text.get(token.start..token.end));
        self.dialect.language == Language::Python
            && (self.symbol_at(1), self.symbol_at(2), self.symbol_at(4)) == (Some("::"), Some("-"), Some("]"))
            && number == Some("1")
    }

    /// `$x{key}` and `$x->{key}`, but not `if ($x) {`.
    fn hash_element(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| {
            token.end == self.start()
                && match &token.kind {
                    TokenKind::Name(name) => name.starts_with('$'),
                    TokenKind::Symbol(symbol) => matches!(*symbol, "->" | "}" | "]"),
                    _ => false,
                }
        })
    }

    fn is_member(&self, mark: &str) -> bool {
        if mark == "." && matches!(self.dialect.language, Language::Php | Language::Perl) {
            return false;
        }
        if mark == "->" && !matches!(self.dialect.language, Language::Php | Language::Perl) {
            return false;
        }
        matches!(self.peek_at(1), Some(TokenKind::Name(_)))
    }

    /// The arguments of a call, after its opening bracket.
    pub(crate) fn arguments(&mut self) -> Arguments {
        let outer = std::mem::replace(&mut self.bracketed, true);
        let mut arguments = Arguments::default();
        loop {
            match self.peek() {
                None => break,
                Some(TokenKind::Symbol(")")) => {
                    self.advance();
                    break;
                }
                Some(TokenKind::Symbol(":")) if self.symbol_literal() => self.argument(&mut arguments),
                Some(TokenKind::Symbol("," | ";" | ":" | "]" | "}" | "=" | ":=" | "+=" | ".="))
                | Some(TokenKind::Line) => self.advance(),
                _ => self.argument(&mut arguments),
            }
        }
        self.bracketed = outer;
        arguments
    }

    fn argument(&mut self, arguments: &mut Arguments) {
        let named = match (self.peek(), self.symbol_at(1)) {
            (Some(TokenKind::Name(name)), Some("=")) if self.dialect.language == Language::Python => {
                Some(name.clone())
            }
            (Some(TokenKind::Name(name)), Some(":"))
                if matches!(self.dialect.language, Language::Ruby | Language::Php) =>
            {
                Some(name.clone())
            }
            _ => None,
        };
        if named.is_some() {
            self.at += 2;
        }
        let spread = matches!(self.symbol(), Some("*" | "**" | "..."));
        let before = self.at;
        let value = if named.is_some() { self.expression() } else { self.element() };
        if self.at == before {
            self.advance();
        }
        match named {
            Some(name) => arguments.named.push((name, value)),
            None if spread => {
                self.escape(&value);
                match value {
                    Value::Table(entries) => arguments.named.extend(entries),
                    Value::List(items) if arguments.positional.len() < MOST_SPREAD => {
                        arguments.positional.extend(items);
                    }
                    value @ Value::File(_) => arguments.positional.push(value),
                    _ => arguments.positional.push(Value::Unknown),
                }
            }
            None => {
                // The options of JavaScript's functions.
                if let Value::Table(entries) = &value
                    && self.dialect.language == Language::Javascript
                {
                    arguments.named.extend(entries.iter().cloned());
                }
                arguments.positional.push(value);
            }
        }
    }

    pub(crate) fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(TokenKind::Text(_) | TokenKind::Number) => true,
            Some(TokenKind::Name(name)) => {
                !self.library.keyword(name)
                    || self.goes_through(name).is_some()
                    || (self.dialect.language == Language::Perl
                        && matches!(name.as_str(), "my" | "our" | "local" | "scalar"))
            }
            Some(TokenKind::Symbol(":")) => self.symbol_literal(),
            Some(TokenKind::Symbol("\\")) => true,
            _ => false,
        }
    }

    pub(crate) fn bare_arguments(&mut self) -> Arguments {
        let outer = std::mem::replace(&mut self.bracketed, false);
        let mut arguments = Arguments::default();
        loop {
            self.argument(&mut arguments);
            if self.symbol() == Some(",") {
                self.advance();
                self.skip_lines();
            } else {
                break;
            }
        }
        self.bracketed = outer;
        arguments
    }
}
