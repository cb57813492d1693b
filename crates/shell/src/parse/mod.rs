//! Bash text to the tree: one pass from left to right, every construct read where it stands.
//!
//! The parser is our own. Parser libraries recover from errors, now and then without saying so, and read the inside
//! of words leniently; a gate must not. Here a byte is either read as part of a construct or the text is a problem:
//! there is no recovery, so nothing can be skipped. Recursion is bounded by [`Limits::depth`] and work by
//! [`Limits::nodes`] and [`Limits::bytes`]; the one construct that needs a second look (`((` may open an arithmetic
//! expression or two subshells) remembers where the first look failed.
//!
//! The body of a heredoc stands after the line that asks for it. So the text is read twice if it has heredocs: once
//! to find the bodies, once to put them where they belong.

mod ansi;
mod assignment;
mod braces;
mod compound;
mod conditional;
mod expansion;
mod heredoc;
mod pieces;
mod redirection;
mod statement;
mod word;

use std::collections::BTreeSet;

use self::heredoc::{Body, Pending};
use self::pieces::Start;
pub use self::pieces::{Piece, pieces};
use crate::tree::{Problem, ProblemKind, Script, Span, Statement};

/// How much work a text may be. What goes beyond ends as a [`ProblemKind::Limit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of code. The bodies of heredocs don't count, apart from the substitutions in them.
    pub bytes: usize,
    /// Levels of nesting: substitutions, quotes within expansions, groups.
    pub depth: usize,
    /// Statements, words and parts of words.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 256 * 1024, depth: 32, nodes: 25_000 }
    }
}

/// Parse bash text. Never fails: what can't be read stands in the script's problems, and such a script is *cannot
/// analyse* whatever else it holds. The statements before the problem are kept: bash runs a text line by line, and
/// has run them by the time it finds the problem.
///
/// Of a text that goes beyond the limits [`pieces`] reads on behind them.
pub fn parse(text: &str, limits: &Limits) -> Script {
    piece(text, &Start::default(), limits).0
}

/// What can be read at once from there on, and where it goes on behind a limit.
fn piece(text: &str, start: &Start, limits: &Limits) -> (Script, Option<Start>) {
    let mut parser = Parser::beginning(text, start, limits);
    let whole = parser.span(0, text.len());
    let refused = if u32::try_from(text.len()).is_err() {
        Some((ProblemKind::Limit, whole, "longer than four gibibytes"))
    } else {
        text.bytes().position(|byte| byte == 0).map(|at| {
            let span = parser.span(at, at + 1);
            (ProblemKind::Syntax, span, "a NUL byte in the text")
        })
    };
    if let Some((kind, span, message)) = refused {
        let problem = Problem { kind, span, message: message.to_owned() };
        return (Script { statements: Vec::new(), problems: vec![problem] }, None);
    }
    let (statements, problem) = parser.whole();
    match problem.or(parser.cut.take()) {
        None => (Script { statements, problems: Vec::new() }, None),
        Some(problem) if problem.kind == ProblemKind::Unclosed => {
            (closed(text, start, limits, *problem), None)
        }
        Some(problem) => {
            let next = parser.next.take().filter(|_| problem.kind == ProblemKind::Limit);
            (Script { statements, problems: vec![*problem] }, next)
        }
    }
}

/// The comments of a text that stand on the command line itself: none in a string, a heredoc, a substitution or a compound
/// command, and none of a text that can't be read.
pub fn comments(text: &str, limits: &Limits) -> Vec<Span> {
    let mut parser = Parser::new(text, Place::From(0), limits);
    if u32::try_from(text.len()).is_err() || text.contains('\0') || parser.whole().1.is_some() {
        return Vec::new();
    }
    // A construct that gets a second look is read twice.
    parser.comments.sort_unstable();
    parser.comments.dedup();
    parser.comments
}

/// The script of a text in which what is open at its end is closed there. Where something else is wrong too (a `{` is
/// open as well), that is a problem of the usual kind.
fn closed(text: &str, start: &Start, limits: &Limits, problem: Problem) -> Script {
    let mut parser = Parser::beginning(text, start, limits);
    parser.closes = true;
    let (statements, other) = parser.whole();
    let problem = match (other, parser.unclosed) {
        (None, Some(unclosed)) => *unclosed,
        (Some(other), _) if other.kind == ProblemKind::Limit => *other,
        _ => Problem { kind: ProblemKind::Syntax, ..problem },
    };
    Script { statements, problems: vec![problem] }
}

/// What a reading method returns. An error ends the parse, but for the construct that gets a second look.
type Parsed<T> = Result<T, Box<Problem>>;

/// Where a parser's text stands in the outermost text.
#[derive(Clone, Copy)]
enum Place {
    /// Byte 0 of the text is this byte.
    From(usize),
    /// The text was changed before it was read; every position is the whole construct.
    Whole(Span),
}

/// Reads one text: the outermost one, that of backquotes, or the body of a heredoc.
struct Parser<'a> {
    text: &'a str,
    place: Place,
    limits: &'a Limits,
    /// The next byte to read.
    at: usize,
    /// Nothing from here on is read.
    end: usize,
    depth: usize,
    nodes: usize,
    /// Bytes before `at` that are data, not code.
    data: usize,
    /// Bytes of backquoted text so far, nested text counted again.
    inner: usize,
    /// How many `$(`, `<(` and `>(` are open.
    substitutions: usize,
    /// Heredocs whose bodies begin after the next line break.
    pending: Vec<Pending>,
    /// Where the bodies of heredocs stand, by their operators.
    bodies: Vec<Body>,
    /// The bodies are known: this is the second reading.
    located: bool,
    /// Where no arithmetic expression begins, though it looks like one.
    failures: BTreeSet<usize>,
    /// No `[` before this byte is closed.
    unbracketed: usize,
    /// Statements inside something that doesn't end: they are read, whatever is wrong behind them.
    salvaged: Vec<Statement>,
    /// What is open at the end of a text is taken to be closed there.
    closes: bool,
    /// The first of what was closed so.
    unclosed: Option<Box<Problem>>,
    /// Comments of the command line itself, in no construct.
    comments: Vec<Span>,
    /// Where the reading begins.
    start: Start,
    /// Where it can go on behind the limit that ended it.
    next: Option<Start>,
    /// The first place where something small was left out, and the reading went on.
    cut: Option<Box<Problem>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, place: Place, limits: &'a Limits) -> Self {
        Self {
            text,
            place,
            limits,
            at: 0,
            end: text.len(),
            depth: 0,
            nodes: 0,
            data: 0,
            inner: 0,
            substitutions: 0,
            pending: Vec::new(),
            bodies: Vec::new(),
            located: false,
            failures: BTreeSet::new(),
            unbracketed: 0,
            salvaged: Vec::new(),
            closes: false,
            unclosed: None,
            comments: Vec::new(),
            start: Start::default(),
            next: None,
            cut: None,
        }
    }

    /// The whole text as a script.
    fn whole(&mut self) -> (Vec<Statement>, Option<Box<Problem>>) {
        let nodes = self.nodes;
        let (statements, problem) = self.whole_once();
        if self.bodies.is_empty() {
            return (statements, problem);
        }
        self.bodies.sort_unstable_by_key(|body| body.operator);
        self.located = true;
        self.at = self.start.at;
        self.end = self.text.len();
        self.unclosed = None;
        self.data = 0;
        self.nodes = nodes;
        self.substitutions = 0;
        self.unbracketed = 0;
        self.whole_once()
    }

    fn whole_once(&mut self) -> (Vec<Statement>, Option<Box<Problem>>) {
        let mut statements = Vec::new();
        self.salvaged.clear();
        self.comments.clear();
        (self.next, self.cut) = (None, None);
        let read = self.everything(&mut statements).and_then(|()| {
            self.finish_heredocs();
            if self.at < self.end {
                return self.syntax(self.at, self.end, "text that belongs to no command");
            }
            self.count()
        });
        statements.append(&mut self.salvaged);
        (statements, read.err())
    }

    /// A parser of a text inside this one.
    fn inner<'b>(&self, text: &'b str, place: Place) -> Parsed<Parser<'b>>
    where
        'a: 'b,
    {
        if self.depth >= self.limits.depth {
            return self.limit("nested deeper than the limit");
        }
        let inner = Parser::new(text, place, self.limits);
        let depth = self.depth + 1;
        Ok(Parser { depth, nodes: self.nodes, inner: self.inner, closes: self.closes, ..inner })
    }

    /// Take over what an inner parser counted.
    fn absorb(&mut self, inner: &Parser<'_>) {
        self.nodes = inner.nodes;
        self.inner = inner.inner;
    }

    /// What an inner parser left out is missing here too.
    fn absorb_cut(&mut self, inner: &mut Parser<'_>) {
        self.cut = self.cut.take().or(inner.cut.take());
    }

    /// The script of the text of backquotes.
    fn inner_script<'b>(&mut self, text: &'b str, place: Place) -> Parsed<Script>
    where
        'a: 'b,
    {
        self.inner += text.len();
        if self.inner > self.limits.bytes.saturating_mul(4) {
            return self.limit("more nested text than the limit");
        }
        let mut inner = self.inner(text, place)?;
        let (statements, problem) = inner.whole();
        self.absorb(&inner);
        self.absorb_cut(&mut inner);
        self.unclosed = self.unclosed.take().or(inner.unclosed.take());
        match problem {
            Some(problem) => {
                self.salvage(statements);
                Err(problem)
            }
            None => Ok(Script { statements, problems: Vec::new() }),
        }
    }

    /// The byte at `at`; 0 beyond the end.
    fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.text.as_bytes().get(at).copied().unwrap_or(0) } else { 0 }
    }

    /// The next byte but `ahead`.
    fn peek(&self, ahead: usize) -> u8 {
        self.byte(self.at + ahead)
    }

    fn at_end(&self) -> bool {
        self.at >= self.end
    }

    /// Whether the text goes on with this.
    fn looking_at(&self, sign: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
        rest.starts_with(sign.as_bytes())
    }

    /// The text between two bytes; empty where that is none.
    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    /// A span in the coordinates of the outermost text.
    fn span(&self, start: usize, end: usize) -> Span {
        match self.place {
            Place::From(base) => Span { start: to_u32(base + start), end: to_u32(base + end) },
            Place::Whole(span) => span,
        }
    }

    /// The place of the text between two bytes of this one.
    fn place(&self, start: usize) -> Place {
        match self.place {
            Place::From(base) => Place::From(base + start),
            whole @ Place::Whole(_) => whole,
        }
    }

    fn syntax<T>(&self, start: usize, end: usize, message: &str) -> Parsed<T> {
        // A broken text can end in the middle of a character.
        let (start, end) = (self.boundary(start), self.boundary(end));
        let span = self.span(start, end);
        Err(Box::new(Problem { kind: ProblemKind::Syntax, span, message: message.to_owned() }))
    }

    /// What began at `start` is not closed where the text ends.
    fn unclosed(&mut self, start: usize, message: &str) -> Parsed<()> {
        let (start, end) = (self.boundary(start), self.boundary(self.end));
        let span = self.span(start, end);
        let problem = Box::new(Problem { kind: ProblemKind::Unclosed, span, message: message.to_owned() });
        if !self.closes || self.end < self.text.len() {
            return Err(problem);
        }
        self.unclosed.get_or_insert(problem);
        self.at = self.end;
        Ok(())
    }

    /// The same, where something else may stand in the place of the end.
    fn unclosed_here(&mut self, start: usize, message: &str) -> Parsed<()> {
        if self.at_end() { self.unclosed(start, message) } else { self.syntax(start, self.end, message) }
    }

    /// The last boundary of a character up to this byte.
    fn boundary(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        (0..4).filter_map(|back| at.checked_sub(back)).find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }

    fn limit<T>(&self, message: &str) -> Parsed<T> {
        let at = self.boundary(self.at);
        let span = self.span(at, at);
        Err(Box::new(Problem { kind: ProblemKind::Limit, span, message: message.to_owned() }))
    }

    /// Count a node.
    fn count(&mut self) -> Parsed<()> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return self.limit("more commands and words than the limit");
        }
        if self.at.saturating_sub(self.data) > self.limits.bytes {
            return self.limit("more code than the limit");
        }
        Ok(())
    }

    /// Read something one level deeper.
    fn nest<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= self.limits.depth {
            return self.limit("nested deeper than the limit");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Read something that may turn out not to be there: `None`, and the cursor stays. Only tried once at a place.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Option<T>>) -> Parsed<Option<T>> {
        if self.failures.contains(&self.at) {
            return Ok(None);
        }
        let (start, end, depth, data, substitutions) =
            (self.at, self.end, self.depth, self.data, self.substitutions);
        let (pending, bodies) = (self.pending.clone(), self.bodies.len());
        let salvaged = self.salvaged.len();
        let (unclosed, cut) = (self.unclosed.clone(), self.cut.clone());
        match read(self) {
            Ok(Some(found)) => return Ok(Some(found)),
            Err(problem) if problem.kind == ProblemKind::Limit => return Err(problem),
            Ok(None) | Err(_) => {}
        }
        (self.at, self.end, self.depth, self.data, self.substitutions) =
            (start, end, depth, data, substitutions);
        self.pending = pending;
        self.bodies.truncate(bodies);
        self.salvaged.truncate(salvaged);
        (self.unclosed, self.cut) = (unclosed, cut);
        self.failures.insert(start);
        Ok(None)
    }

    /// Skip blanks, comments and line continuations; only called between tokens.
    fn blanks(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                b'#' => {
                    let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
                    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                    if self.depth == 0 && self.substitutions == 0 {
                        self.comments.push(self.span(self.at, self.at + length));
                    }
                    // A comment is no code, however long it is.
                    self.data += length;
                    self.at += length;
                }
                _ => return,
            }
        }
    }

    /// Skip blanks, comments and line breaks, and the bodies of heredocs after those.
    fn newlines(&mut self) {
        self.blanks();
        while self.peek(0) == b'\n' {
            self.at += 1;
            self.skip_heredocs();
            self.blanks();
        }
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
