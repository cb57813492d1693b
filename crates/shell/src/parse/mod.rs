//! Bash text to the tree.
//!
//! The parser library says which statements there are and where their words stand. It reads the inside of words
//! leniently: a malformed `$( ... )` comes out empty without a complaint. So words are read here, byte by byte,
//! the text of every substitution is parsed by itself, and at the end every byte must belong to a word, a
//! redirection or an operator (`account.rs`). What belongs to nothing is a problem, never nothing.

mod account;
mod braces;
mod expansion;
mod mask;
mod scan;
mod statement;
mod word;

use std::cell::{Cell, RefCell};

use self::mask::Masked;
use self::scan::Scan;
use crate::tree::{Problem, ProblemKind, Script, Span};

/// How much work a text may be. What goes beyond ends as a [`ProblemKind::Limit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text that are parsed.
    pub bytes: usize,
    /// Levels of nesting: substitutions, quotes within expansions, groups.
    pub depth: usize,
    /// Statements, words and parts of words.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 * 1024, depth: 32, nodes: 50_000 }
    }
}

/// Parse bash text. Never fails: what can't be read stands in the script's problems, those of nested scripts
/// included, and such a script is *cannot analyse* whatever else it holds.
pub fn parse(text: &str, limits: &Limits) -> Script {
    let shared = Shared {
        limits: *limits,
        nodes: Cell::new(0),
        parsed: Cell::new(0),
        problems: RefCell::new(Vec::new()),
    };
    let reader = Reader { shared: &shared, text, place: Place::From(0), depth: 0 };
    let mut script = if text.len() > limits.bytes {
        reader.problem(ProblemKind::Limit, 0, text.len(), "the text is longer than the limit");
        Script::default()
    } else {
        reader.script()
    };
    script.problems = shared.problems.take();
    script
}

/// What all readers of one text share.
struct Shared {
    limits: Limits,
    nodes: Cell<usize>,
    /// Bytes given to the parser library so far, nested texts counted again.
    parsed: Cell<usize>,
    problems: RefCell<Vec<Problem>>,
}

/// Where a reader's text stands in the outermost text.
#[derive(Clone, Copy)]
enum Place {
    /// Byte 0 of the text is this byte.
    From(usize),
    /// The text was changed before it was read; every position is the whole construct.
    Whole(Span),
}

/// One text that is read: the outermost one or that of a substitution.
#[derive(Clone, Copy)]
struct Reader<'a> {
    shared: &'a Shared,
    text: &'a str,
    place: Place,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// The byte at `at`; 0 beyond the end.
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
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

    fn problem(&self, kind: ProblemKind, start: usize, end: usize, message: &str) {
        let mut problems = self.shared.problems.borrow_mut();
        if problems.len() < 8 {
            problems.push(Problem { kind, span: self.span(start, end), message: message.to_owned() });
        }
    }

    fn syntax(&self, start: usize, end: usize, message: &str) {
        self.problem(ProblemKind::Syntax, start, end, message);
    }

    /// Something could not be read: there is no point in reading on.
    fn failed(&self) -> bool {
        !self.shared.problems.borrow().is_empty()
    }

    /// Count a node. `false`: there are too many, and that has been noted.
    fn count(&self, at: usize) -> bool {
        let nodes = self.shared.nodes.get() + 1;
        self.shared.nodes.set(nodes);
        if nodes > self.shared.limits.nodes {
            if !self.failed() {
                self.problem(ProblemKind::Limit, at, at, "more commands and words than the limit");
            }
            return false;
        }
        true
    }

    /// A reader one level deeper. `None`: too deep, and that has been noted.
    fn deeper(&self, at: usize) -> Option<Self> {
        if self.depth >= self.shared.limits.depth {
            self.problem(ProblemKind::Limit, at, at, "nested deeper than the limit");
            return None;
        }
        Some(Self { depth: self.depth + 1, ..*self })
    }

    /// The script between two bytes of this text.
    fn nested(&self, start: usize, end: usize) -> Script {
        let Some(deeper) = self.deeper(start) else { return Script::default() };
        let place = match self.place {
            Place::From(base) => Place::From(base + start),
            whole @ Place::Whole(_) => whole,
        };
        Reader { text: self.slice(start, end), place, ..deeper }.script()
    }

    /// The script of a text that had to be changed first, standing at `start..end` of this text.
    fn changed(&self, text: &str, start: usize, end: usize) -> Script {
        let Some(deeper) = self.deeper(start) else { return Script::default() };
        let place = Place::Whole(self.span(start, end));
        Reader { shared: deeper.shared, text, place, depth: deeper.depth }.script()
    }

    /// The script that is this reader's text.
    fn script(&self) -> Script {
        if self.failed() {
            return Script::default();
        }
        let parsed = self.shared.parsed.get() + self.text.len();
        self.shared.parsed.set(parsed);
        if parsed > self.shared.limits.bytes.saturating_mul(3) {
            self.problem(ProblemKind::Limit, 0, self.text.len(), "more nested text than the limit");
            return Script::default();
        }
        if let Some(at) = self.text.bytes().position(|byte| byte == 0) {
            self.syntax(at, at + 1, "a NUL byte in the text");
            return Script::default();
        }
        match Scan::new(self.text, self.text.len()).marks(0) {
            Ok(marks) => statement::script(self, &Masked::new(self.text, marks)),
            Err(at) => {
                let kind = if self.byte(at) == b')' { "nothing opens this bracket" } else { "not closed" };
                self.syntax(at, self.text.len(), kind);
                Script::default()
            }
        }
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
