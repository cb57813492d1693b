//! Functions of the text itself: their parameters hide what else has these names, and what they do is what they do with
//! the arguments of each call.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::super::Language;
use super::super::lexer::{Token, TokenKind};
use super::super::value::{Arguments, Value};
use super::survey::survey;
use super::{DEEPEST, Reader};

/// A function of the text.
#[derive(Clone, Debug)]
pub(super) struct Function {
    parameters: Rc<[Parameter]>,
    tokens: Rc<[Token]>,
    /// The body: its first token, and the one behind it.
    from: usize,
    to: usize,
    /// How many functions it is defined in.
    level: usize,
    /// It was called, with arguments that were followed.
    called: bool,
    /// It is called with arguments that nobody knows, or may be.
    loose: bool,
    /// It was read for any arguments.
    finished: bool,
}

/// A parameter with its default.
#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    default: Option<Value>,
    /// It takes all that is left, by position.
    rest: bool,
    /// It takes all that is left, by name.
    keywords: bool,
}

/// Calls that are followed into functions, in all and inside of each other.
const MOST_CALLS: usize = 64;
const DEEPEST_CALL: usize = 6;
/// Longer bodies are read once.
const LONGEST_BODY: usize = 4000;

impl Function {
    fn new(parameters: Vec<Parameter>, tokens: &Rc<[Token]>, body: Range<usize>, level: usize) -> Function {
        Function {
            parameters: parameters.into(),
            tokens: Rc::clone(tokens),
            loose: body.len() > LONGEST_BODY,
            from: body.start,
            to: body.end,
            level,
            called: false,
            finished: false,
        }
    }

    /// Must it be read for any arguments?
    fn is_open(&self) -> bool {
        !self.finished && (self.loose || !self.called)
    }
}

impl Reader<'_> {
    /// Python's `def`, behind the word. Inside of a class a method is read at once, with arguments that nobody knows.
    pub(crate) fn define(&mut self, method: bool) {
        let header = self.line_column();
        let Some(name) = self.take_name() else { return };
        let parameters = if self.take("(") { self.parameters() } else { Vec::new() };
        let mut depth = 0usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Symbol("(" | "[" | "{") => depth += 1,
                TokenKind::Symbol(")" | "]" | "}") => depth = depth.saturating_sub(1),
                TokenKind::Symbol(":") if depth == 0 => break,
                TokenKind::Line => break,
                _ => {}
            }
            self.advance();
        }
        self.take(":");
        let end = self.end_of_block(header);
        let mut function = Function::new(parameters, &self.tokens, self.at..end, self.level + 1);
        self.at = end;
        if method {
            self.enter(&function, None);
            return;
        }
        self.assign(&name, Value::Unknown);
        if let Some(before) = self.functions.get(&name).cloned() {
            // Which of the two is meant depends on the course.
            function.loose = true;
            if !before.finished && !self.stack.contains(&name) {
                self.enter(&before, None);
            }
        }
        self.pending.insert(name.clone());
        self.functions.insert(name, function);
    }

    /// Behind the opening bracket, up to behind the closing one.
    fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        loop {
            match self.peek() {
                None | Some(TokenKind::Symbol(")")) => {
                    self.advance();
                    return parameters;
                }
                _ => {}
            }
            let stars = self.symbol();
            if matches!(stars, Some("*" | "**" | "...")) {
                self.advance();
            }
            if let Some(name) = self.take_name() {
                if self.take(":") {
                    self.expression();
                }
                let default = self.take("=").then(|| {
                    let value = self.expression();
                    self.escape(&value);
                    value
                });
                parameters.push(Parameter {
                    name,
                    default,
                    rest: matches!(stars, Some("*" | "...")),
                    keywords: stars == Some("**"),
                });
            } else if !matches!(stars, Some("*" | "**")) {
                self.advance();
            }
        }
    }

    /// Is this inside of a class?
    pub(crate) fn in_class(&self) -> bool {
        self.at < self.class_end
    }

    /// How far the first token of this line is indented.
    pub(crate) fn line_column(&self) -> usize {
        let line = self.text.get(self.lines.start(self.start())..).unwrap_or_default();
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// The token behind a block of Python that begins here, whose header is indented so far.
    pub(crate) fn end_of_block(&self, header: usize) -> usize {
        let mut begins = false;
        for (at, token) in self.tokens.iter().enumerate().take(self.to).skip(self.at) {
            if token.kind == TokenKind::Line {
                begins = true;
            } else if begins {
                if self.lines.column(token) <= header {
                    return at;
                }
                begins = false;
            }
        }
        self.to
    }

    /// Is that a function of the text whose calls are followed?
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Is it the function of JavaScript whose body begins with the brace here, and which is known by its name?
    pub(super) fn is_hoisted(&self) -> bool {
        self.hoisted.contains(&self.start())
    }

    /// A function of the text goes where its calls can't be followed.
    pub(super) fn loosen(&mut self, name: &str) {
        if let Some(function) = self.functions.get_mut(name)
            && !function.loose
        {
            function.loose = true;
            self.pending.insert(name.to_owned());
        }
    }

    /// Calls a function of the text.
    pub(super) fn invoke(&mut self, name: &str, arguments: &Arguments) -> Value {
        let within = self.stack.iter().any(|running| running == name);
        let Some(function) = self.functions.get_mut(name) else { return Value::Unknown };
        if self.calls >= MOST_CALLS || within || self.stack.len() >= DEEPEST_CALL || function.loose {
            self.loosen(name);
            self.keep_all(arguments);
            return Value::Unknown;
        }
        function.called = true;
        let function = function.clone();
        self.calls += 1;
        self.stack.push(name.to_owned());
        let value = self.enter(&function, Some(arguments));
        self.stack.pop();
        value
    }

    /// Reads a body, with arguments or for any.
    fn enter(&mut self, function: &Function, arguments: Option<&Arguments>) -> Value {
        if function.level > DEEPEST {
            let start = function.tokens.get(function.from).map_or(0, |token| token.start);
            self.code.give_up(start, self.text.len());
            return Value::Unknown;
        }
        self.deeper(Value::Unknown, |reader| reader.enter_here(function, arguments))
    }

    fn enter_here(&mut self, function: &Function, arguments: Option<&Arguments>) -> Value {
        let parameters: Vec<String> =
            function.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let body = function.tokens.get(function.from..function.to).unwrap_or_default();
        let locals = survey(self.dialect.language, &self.lines, body, &parameters);
        let outer = self.survey.join(locals, &parameters);
        let tokens = std::mem::replace(&mut self.tokens, Rc::clone(&function.tokens));
        let at = std::mem::replace(&mut self.at, function.from);
        let to = std::mem::replace(&mut self.to, function.to);
        let level = std::mem::replace(&mut self.level, function.level);
        let bracketed = std::mem::replace(&mut self.bracketed, false);
        let returned = std::mem::take(&mut self.returned);
        let class_end = std::mem::replace(&mut self.class_end, 0);
        let mark = self.journal.len();
        self.entered += 1;
        for (index, parameter) in function.parameters.iter().enumerate() {
            let value =
                arguments.map_or(Value::Unknown, |arguments| parameter.value(index, arguments, &parameters));
            self.set(&parameter.name, value);
        }
        self.statements();
        self.entered -= 1;
        while self.journal.len() > mark
            && let Some((name, value)) = self.journal.pop()
        {
            match value {
                Some(value) => self.names.insert(name, value),
                None => self.names.remove(&name),
            };
        }
        self.survey.part(outer);
        self.class_end = class_end;
        let mut values = std::mem::replace(&mut self.returned, returned);
        self.tokens = tokens;
        self.at = at;
        self.to = to;
        self.level = level;
        self.bracketed = bracketed;
        match values.pop() {
            Some(value) if values.is_empty() => value,
            last => {
                for value in values.iter().chain(&last) {
                    self.escape(value);
                }
                Value::Unknown
            }
        }
    }

    /// What was defined and not called, or called in ways that were not followed, is read for any arguments.
    pub(super) fn finish(&mut self) {
        while let Some(name) = self.pending.pop_first() {
            let Some(function) = self.functions.get_mut(&name).filter(|function| function.is_open()) else {
                continue;
            };
            function.finished = true;
            let function = function.clone();
            self.stack.push(name);
            self.enter(&function, None);
            self.stack.pop();
        }
    }

    /// A statement hands this back.
    pub(crate) fn returns(&mut self, value: Value) {
        if self.stack.is_empty() {
            self.escape(&value);
        } else {
            self.returned.push(value.bounded());
        }
    }
}

impl Parameter {
    fn value(&self, index: usize, arguments: &Arguments, all: &[String]) -> Value {
        if self.keywords {
            let left = arguments.named.iter().filter(|(name, _)| !all.contains(name));
            return Value::Table(left.cloned().collect());
        }
        if self.rest {
            return Value::List(arguments.positional.iter().skip(index).cloned().collect());
        }
        let given = arguments.positional.get(index).or_else(|| arguments.named(&self.name));
        given.cloned().or_else(|| self.default.clone()).unwrap_or(Value::Unknown)
    }
}

/// The functions of JavaScript that stand in the text by their names: they are known before what calls them.
/// Also where their bodies begin in the text.
pub(super) fn hoisted(
    language: Language,
    tokens: &Rc<[Token]>,
) -> (BTreeMap<String, Function>, HashSet<usize>) {
    let mut found: BTreeMap<String, Function> = BTreeMap::new();
    let mut bodies = HashSet::new();
    if language != Language::Javascript {
        return (found, bodies);
    }
    let mut braces = 0usize;
    for (at, window) in tokens.windows(3).enumerate() {
        let [word, name, open] = window else { continue };
        match word.kind {
            TokenKind::Symbol("{") => braces += 1,
            TokenKind::Symbol("}") => braces = braces.saturating_sub(1),
            _ => {}
        }
        let (TokenKind::Name(word), TokenKind::Name(name), TokenKind::Symbol("(")) =
            (&word.kind, &name.kind, &open.kind)
        else {
            continue;
        };
        if word == "function"
            && braces <= DEEPEST
            && let Some((parameters, next)) = simple_parameters(tokens, at + 2)
            && let Some(end) = closing_brace(tokens, next)
        {
            bodies.extend(tokens.get(next).map(|brace| brace.start));
            let mut function = Function::new(parameters, tokens, next + 1..end, 0);
            let mut key = name.clone();
            if let Some(known) = found.get_mut(name) {
                // The last one counts, but not where they stand in different functions.
                function.loose = true;
                known.loose = true;
                key.push_str(&format!(" {at}"));
            }
            found.insert(key, function);
        }
    }
    (found, bodies)
}

/// `(a, b)`: the names, and the token behind; `None` where a parameter is more than a name.
fn simple_parameters(tokens: &[Token], open: usize) -> Option<(Vec<Parameter>, usize)> {
    let mut parameters = Vec::new();
    let mut at = open + 1;
    loop {
        match &tokens.get(at)?.kind {
            TokenKind::Symbol(")") => return Some((parameters, at + 1)),
            TokenKind::Symbol(",") => at += 1,
            TokenKind::Symbol("...") => {
                let TokenKind::Name(name) = &tokens.get(at + 1)?.kind else { return None };
                parameters.push(Parameter { name: name.clone(), default: None, rest: true, keywords: false });
                at += 2;
            }
            TokenKind::Name(name) => {
                parameters.push(Parameter {
                    name: name.clone(),
                    default: None,
                    rest: false,
                    keywords: false,
                });
                at += 1;
            }
            _ => return None,
        }
    }
}

/// The brace that closes the one here.
pub(super) fn closing_brace(tokens: &[Token], open: usize) -> Option<usize> {
    if tokens.get(open)?.kind != TokenKind::Symbol("{") {
        return None;
    }
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open).take(LONGEST_BODY) {
        match token.kind {
            TokenKind::Symbol("{") => depth += 1,
            TokenKind::Symbol("}") => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
