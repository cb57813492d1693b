//! Compound commands: brackets, conditionals, loops, functions.

use super::word::Context;
use super::{Parsed, Parser};
use crate::tree::{Case, LoopKind, Node, Script, Statement, Word};

impl Parser<'_> {
    /// The compound command that begins here; `None`: a simple command does.
    pub(super) fn compound(&mut self) -> Parsed<Option<Node>> {
        if self.peek(0) == b'(' {
            return self.nest(Self::brackets).map(Some);
        }
        if !matches!(self.peek(0), b'{' | b'[' | b'a'..=b'z') {
            return Ok(None);
        }
        let start = self.at;
        let word = self.bare_word();
        let read: fn(&mut Self, usize) -> Parsed<Node> = match word {
            "{" => Self::group,
            "if" => Self::conditional_command,
            "while" => |parser, start| parser.repeated(start, LoopKind::While),
            "until" => |parser, start| parser.repeated(start, LoopKind::Until),
            "for" => Self::for_loop,
            "select" => Self::select_loop,
            "case" => Self::case,
            "function" => Self::function,
            "coproc" => Self::coprocess,
            "[[" => Self::test,
            "then" | "do" | "done" | "fi" | "elif" | "else" | "esac" => {
                return self.syntax(start, start + word.len(), &format!("`{word}` without its beginning"));
            }
            _ => return Ok(None),
        };
        self.at += word.len();
        self.nest(|parser| read(parser, start)).map(Some)
    }

    /// At `(`: an arithmetic command or a subshell.
    fn brackets(&mut self) -> Parsed<Node> {
        let start = self.at;
        if self.peek(1) == b'(' {
            let arithmetic = self.attempt(|parser| {
                parser.at += 2;
                parser.arithmetic_until_brackets()
            })?;
            if let Some(expression) = arithmetic {
                return Ok(Node::Arithmetic(expression));
            }
        }
        self.at += 1;
        let script = self.script()?;
        if self.peek(0) != b')' {
            self.salvaged.extend(script.statements);
            return self.syntax(start, self.end, "a bracket is not closed");
        }
        self.at += 1;
        Ok(Node::Subshell(script))
    }

    fn group(&mut self, start: usize) -> Parsed<Node> {
        let script = self.script()?;
        Ok(Node::Group(self.closed(script, "}", start)?))
    }

    fn conditional_command(&mut self, start: usize) -> Parsed<Node> {
        let mut branches = Vec::new();
        loop {
            let condition = self.script();
            let condition = self.scripts_before_limit(condition, halves(&branches))?;
            let condition = self.closed(condition, "then", start)?;
            let body = self.script();
            let body = self.scripts_before_limit(body, halves(&branches).chain([&condition]))?;
            match self.bare_word() {
                "elif" => {
                    self.at += 4;
                    branches.push((condition, body));
                }
                "else" => {
                    self.at += 4;
                    branches.push((condition, body));
                    let otherwise = self.script();
                    let otherwise = self.scripts_before_limit(otherwise, halves(&branches))?;
                    let otherwise = Some(self.closed(otherwise, "fi", start)?);
                    return Ok(Node::If { branches, otherwise });
                }
                _ => {
                    branches.push((condition, self.closed(body, "fi", start)?));
                    return Ok(Node::If { branches, otherwise: None });
                }
            }
        }
    }

    fn repeated(&mut self, start: usize, kind: LoopKind) -> Parsed<Node> {
        let condition = self.script()?;
        let body = self.loop_body(start, false);
        let body = self.scripts_before_limit(body, [&condition])?;
        Ok(Node::Loop { kind, condition, body })
    }

    /// `do ... done`, or for `for` and `select` also `{ ... }`.
    fn loop_body(&mut self, start: usize, braces: bool) -> Parsed<Script> {
        self.newlines();
        let (open, close) = if braces && self.bare_word() == "{" { ("{", "}") } else { ("do", "done") };
        self.expect(open, start)?;
        let body = self.script()?;
        self.closed(body, close, start)
    }

    fn for_loop(&mut self, start: usize) -> Parsed<Node> {
        self.blanks();
        if self.peek(0) == b'(' && self.peek(1) == b'(' {
            self.at += 2;
            let expressions = self.arithmetic_expressions(start)?;
            self.blanks();
            if self.peek(0) == b';' {
                self.at += 1;
            }
            let body = self.loop_body(start, true)?;
            return Ok(Node::ForArithmetic { expressions, body });
        }
        let (variable, words) = self.loop_header(start)?;
        let body = self.loop_body(start, true)?;
        Ok(Node::For { variable, words, body })
    }

    fn select_loop(&mut self, start: usize) -> Parsed<Node> {
        self.blanks();
        let (variable, words) = self.loop_header(start)?;
        let body = self.loop_body(start, true)?;
        Ok(Node::For { variable, words, body })
    }

    /// `x in a b;`, `x;`, `x`.
    fn loop_header(&mut self, start: usize) -> Parsed<(String, Option<Vec<Word>>)> {
        let variable = self.name_word(start)?;
        self.blanks();
        if self.peek(0) == b';' {
            self.at += 1;
            return Ok((variable, None));
        }
        self.newlines();
        if self.bare_word() != "in" {
            return Ok((variable, None));
        }
        self.at += 2;
        let mut words = Vec::new();
        loop {
            self.blanks();
            if !self.word_ahead() {
                break;
            }
            let nodes = self.nodes;
            self.count()?;
            let word = self.word(Context::Plain)?;
            self.keep(&mut words, word, nodes);
        }
        match self.peek(0) {
            b';' => self.at += 1,
            b'\n' => {}
            _ => return self.syntax(start, self.end, "the words of a loop don't end"),
        }
        Ok((variable, Some(words)))
    }

    /// A word that is a name, as its text.
    fn name_word(&mut self, start: usize) -> Parsed<String> {
        if !self.word_ahead() {
            return self.syntax(start, self.end, "a name is missing");
        }
        self.count()?;
        let at = self.at;
        let word = self.word(Context::Plain)?;
        match word.literal() {
            Some(name) => Ok(name),
            None => self.syntax(at, self.at, "a name that is expanded"),
        }
    }

    fn case(&mut self, start: usize) -> Parsed<Node> {
        self.blanks();
        if !self.word_ahead() {
            return self.syntax(start, self.end, "the word of `case` is missing");
        }
        self.count()?;
        let subject = self.word(Context::Plain)?;
        self.expect("in", start)?;
        let mut arms = Vec::new();
        loop {
            self.newlines();
            if self.bare_word() == "esac" {
                self.at += 4;
                return Ok(Node::Case { subject, arms });
            }
            let patterns = self.case_patterns(start)?;
            let body = self.statements();
            let body = self.scripts_before_limit(body, arms.iter().map(|arm: &Case| &arm.body))?;
            let step = match (self.peek(0), self.peek(1), self.peek(2)) {
                (b';', b';', b'&') => 3,
                (b';', b';' | b'&', _) => 2,
                _ => {
                    let body = self.closed(body, "esac", start)?;
                    arms.push(Case { patterns, body });
                    return Ok(Node::Case { subject, arms });
                }
            };
            arms.push(Case { patterns, body });
            self.at += step;
        }
    }

    /// `a | b)` or `(a | b)`.
    fn case_patterns(&mut self, start: usize) -> Parsed<Vec<Word>> {
        if self.peek(0) == b'(' {
            self.at += 1;
        }
        let mut patterns = Vec::new();
        loop {
            self.blanks();
            if !self.word_ahead() {
                return self.syntax(start, self.end, "a pattern of `case` is missing");
            }
            let nodes = self.nodes;
            self.count()?;
            let pattern = self.word(Context::Pattern)?;
            self.keep(&mut patterns, pattern, nodes);
            self.blanks();
            match self.peek(0) {
                b'|' => self.at += 1,
                b')' => {
                    self.at += 1;
                    return Ok(patterns);
                }
                _ => return self.syntax(start, self.end, "a pattern of `case` doesn't end"),
            }
        }
    }

    fn function(&mut self, start: usize) -> Parsed<Node> {
        self.blanks();
        if !self.word_ahead() {
            return self.syntax(start, self.end, "a name is missing");
        }
        let at = self.at;
        let word = self.word(Context::Plain)?;
        let name = word.literal().unwrap_or_else(|| self.slice(at, self.at).to_owned());
        let after = self.at;
        self.blanks();
        if self.peek(0) == b'(' {
            self.at += 1;
            self.blanks();
            if self.peek(0) == b')' {
                self.at += 1;
            } else {
                // A subshell is the body.
                self.at = after;
            }
        }
        self.function_body(name)
    }

    /// The body of a function, a compound command.
    pub(super) fn function_body(&mut self, name: String) -> Parsed<Node> {
        self.newlines();
        let body = self.nest(Self::compound_statement)?;
        Ok(Node::Function { name, body: Box::new(body) })
    }

    fn compound_statement(&mut self) -> Parsed<Statement> {
        let start = self.at;
        let body = self.command()?;
        match body.node {
            Node::Command(_) | Node::Function { .. } | Node::Coprocess(_) => {
                self.syntax(start, self.end, "the body of a function is no compound command")
            }
            _ => Ok(body),
        }
    }

    fn coprocess(&mut self, start: usize) -> Parsed<Node> {
        self.blanks();
        if !self.begins_compound() && self.word_ahead() {
            // A name, if a compound command follows.
            let at = self.at;
            self.name_word(start)?;
            self.blanks();
            if !self.begins_compound() {
                self.at = at;
            }
        }
        let body = self.command()?;
        Ok(Node::Coprocess(Box::new(body)))
    }

    fn begins_compound(&self) -> bool {
        self.peek(0) == b'('
            || matches!(self.bare_word(), "{" | "if" | "while" | "until" | "for" | "select" | "case" | "[[")
    }
}

/// The scripts of the branches of an `if`.
fn halves(branches: &[(Script, Script)]) -> impl Iterator<Item = &Script> {
    branches.iter().flat_map(|(condition, body)| [condition, body])
}
