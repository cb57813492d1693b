//! What stands behind a limit: the reading ends there and begins once more, so that a long or deep text hides nothing.
//!
//! A limit bounds what is held at once. Behind it the text goes on at the command in which it was reached, or, in a
//! command of very many words, at that word with the beginning of the command before it. What was open there isn't
//! known any more: its ends are skipped, and the commands in it stand side by side.

use super::{Limits, Parsed, Parser, Place, piece};
use crate::tree::{Command, Node, Problem, ProblemKind, Script, Statement, Word};

/// How often the reading of one text begins once more.
const PIECES: usize = 64;

/// How many words of a long command are repeated before those that follow a limit: its name, what carries it, options.
const HEAD: usize = 16;

/// How many words a `for`, an array, a pattern keeps, and how many pieces a word.
pub(super) const KEPT: usize = 4_096;

/// One part of a text.
#[derive(Debug)]
pub struct Piece {
    /// What was read; its problem says which limit ended it.
    pub script: Script,
    /// It begins inside of something that began before: whether it runs can't be said.
    pub adrift: bool,
}

/// Where the reading of a text begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    /// The byte.
    pub(super) at: usize,
    /// The words of the command that goes on there.
    head: Vec<Word>,
    /// Inside of something.
    adrift: bool,
    /// The beginning of the last statement that stands in nothing.
    pub(super) statement: usize,
    /// Bytes before it that are data.
    data: usize,
}

/// A text as [`super::parse`] reads it, and what follows behind the limits that end it. Nothing follows what isn't a sentence of the
/// language.
pub fn pieces<'a>(text: &'a str, limits: &'a Limits) -> impl Iterator<Item = Piece> + 'a {
    let mut next = Some(Start::default());
    std::iter::from_fn(move || {
        let start = next.take()?;
        let (script, rest) = piece(text, &start, limits);
        // The same command once more would end at the same limit.
        next = rest
            .filter(|rest| rest.at > start.at || (rest.at == start.at && rest.head.len() > start.head.len()));
        Some(Piece { script, adrift: start.adrift })
    })
    .take(PIECES)
}

impl<'a> Parser<'a> {
    /// A parser of the text from there on.
    pub(super) fn beginning(text: &'a str, start: &Start, limits: &'a Limits) -> Self {
        let mut parser = Self::new(text, Place::From(0), limits);
        parser.at = start.at;
        parser.data = start.data;
        parser.start = start.clone();
        parser
    }

    /// All that the text holds from its start on.
    pub(super) fn everything(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        if !self.start.head.is_empty() {
            let words = self.start.head.clone();
            let rest = self.simple(Command { words, ..Command::default() })?;
            statements.push(rest);
        }
        if !self.start.adrift {
            return self.list(statements);
        }
        loop {
            self.newlines();
            while matches!(self.peek(0), b'&' | b'|' | b';' | b')') {
                self.at += 1;
            }
            self.list(statements)?;
            if self.at_end() {
                return Ok(());
            }
            // The end of what began before.
            self.at += if self.closes() { self.bare_word().len().max(1) } else { 1 };
        }
    }

    /// Keep what stands before a problem, in the order of the text.
    pub(super) fn salvage(&mut self, before: Vec<Statement>) {
        self.salvaged.splice(0..0, before);
    }

    /// Keep what stands before a limit.
    pub(super) fn before_limit<T>(
        &mut self,
        read: Parsed<T>,
        before: impl FnOnce() -> Vec<Statement>,
    ) -> Parsed<T> {
        if read.as_ref().is_err_and(|problem| problem.kind == ProblemKind::Limit) {
            self.salvage(before());
        }
        read
    }

    /// Keep the scripts that stand before a limit.
    pub(super) fn scripts_before_limit<'s, T>(
        &mut self,
        read: Parsed<T>,
        before: impl IntoIterator<Item = &'s Script>,
    ) -> Parsed<T> {
        self.before_limit(read, || before.into_iter().flat_map(|script| script.statements.clone()).collect())
    }

    /// Part of a command that begins at `start`. At a limit the command is kept as it is by then, and goes on at
    /// `token`.
    pub(super) fn within_command<T>(
        &mut self,
        read: Parsed<T>,
        token: usize,
        start: usize,
        command: &mut Command,
    ) -> Parsed<T> {
        if command.words.is_empty() {
            return read;
        }
        let head = command.words.get(..HEAD).unwrap_or(&command.words);
        self.goes_on_at(&read, token, head);
        let span = self.span(start, token);
        self.before_limit(read, || {
            let command = Command { span, ..std::mem::take(command) };
            let (span, node) = (command.span, Node::Command(command));
            vec![Statement { node, redirections: Vec::new(), background: false, span }]
        })
    }

    /// After a limit the reading goes on there, unless it does so further inside. The body of a heredoc that hasn't been
    /// reached is no code.
    pub(super) fn goes_on_at<T>(&mut self, read: &Parsed<T>, at: usize, head: &[Word]) {
        let limited = read.as_ref().is_err_and(|problem| problem.kind == ProblemKind::Limit);
        let whole = self.at.saturating_sub(self.data) > self.limits.bytes;
        if !limited || whole || self.next.is_some() || !self.pending.is_empty() {
            return;
        }
        let adrift = self.start.adrift || self.start.statement != at;
        self.next = Some(Start { at, head: head.to_vec(), adrift, statement: at, data: self.data.min(at) });
    }

    /// Note that something was left out here, and go on.
    pub(super) fn leave_out(&mut self, message: &str) {
        let at = self.boundary(self.at);
        let problem =
            Problem { kind: ProblemKind::Limit, span: self.span(at, at), message: message.to_owned() };
        self.cut.get_or_insert(Box::new(problem));
    }

    /// Keep a word, unless there are very many; `nodes` was the count before it.
    pub(super) fn keep(&mut self, words: &mut Vec<Word>, word: Word, nodes: usize) {
        if words.len() < KEPT {
            return words.push(word);
        }
        self.nodes = nodes;
        self.leave_out("more words than the limit");
    }
}
