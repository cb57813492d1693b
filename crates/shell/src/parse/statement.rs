//! Lists, pipelines, commands.

use super::pieces::KEPT;
use super::word::Context;
use super::{Parsed, Parser};
use crate::tree::{Command, Joint, Node, Redirection, Script, Statement, Word};

/// The reserved words that end a list instead of beginning a command.
const CLOSING: [&str; 8] = ["then", "do", "done", "fi", "elif", "else", "esac", "}"];

impl<'a> Parser<'a> {
    /// Statements, up to something that can't begin one.
    pub(super) fn list(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        loop {
            self.newlines();
            if self.at_end() || self.closes() {
                return Ok(());
            }
            if self.depth == 0 && self.substitutions == 0 {
                self.start.statement = self.at;
            }
            let mut statement = self.and_or()?;
            self.blanks();
            let separated = match self.peek(0) {
                b'&' => {
                    self.at += 1;
                    statement.background = true;
                    true
                }
                b';' if matches!(self.peek(1), b';' | b'&') => false,
                b';' => {
                    self.at += 1;
                    true
                }
                byte => byte == b'\n',
            };
            statements.push(statement);
            if !separated {
                return Ok(());
            }
        }
    }

    pub(super) fn closes(&self) -> bool {
        match self.peek(0) {
            b')' => true,
            b';' => matches!(self.peek(1), b';' | b'&'),
            b't' | b'd' | b'f' | b'e' | b'}' => CLOSING.contains(&self.bare_word()),
            _ => false,
        }
    }

    /// The script inside something; it can't be empty.
    pub(super) fn script(&mut self) -> Parsed<Script> {
        let script = self.statements()?;
        if script.statements.is_empty() {
            return self.syntax(self.at, self.end, "a command is missing");
        }
        Ok(script)
    }

    /// The statements inside something. What was read before a problem is kept.
    pub(super) fn statements(&mut self) -> Parsed<Script> {
        let mut statements = Vec::new();
        match self.list(&mut statements) {
            Ok(()) => Ok(Script { statements, problems: Vec::new() }),
            Err(problem) => {
                self.salvage(statements);
                Err(problem)
            }
        }
    }

    /// Take the word that ends a script; without it the script is kept as what was read before a problem.
    pub(super) fn closed(&mut self, script: Script, word: &str, opened: usize) -> Parsed<Script> {
        match self.expect(word, opened) {
            Ok(()) => Ok(script),
            Err(problem) => {
                self.salvage(script.statements);
                Err(problem)
            }
        }
    }

    /// After `$(`, `<(` or `>(`: the script and the `)`.
    pub(super) fn substitution(&mut self) -> Parsed<Script> {
        let start = self.at.saturating_sub(2);
        let outer = std::mem::take(&mut self.pending);
        self.substitutions += 1;
        let mut statements = Vec::new();
        let read = self.nest(|parser| parser.list(&mut statements));
        if read.is_err() && !outer.is_empty() {
            self.next = None;
            self.pending = outer;
            return read.map(|()| Script::default());
        }
        self.before_limit(read, || std::mem::take(&mut statements))?;
        self.substitutions -= 1;
        if self.peek(0) != b')' {
            self.unclosed_here(start, "a substitution is not closed")?;
        }
        if !self.pending.is_empty() {
            // Some versions of bash look for the body inside the brackets, some after the line.
            return self.syntax(start, self.end, "a heredoc whose body doesn't stand in its substitution");
        }
        self.pending = outer;
        self.at = (self.at + 1).min(self.end);
        Ok(Script { statements, problems: Vec::new() })
    }

    /// The characters from here to the end of a word, if they are few and could be a reserved word.
    pub(super) fn bare_word(&self) -> &'a str {
        let rest = self.text.as_bytes().get(self.at..self.end).unwrap_or_default();
        let length = rest.iter().take(10).position(|byte| is_metacharacter(*byte)).unwrap_or(rest.len());
        self.slice(self.at, self.at + length)
    }

    /// Take a reserved word, or say what is missing.
    pub(super) fn expect(&mut self, word: &str, opened: usize) -> Parsed<()> {
        self.newlines();
        if self.bare_word() == word {
            self.at += word.len();
            return Ok(());
        }
        self.syntax(opened, self.end, &format!("`{word}` is missing"))
    }

    fn and_or(&mut self) -> Parsed<Statement> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let joint = match (self.peek(0), self.peek(1)) {
                (b'&', b'&') => Joint::And,
                (b'|', b'|') => Joint::Or,
                _ => break,
            };
            self.at += 2;
            self.newlines();
            let next = self.pipeline();
            let next = self.before_limit(next, || {
                let rest = std::mem::take(&mut rest).into_iter().map(|(_, statement)| statement);
                std::iter::once(first.clone()).chain(rest).collect()
            })?;
            rest.push((joint, next));
        }
        let Some((_, last)) = rest.last() else { return Ok(first) };
        let mut span = first.span;
        span.end = span.end.max(last.span.end);
        let node = Node::List { first: Box::new(first), rest };
        Ok(Statement { node, redirections: Vec::new(), background: false, span })
    }

    fn pipeline(&mut self) -> Parsed<Statement> {
        let start = self.at;
        let mut negated = false;
        loop {
            match self.bare_word() {
                "!" => {
                    self.at += 1;
                    negated = !negated;
                }
                "time" => {
                    self.at += 4;
                    self.blanks();
                    for option in ["-p", "--"] {
                        if self.bare_word() == option {
                            self.at += 2;
                            self.blanks();
                        }
                    }
                }
                _ => break,
            }
            self.blanks();
            // `time` and `!` alone.
            if self.at_end() || matches!(self.peek(0), b'\n' | b';') {
                let node = Node::Command(Command::default());
                let span = self.span(start, self.at);
                return Ok(Statement { node, redirections: Vec::new(), background: false, span });
            }
        }
        let first = self.command()?;
        let mut stages = vec![first];
        loop {
            self.blanks();
            if self.peek(0) != b'|' || self.peek(1) == b'|' {
                break;
            }
            self.at += if self.peek(1) == b'&' { 2 } else { 1 };
            self.newlines();
            let next = if self.bare_word() == "!" { self.pipeline() } else { self.command() };
            let next = self.before_limit(next, || std::mem::take(&mut stages))?;
            stages.push(next);
        }
        let mut span = self.span(start, start);
        span.end = stages.last().map_or(span.end, |stage| stage.span.end.max(span.end));
        if stages.len() == 1 && !negated {
            return stages.pop().map_or_else(|| self.syntax(start, start, "a command is missing"), Ok);
        }
        let node = Node::Pipeline { stages, negated };
        Ok(Statement { node, redirections: Vec::new(), background: false, span })
    }

    /// One command with its redirections.
    pub(super) fn command(&mut self) -> Parsed<Statement> {
        let start = self.at;
        let read = self.command_here();
        self.goes_on_at(&read, start, &[]);
        read
    }

    fn command_here(&mut self) -> Parsed<Statement> {
        self.count()?;
        let start = self.at;
        let Some(node) = self.compound()? else { return self.simple(Command::default()) };
        let mut end = self.at;
        let mut redirections = Vec::new();
        loop {
            self.blanks();
            let Some(redirection) = self.redirection()? else { break };
            redirections.push(redirection);
            end = self.at;
        }
        Ok(Statement { node, redirections, background: false, span: self.span(start, end) })
    }

    /// A word can begin here.
    pub(super) fn word_ahead(&self) -> bool {
        match self.peek(0) {
            0 => !self.at_end(),
            b'<' | b'>' => self.peek(1) == b'(',
            byte => !is_metacharacter(byte),
        }
    }

    /// Assignments, words and redirections; or a function's definition.
    pub(super) fn simple(&mut self, mut command: Command) -> Parsed<Statement> {
        let start = self.at;
        let mut end = start;
        let mut bounds: Option<(usize, usize)> = None;
        let mut redirections: Vec<Redirection> = Vec::new();
        loop {
            self.blanks();
            let (token, nodes) = (self.at, self.nodes);
            let redirection = self.redirection();
            if let Some(redirection) = self.within_command(redirection, token, start, &mut command)? {
                redirections.push(redirection);
                end = self.at;
                continue;
            }
            if !self.word_ahead() {
                break;
            }
            if command.words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                if command.assignments.len() < KEPT {
                    command.assignments.push(assignment);
                } else {
                    self.nodes = nodes;
                    self.leave_out("more assignments than the limit");
                }
            } else {
                let word = self.argument(&command.words);
                let word = self.within_command(word, token, start, &mut command)?;
                command.words.push(word);
            }
            end = self.at;
            bounds = Some((bounds.map_or(token, |(first, _)| first), end));
            if let [name] = command.words.as_slice()
                && command.assignments.is_empty()
                && redirections.is_empty()
                && self.opens_function()
            {
                let name = name.literal().unwrap_or_else(|| self.slice(token, end).to_owned());
                let node = self.function_body(name)?;
                let span = self.span(start, self.at);
                return Ok(Statement { node, redirections: Vec::new(), background: false, span });
            }
        }
        if end == start {
            return self.syntax(start, self.end, "a command is missing");
        }
        if self.peek(0) == b'(' {
            return self.syntax(self.at, self.end, "a bracket after a command");
        }
        let (first, last) = bounds.unwrap_or((start, start));
        command.span = self.span(first, last);
        let (node, span) = (Node::Command(command), self.span(start, end));
        Ok(Statement { node, redirections, background: false, span })
    }

    /// After the first word: `()` follows. The cursor is then after it.
    fn opens_function(&mut self) -> bool {
        let start = self.at;
        self.blanks();
        if self.peek(0) == b'(' {
            self.at += 1;
            self.blanks();
            if self.peek(0) == b')' {
                self.at += 1;
                return true;
            }
        }
        self.at = start;
        false
    }

    /// An argument, which for `declare` and its like can be the assignment of an array.
    fn argument(&mut self, before: &[Word]) -> Parsed<Word> {
        self.count()?;
        let start = self.at;
        let word = self.word(Context::Plain)?;
        let opens = self.peek(0) == b'(' && self.byte(self.at.wrapping_sub(1)) == b'=';
        if opens && before.first().is_some_and(declares) {
            return self.array_argument(start, word);
        }
        Ok(word)
    }
}

/// The commands whose arguments are assignments.
fn declares(word: &Word) -> bool {
    matches!(
        word.bare(),
        Some("declare" | "typeset" | "local" | "export" | "readonly" | "alias" | "eval" | "let")
    )
}

/// Ends a word and has a meaning of its own.
pub(super) fn is_metacharacter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}
