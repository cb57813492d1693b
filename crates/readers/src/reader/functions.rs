//! Functions of the text itself: their parameters hide what else has these names, and what they do is what they do with
//! the arguments of each call.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::Language;
use super::super::lexer::{Token, TokenKind};
use super::super::value::{Arguments, Value};
use super::survey::{column, survey};
use super::{DEEPEST, Reader};

/// A function of the text.
#[derive(Clone, Debug)]
pub(super) struct Function {
    parameters: Rc<[Parameter]>,
    body: Rc<[Token]>,
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
}

/// Calls that are followed into functions, in all and inside of each other.
const MOST_CALLS: usize = 64;
const DEEPEST_CALL: usize = 6;
/// Longer bodies are read once.
const LONGEST_BODY: usize = 4000;

impl Function {
    fn new(parameters: Vec<Parameter>, body: Rc<[Token]>) -> Function {
        let loose = body.len() > LONGEST_BODY;
        Function { parameters: parameters.into(), body, called: false, loose, finished: false }
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
        let body: Rc<[Token]> = self.tokens.get(self.at..end).unwrap_or_default().into();
        self.at = end;
        let mut function = Function::new(parameters, body);
        if method {
            self.enter(&function, None);
            return;
        }
        self.assign(&name, Value::Unknown);
        if let Some(before) = self.functions.get(&name).cloned() {
            // Which of the two is meant depends on the course.
            function.loose = true;
            self.enter(&before, None);
        }
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
                parameters.push(Parameter { name, default, rest: matches!(stars, Some("*" | "...")) });
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
        let mut at = self.at.min(self.tokens.len());
        while at > 0 && self.tokens.get(at - 1).is_some_and(|token| token.kind != TokenKind::Line) {
            at -= 1;
        }
        self.tokens.get(at).map_or(0, |token| column(self.text, token))
    }

    /// The token behind a block of Python that begins here, whose header is indented so far.
    pub(crate) fn end_of_block(&self, header: usize) -> usize {
        let mut begins = false;
        for (at, token) in self.tokens.iter().enumerate().skip(self.at) {
            if token.kind == TokenKind::Line {
                begins = true;
            } else if begins {
                if column(self.text, token) <= header {
                    return at;
                }
                begins = false;
            }
        }
        self.tokens.len()
    }

    /// Is that a function of the text whose calls are followed?
    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// A function of the text goes where its calls can't be followed.
    pub(super) fn loosen(&mut self, name: &str) {
        if let Some(function) = self.functions.get_mut(name) {
            function.loose = true;
        }
    }

    /// Calls a function of the text.
    pub(super) fn invoke(&mut self, name: &str, arguments: &Arguments) -> Value {
        let within = self.stack.iter().any(|running| running == name);
        let Some(function) = self.functions.get_mut(name) else { return Value::Unknown };
        if self.calls >= MOST_CALLS || within || self.stack.len() >= DEEPEST_CALL || function.loose {
            function.loose = true;
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
        if self.depth > DEEPEST {
            self.code.lose();
            return Value::Unknown;
        }
        let parameters: Vec<String> =
            function.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let locals = survey(self.dialect.language, self.text, &function.body, &parameters);
        let outer = self.survey.join(locals, &parameters);
        let tokens = std::mem::replace(&mut self.tokens, function.body.to_vec());
        let at = std::mem::replace(&mut self.at, 0);
        let bracketed = std::mem::replace(&mut self.bracketed, false);
        let returned = std::mem::take(&mut self.returned);
        let class_end = std::mem::replace(&mut self.class_end, 0);
        let mark = self.journal.len();
        self.entered += 1;
        for (index, parameter) in function.parameters.iter().enumerate() {
            let value = arguments.map_or(Value::Unknown, |arguments| parameter.value(index, arguments));
            self.set(&parameter.name, value);
        }
        self.depth += 1;
        self.statements();
        self.depth -= 1;
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
        loop {
            let open = |function: &Function| !function.finished && (function.loose || !function.called);
            let mut names =
                self.functions.iter().filter(|(_, function)| open(function)).map(|(name, _)| name);
            let Some(name) = names.next().cloned() else { return };
            let Some(function) = self.functions.get_mut(&name) else { return };
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
    fn value(&self, index: usize, arguments: &Arguments) -> Value {
        if self.rest {
            return Value::List(arguments.positional.iter().skip(index).cloned().collect());
        }
        let given = arguments.positional.get(index).or_else(|| arguments.named(&self.name));
        given.cloned().or_else(|| self.default.clone()).unwrap_or(Value::Unknown)
    }
}

/// The functions of JavaScript that stand in the text by their names: they are known before what calls them.
pub(super) fn hoisted(language: Language, tokens: &[Token]) -> BTreeMap<String, Function> {
    let mut found: BTreeMap<String, Function> = BTreeMap::new();
    if language != Language::Javascript {
        return found;
    }
    for (at, window) in tokens.windows(3).enumerate() {
        let [word, name, open] = window else { continue };
        let (TokenKind::Name(word), TokenKind::Name(name), TokenKind::Symbol("(")) =
            (&word.kind, &name.kind, &open.kind)
        else {
            continue;
        };
        if word == "function"
            && let Some((parameters, next)) = simple_parameters(tokens, at + 2)
            && let Some(end) = closing_brace(tokens, next)
        {
            let body = tokens.get(next + 1..end).unwrap_or_default();
            let mut function = Function::new(parameters, body.into());
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
    found
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
                parameters.push(Parameter { name: name.clone(), default: None, rest: true });
                at += 2;
            }
            TokenKind::Name(name) => {
                parameters.push(Parameter { name: name.clone(), default: None, rest: false });
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
