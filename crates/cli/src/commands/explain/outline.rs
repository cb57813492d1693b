//! The syntax of a command as an indented outline.

use std::fmt::Write as _;

use hookgate_shell::{Limits, Node, Part, ProblemKind, Script, Span, Statement, Word, parse};

/// One line per statement, nested scripts indented below the statement that holds them.
pub(super) fn of(text: &str) -> String {
    let mut outline = Outline { text, out: String::new() };
    outline.script(&parse(text, &Limits::default()), 1);
    outline.out
}

struct Outline<'t> {
    text: &'t str,
    out: String,
}

impl Outline<'_> {
    fn script(&mut self, script: &Script, depth: usize) {
        for problem in &script.problems {
            let name = match problem.kind {
                ProblemKind::Unclosed => "unclosed, read as if closed at the end",
                _ => "can't parse",
            };
            self.line(depth, name, problem.span);
            let _ = writeln!(self.out, "{}{}", "  ".repeat(depth + 1), problem.message);
        }
        for statement in &script.statements {
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &Statement, depth: usize) {
        let (name, words, statements, scripts) = parts(&statement.node);
        let inner = if name.is_empty() { depth } else { depth + 1 };
        if !name.is_empty() {
            self.line(depth, name, statement.span);
        }
        for word in words {
            self.word(word, inner);
        }
        for nested in statements {
            self.statement(nested, inner);
        }
        for script in scripts {
            self.script(script, inner);
        }
        for redirection in &statement.redirections {
            self.line(inner, "redirection", redirection.span);
            self.word(&redirection.target, inner + 1);
            if let Some(heredoc) = &redirection.heredoc {
                self.word(&heredoc.body, inner + 1);
            }
        }
    }

    fn word(&mut self, word: &Word, depth: usize) {
        for part in &word.parts {
            if let Part::Command { script, span, .. } | Part::Process { script, span, .. } = part {
                self.line(depth, "substitution", *span);
                self.script(script, depth + 1);
            }
        }
    }

    fn line(&mut self, depth: usize, what: &str, span: Span) {
        let text = super::spanned(self.text, span).unwrap_or("");
        let first = super::printable(text.lines().next().unwrap_or(""));
        let more = if text.lines().nth(1).is_some() { " …" } else { "" };
        let _ =
            writeln!(self.out, "{}{what} {}..{}: {first}{more}", "  ".repeat(depth), span.start, span.end);
    }
}

/// A node's name (none for what only joins others), its words, statements and scripts.
fn parts(node: &Node) -> (&'static str, Vec<&Word>, Vec<&Statement>, Vec<&Script>) {
    match node {
        Node::Command(command) => {
            let assigned = command.assignments.iter().flat_map(|assignment| &assignment.value);
            ("command", assigned.chain(&command.words).collect(), vec![], vec![])
        }
        Node::Pipeline { stages, .. } => ("pipeline", vec![], stages.iter().collect(), vec![]),
        Node::List { first, rest } => {
            let statements = std::iter::once(&**first).chain(rest.iter().map(|(_, next)| next));
            ("", vec![], statements.collect(), vec![])
        }
        Node::Group(body) | Node::Subshell(body) => ("group", vec![], vec![], vec![body]),
        Node::If { branches, otherwise } => {
            let scripts = branches.iter().flat_map(|(condition, body)| [condition, body]).chain(otherwise);
            ("if", vec![], vec![], scripts.collect())
        }
        Node::Loop { condition, body, .. } => ("loop", vec![], vec![], vec![condition, body]),
        Node::For { words, body, .. } => ("loop", words.iter().flatten().collect(), vec![], vec![body]),
        Node::ForArithmetic { expressions, body } => {
            ("loop", expressions.iter().collect(), vec![], vec![body])
        }
        Node::Case { subject, arms } => {
            ("case", vec![subject], vec![], arms.iter().map(|arm| &arm.body).collect())
        }
        Node::Function { body, .. } => ("function", vec![], vec![body], vec![]),
        Node::Test(operands) => ("test", operands.iter().collect(), vec![], vec![]),
        Node::Arithmetic(expression) => ("arithmetic", vec![expression], vec![], vec![]),
        Node::Coprocess(inner) => ("coprocess", vec![], vec![inner], vec![]),
    }
}
