//! One reader for the scripting languages: walks every expression of a text once, in order, follows literal values
//! and library names through assignments, and looks every call up in the language's own table.

use std::collections::{HashMap, HashSet};

use super::lexer::{Literal, Piece, Token, TokenKind, tokens};
use super::value::{Act, Arguments, Value};
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

    /// One expression: every part of it is looked at, its value is known where it is simple.
    pub(super) fn expression(&mut self) -> Value {
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
    fn symbol_literal(&self) -> bool {
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
    pub(super) fn expression_until_as(&mut self) -> Value {
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
    pub(super) fn loop_target(&mut self) {
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
    fn items(&mut self, close: &str) -> Vec<Value> {
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

    /// The arguments of a call, after its opening bracket.
    pub(super) fn arguments(&mut self) -> Arguments {
        let outer = std::mem::replace(&mut self.bracketed, true);
        self.depth += 1;
        if self.depth > DEEPEST {
            self.code.lose();
            self.at = self.tokens.len();
        }
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
        self.depth -= 1;
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
        let value = self.expression();
        if self.at == before {
            self.advance();
        }
        match named {
            Some(name) => arguments.named.push((name, value)),
            None if spread => {
                self.escape(&value);
                match value {
                    Value::List(items) => arguments.positional.extend(items),
                    _ => arguments.positional.push(Value::Unknown),
                }
            }
            None => arguments.positional.push(value),
        }
    }

    /// What follows a value: members, calls, subscripts.
    fn chain(&mut self, mut value: Value, start: usize, bare: Option<&str>) -> Value {
        let mut bare = bare;
        loop {
            match self.symbol() {
                Some(mark @ ("." | "?." | "->" | "::" | "&.")) if self.is_member(mark) => {
                    self.advance();
                    let name = self.take_name().unwrap_or_default();
                    value = self.member(&value, &name, start);
                    bare = None;
                }
                Some("->" | "?." | ".") if matches!(self.symbol_at(1), Some("(" | "[" | "{")) => {
                    self.advance();
                }
                Some("(") => {
                    self.advance();
                    let arguments = self.arguments();
                    value = match value {
                        Value::Name(name) => self.call(&name, &arguments, start),
                        Value::Text(name) if self.dialect.language == Language::Php => {
                            self.call(&name, &arguments, start)
                        }
                        Value::Unknown => {
                            if let Some(name) = bare {
                                self.undefined(name);
                            }
                            self.pass(&arguments);
                            Value::Unknown
                        }
                        _ => {
                            self.pass(&arguments);
                            Value::Unknown
                        }
                    };
                    bare = None;
                }
                Some("[") => {
                    self.advance();
                    let items = self.items("]");
                    value = self.subscript(value, &items, start);
                    bare = None;
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
        if let Some(TokenKind::Text(literal)) = self.peek().cloned()
            && self.dialect.language == Language::Javascript
            && let Value::Name(name) = &value
        {
            self.advance();
            let text = self.literal(&literal, start);
            let arguments = Arguments { positional: vec![text], named: Vec::new() };
            let name = name.clone();
            value = self.call(&name, &arguments, start);
            return self.chain(value, start, None);
        }
        if self.dialect.bare_calls && self.begins_argument() {
            match &value {
                Value::Name(name) => {
                    let name = name.clone();
                    let arguments = self.bare_arguments();
                    return self.call(&name, &arguments, start);
                }
                Value::Unknown if bare.is_some_and(|name| !name.starts_with(['$', '@', '%'])) => {
                    self.undefined(bare.unwrap_or_default());
                }
                _ => {}
            }
        }
        value
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

    pub(super) fn begins_argument(&self) -> bool {
        match self.peek() {
            Some(TokenKind::Text(_) | TokenKind::Number) => true,
            Some(TokenKind::Name(name)) => !(self.dialect.keyword)(name),
            Some(TokenKind::Symbol(":")) => self.symbol_literal(),
            Some(TokenKind::Symbol("\\")) => true,
            _ => false,
        }
    }

    pub(super) fn bare_arguments(&mut self) -> Arguments {
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

    fn literal(&mut self, literal: &Literal, start: usize) -> Value {
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

/// Joins a path and what is below it.
pub(super) fn join(directory: &str, path: &str) -> String {
    if path.starts_with('/') || directory.is_empty() {
        path.to_owned()
    } else {
        format!("{}/{path}", directory.strip_suffix('/').unwrap_or(directory))
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
