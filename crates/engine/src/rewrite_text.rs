//! The written form of commands: where their words stand, and whether two texts are the same sentence.

use std::ops::Range;

use hookgate_effects::Call;
use hookgate_shell::{Limits, Node, Script, Statement, Visitor, Word, parse};

use crate::rewrite::bytes;

/// A command text, read once for all rewrites.
pub(crate) struct Text<'t> {
    /// The text.
    pub(crate) text: &'t str,
    /// Something in it could not be read.
    pub(crate) has_problems: bool,
    script: Script,
}

/// A command as it stands in the text: nothing but words.
pub(crate) struct Written {
    /// The words' places; the first one is the program.
    pub(crate) words: Vec<Range<usize>>,
    program: Option<String>,
}

impl<'t> Text<'t> {
    pub(crate) fn new(text: &'t str) -> Text<'t> {
        let script = parse(text, &Limits::default());
        Text { text, has_problems: !script.problems.is_empty(), script }
    }

    /// The command at that place, if what stands there is one simple command: no assignment, no redirection.
    pub(crate) fn command(&self, range: &Range<usize>) -> Option<Written> {
        let script = parse(self.text.get(range.clone())?, &Limits::default());
        let [statement] = script.statements.as_slice() else { return None };
        let Node::Command(command) = &statement.node else { return None };
        if !script.problems.is_empty()
            || statement.background
            || !statement.redirections.is_empty()
            || !command.assignments.is_empty()
        {
            return None;
        }
        let place = |word: &Word| {
            let own = bytes(word.span);
            own.start + range.start..own.end + range.start
        };
        let words: Vec<Range<usize>> = command.words.iter().map(place).collect();
        (words.first()?.start == range.start && words.last()?.end == range.end)
            .then(|| Written { words, program: command.words.first().and_then(Word::literal) })
    }

    /// Is the command's first word one of the text's own words, not a piece of a quoted one?
    pub(crate) fn has_word(&self, written: &Written) -> bool {
        struct Find<'w>(Option<&'w Range<usize>>, bool);
        impl Visitor for Find<'_> {
            fn word(&mut self, word: &Word) {
                self.1 |= Some(&bytes(word.span)) == self.0;
            }
        }
        let mut find = Find(written.words.first(), false);
        self.script.walk(&mut find);
        find.1
    }
}

impl Written {
    /// Are these words the call's, one by one?
    pub(crate) fn is(&self, call: &Call) -> bool {
        self.program.as_deref() == Some(&call.word)
            && self.words.len() == call.arguments.len() + 1
            && call
                .arguments
                .iter()
                .zip(self.words.iter().skip(1))
                .all(|(argument, word)| bytes(argument.span) == *word)
    }
}

/// Do both texts have the same shape, and the same words outside of the places that were replaced?
pub(crate) fn same_structure(
    text: &Text<'_>,
    old: &[Range<usize>],
    new: &str,
    replaced: &[Range<usize>],
) -> bool {
    let script = parse(new, &Limits::default());
    script.problems.is_empty() && shape(text.text, &text.script, old) == shape(new, &script, replaced)
}

/// What stands in a script, outer before inner.
#[derive(Debug, PartialEq, Eq)]
enum Item<'t> {
    Statement {
        kind: std::mem::Discriminant<Node>,
        background: bool,
        redirections: usize,
        assignments: usize,
    },
    Word(&'t str),
    /// A word around a place that was replaced: its text before the first and behind the last one.
    Around(&'t str, &'t str),
    Replaced,
    Script,
}

fn shape<'t>(text: &'t str, script: &Script, replaced: &[Range<usize>]) -> Vec<Item<'t>> {
    let mut shape = Shape { text, replaced, items: Vec::new() };
    script.walk(&mut shape);
    shape.items
}

struct Shape<'t, 'r> {
    text: &'t str,
    replaced: &'r [Range<usize>],
    items: Vec<Item<'t>>,
}

impl Visitor for Shape<'_, '_> {
    fn statement(&mut self, statement: &Statement) {
        let assignments = match &statement.node {
            Node::Command(command) => command.assignments.len(),
            _ => 0,
        };
        self.items.push(Item::Statement {
            kind: std::mem::discriminant(&statement.node),
            background: statement.background,
            redirections: statement.redirections.len(),
            assignments,
        });
    }

    fn word(&mut self, word: &Word) {
        let own = bytes(word.span);
        let part = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        if self.replaced.iter().any(|range| range.start <= own.start && own.end <= range.end) {
            if self.items.last() != Some(&Item::Replaced) {
                self.items.push(Item::Replaced);
            }
            return;
        }
        let mut inside =
            self.replaced.iter().filter(|range| own.start <= range.start && range.end <= own.end).peekable();
        let first = inside.peek().map(|range| range.start);
        let last = inside.last().map(|range| range.end);
        let item = match first.zip(last) {
            Some((start, end)) => Item::Around(part(own.start..start), part(end..own.end)),
            None => Item::Word(part(own)),
        };
        self.items.push(item);
    }

    fn script(&mut self, _script: &Script) {
        self.items.push(Item::Script);
    }
}
