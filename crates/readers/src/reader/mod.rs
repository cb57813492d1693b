//! One reader for the scripting languages: walks every expression of a text once, in order, follows literal values
//! and library names through assignments, and looks every call up in the language's own table.

mod chains;
mod expressions;
mod functions;
mod joining;
mod scopes;
mod survey;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::lexer::{Token, TokenKind, tokens};
use super::value::{Act, HOLE, HOME, Value};
use super::{Code, Language};
use functions::Function;
use hookgate_knowledge::{Library, shipped};
use survey::Survey;

/// What makes one scripting language differ from another.
pub(super) struct Dialect {
    /// Which.
    pub(super) language: Language,
    /// What is known about its library, and about what the library is like: `knowledge/libraries/NAME.toml`.
    pub(super) library: &'static str,
    /// What calling a function of the library does, by its full name as it is written; a builtin has a bare one.
    pub(super) called: fn(&Library<'static>, &str) -> Option<Act>,
    /// Reads a statement that starts with a word of its own; `false` where the word is nothing special.
    pub(super) statement: fn(&mut Reader<'_>, &str) -> bool,
    /// Calling a name that nobody defined is an error at run time, not a call of something unknown.
    pub(super) undefined_fails: bool,
    /// Calls need no brackets (`system "ls"`).
    pub(super) bare_calls: bool,
}

/// More values than so many are not followed one by one.
const MOST_ALTERNATIVES: usize = 64;

/// A name that takes more values than so many is not followed further.
const MOST_VALUES: usize = 8;

/// Lists are not spread into one that has so many elements.
const MOST_SPREAD: usize = 4096;

/// Expressions and statements inside of each other, and functions inside of each other, beyond which a text is not
/// analysed. Every level takes a few kilobytes of stack.
const DEEPEST: usize = 100;

/// Text that is evaluated inside of evaluated text, and so on, is followed so many levels down.
const MOST_EVALUATED: usize = 2;

/// How much a text may take to read, in units of sixteen bytes that are copied: a text that adds to a long value again
/// and again takes time that grows with its square.
const EFFORT: usize = 1 << 20;

/// The state of a walk.
pub(super) struct Reader<'a> {
    pub(super) dialect: &'static Dialect,
    pub(super) library: Library<'static>,
    pub(super) text: &'a str,
    tokens: Rc<[Token]>,
    at: usize,
    /// The token behind the part that is being read.
    to: usize,
    lines: Rc<Lines>,
    pub(super) names: HashMap<String, Value>,
    /// Names whose value is not followed, or not to its end.
    survey: Survey,
    /// Functions and classes of the text itself.
    pub(super) defined: HashSet<String>,
    /// Functions of the text whose calls are followed.
    functions: BTreeMap<String, Function>,
    /// Where the bodies begin of those that are known before what calls them.
    hoisted: HashSet<usize>,
    /// Functions that may have to be read for any arguments.
    pending: BTreeSet<String>,
    /// The functions that are being called.
    stack: Vec<String>,
    /// How many functions the one that is being read was defined in.
    level: usize,
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
    /// Texts that go where they aren't followed, inside of this text.
    pub(super) kept: Vec<String>,
    /// Variables of the environment that are set for what is started.
    pub(super) exported: Vec<(String, String)>,
    /// The variable of the environment that was named last, and the token behind it.
    pub(super) variable: Option<(String, usize)>,
    depth: usize,
    /// How often text that was evaluated led here.
    evaluated: usize,
    /// What is left of [`EFFORT`].
    effort: usize,
    /// Inside round or square brackets, where a line's end means nothing.
    bracketed: bool,
    /// What a function without a name that comes next is called for, and what the last one gave.
    given: Option<Value>,
    gave: Option<Value>,
    /// The name before the member that is read.
    pub(super) owner: Option<String>,
    /// An argument is read ahead of those before it.
    ahead: bool,
    /// Where `chdir` went: `Some(None)` if that is computed.
    pub(super) directory: Option<Option<String>>,
}

/// Reads a whole text.
pub(super) fn read(dialect: &'static Dialect, text: &str) -> Code {
    read_inside(dialect, text, 0, 0, EFFORT)
}

fn read_inside(dialect: &'static Dialect, text: &str, depth: usize, evaluated: usize, effort: usize) -> Code {
    let (tokens, sound) = tokens(dialect.language, text, 0, text.len());
    let tokens: Rc<[Token]> = tokens.into();
    let lines = Rc::new(Lines::of(text));
    let (functions, hoisted) = functions::hoisted(dialect.language, &tokens);
    let mut reader = Reader {
        dialect,
        library: Library::of(shipped(), dialect.library),
        text,
        at: 0,
        to: tokens.len(),
        names: HashMap::new(),
        survey: survey::survey(dialect.language, &lines, &tokens, &[]),
        defined: HashSet::new(),
        hoisted,
        pending: functions.keys().cloned().collect(),
        functions,
        tokens: Rc::clone(&tokens),
        lines,
        stack: Vec::new(),
        level: 0,
        entered: 0,
        journal: Vec::new(),
        calls: 0,
        returned: Vec::new(),
        class_end: 0,
        code: Code::new(),
        kept: Vec::new(),
        exported: Vec::new(),
        variable: None,
        depth,
        evaluated,
        effort,
        bracketed: false,
        given: None,
        gave: None,
        owner: None,
        ahead: false,
        directory: None,
    };
    if !sound {
        reader.code.lose();
    }
    reader.define_all(&tokens);
    reader.statements();
    reader.finish();
    reader.hand_over();
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

    /// Reads what is one level further inside; beyond [`DEEPEST`] nothing is read.
    fn deeper<T>(&mut self, otherwise: T, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            self.give_up();
            return otherwise;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// The rest of this part of the text is not analysed.
    fn give_up(&mut self) {
        self.code.give_up(self.start(), self.text.len());
        self.at = self.to;
    }

    /// Says that so many bytes are copied; too many of them are too much.
    fn spend(&mut self, bytes: usize) {
        match self.effort.checked_sub(1 + bytes / 16) {
            Some(left) => self.effort = left,
            None => self.give_up(),
        }
    }

    /// Reads text of the same language that this text evaluates; `None` where that goes too far.
    pub(super) fn evaluated(&mut self, text: &str) -> Option<Code> {
        if self.evaluated >= MOST_EVALUATED || self.depth >= DEEPEST {
            return None;
        }
        self.spend(text.len());
        Some(read_inside(self.dialect, text, self.depth, self.evaluated + 1, self.effort))
    }

    /// The token there, if it belongs to the part that is being read.
    fn token(&self, at: usize) -> Option<&Token> {
        if at < self.to { self.tokens.get(at) } else { None }
    }

    pub(super) fn peek(&self) -> Option<&TokenKind> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<&TokenKind> {
        self.token(self.at + offset).map(|token| &token.kind)
    }

    /// The token that is read next.
    pub(super) fn at(&self) -> usize {
        self.at
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
        self.token(self.at).map_or(self.text.len(), |token| token.start)
    }

    pub(super) fn end(&self) -> usize {
        let read = self.tokens.get(..self.at).unwrap_or(&self.tokens);
        read.last().map_or(0, |token| token.end)
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

    /// Is the bit of a mode that makes a file run as its owner added between those bytes?
    pub(super) fn adds_set_user(&self, start: usize, end: usize) -> bool {
        let is =
            |token: &Token, symbol: &str| matches!(token.kind, TokenKind::Symbol(known) if known == symbol);
        self.tokens.windows(5).any(|window| {
            let [a, b, c, d, token] = window else { return false };
            // `stat.S_ISUID`
            let (first, before) = if is(d, ".") { (a, b) } else { (c, d) };
            let kept = is(before, "&") || is(before, "~") || (is(before, "(") && is(first, "~"));
            let adds = match &token.kind {
                TokenKind::Name(name) => name == "S_ISUID",
                TokenKind::Number => {
                    let number = self.text.get(token.start..token.end).and_then(expressions::number_of);
                    number.is_some_and(|bits| (0o4000..=0o7777).contains(&bits) && bits & 0o4000 != 0)
                }
                _ => false,
            };
            token.start >= start && token.end <= end && adds && !kept
        })
    }

    /// The first name of a variable or a handle in the call that begins there.
    pub(super) fn first_name(&self, start: usize) -> Option<String> {
        let called = self.tokens.iter().take(self.at).skip_while(|token| token.start <= start);
        let mut names = called.take(4).filter_map(|token| match &token.kind {
            TokenKind::Name(name) => Some(name.clone()),
            _ => None,
        });
        names.find(|name| !self.library.keyword(name))
    }

    /// The name before the mark and the name that were taken last.
    pub(super) fn owner_before(&self) -> Option<String> {
        match &self.tokens.get(self.at.checked_sub(3)?)?.kind {
            TokenKind::Name(name) => Some(name.clone()),
            _ => None,
        }
    }

    /// Gives a name a value, unless the name takes several.
    pub(super) fn assign(&mut self, name: &str, value: Value) {
        if name == "@ARGV" && self.dialect.language == Language::Perl {
            self.arguments_of_perl(&value);
        }
        let value = if self.survey.changing.contains(name) {
            if self.dangerous(&value) {
                self.code.lose();
            }
            self.one_more(name, value)
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

    /// The values that a name which takes several has had so far, this one among them, or any other.
    fn one_more(&self, name: &str, value: Value) -> Value {
        let before = self.names.get(name).cloned().map(Value::alternatives).unwrap_or_default();
        let mut values: Vec<Value> = Vec::new();
        for value in before.into_iter().chain(value.alternatives()) {
            let telling = matches!(
                value,
                Value::Text(_)
                    | Value::Partial(_)
                    | Value::File(Some(_))
                    | Value::Name(_)
                    | Value::Decoded(_)
                    | Value::Fetched
            );
            if telling && values.len() < MOST_VALUES && !values.contains(&value) {
                values.push(value);
            }
        }
        values.push(Value::Unknown);
        Value::one_of(values)
    }

    /// A name that an import gives, which may have been that of another module: which one is meant depends on the course.
    pub(super) fn import_as(&mut self, name: &str, value: Value) {
        let value = match self.names.get(name) {
            Some(before @ (Value::Name(_) | Value::OneOf(_))) if *before != value => {
                let mut values = before.clone().alternatives();
                values.truncate(MOST_VALUES);
                if !values.contains(&value) {
                    values.push(value);
                }
                Value::one_of(values)
            }
            _ => value,
        };
        self.assign(name, value);
    }

    /// Gives a name a value for as long as the function that is being read lasts.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        let before = self.names.insert(name.to_owned(), value.bounded());
        if self.entered > 0 {
            self.journal.push((name.to_owned(), before));
        }
    }

    /// `a, b = one, other`, also with brackets around the names: every name takes its part.
    fn unpack(&mut self) -> bool {
        let close = match self.symbol() {
            Some("(") => Some(")"),
            Some("[") => Some("]"),
            _ => None,
        };
        let open = usize::from(close.is_some());
        let pair = |index: usize| (self.peek_at(open + 2 * index), self.symbol_at(open + 2 * index + 1));
        let parted = |index: &usize| matches!(pair(*index), (Some(TokenKind::Name(_)), Some(",")));
        let last = (0..=MOST_ALTERNATIVES).take_while(parted).count();
        let (Some(TokenKind::Name(_)), Some(behind)) = pair(last) else { return false };
        let is_assigned = match close {
            Some(close) => behind == close && self.symbol_at(open + 2 * last + 2) == Some("="),
            None => behind == "=",
        };
        if !is_assigned || last == 0 {
            return false;
        }
        let named = |index: usize| match self.peek_at(open + 2 * index) {
            Some(TokenKind::Name(name)) => Some(name.clone()),
            _ => None,
        };
        let names: Vec<String> = (0..=last).filter_map(named).collect();
        self.at += 2 * (names.len() + open);
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
        if let Some(operator @ ("=" | ":=" | "||=" | "??=" | "//=" | "+=" | ".=" | "/=")) = self.symbol() {
            let target = (self.at == first + 1).then(|| self.token(first)).flatten();
            let target = match target.map(|token| &token.kind) {
                Some(TokenKind::Name(name)) => Some(name.clone()),
                _ => None,
            };
            let variable = self.variable.take().filter(|(_, at)| *at == self.at && operator != "+=");
            self.advance();
            self.skip_lines();
            if let Some((variable, _)) = variable {
                let value = self.expression();
                return self.export(variable, &value);
            }
            match (operator, target) {
                ("=" | ":=" | "||=" | "??=" | "//=", target) => self.assignment(target.as_deref()),
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
            let inner = self.token(first).and_then(|token| match &token.kind {
                TokenKind::Name(name) => Some(name.clone()),
                _ => None,
            });
            self.advance();
            self.deeper((), |reader| reader.assignment(inner.as_deref()));
            value = inner.and_then(|name| self.names.get(&name).cloned()).unwrap_or(Value::Unknown);
        }
        match target {
            Some(target) => self.assign(target, value),
            None => {
                self.keep(&value);
                self.escape(&value);
            }
        }
    }

    /// A value that nobody uses; in languages without brackets a bare name is a call.
    fn discard(&mut self, value: &Value) {
        let called = match value {
            Value::Name(name) => self.library_function(name).is_some(),
            _ => false,
        };
        if self.dialect.bare_calls && called {
            self.escape(value);
        }
    }

    /// Statements up to the closing brace, which is taken.
    pub(super) fn block(&mut self) {
        self.deeper((), Self::statements_in_braces);
    }

    fn statements_in_braces(&mut self) {
        let outer = std::mem::replace(&mut self.bracketed, false);
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
        self.bracketed = outer;
    }
}

/// Where the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect())
    }

    /// The first byte of the line with that byte in it.
    fn start(&self, at: usize) -> usize {
        let behind = self.0.partition_point(|start| *start <= at);
        behind.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or(0)
    }

    /// How many bytes stand before the token in its line.
    fn column(&self, token: &Token) -> usize {
        token.start - self.start(token.start)
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
