//! Walking the tree, and what can be said about a word at a glance.

use crate::tree::{Assignment, Expansion, Node, Part, Redirection, Script, Span, Statement, Word};

/// What [`Script::walk`] calls for each node, outer before inner, in the order of the text.
pub trait Visitor {
    /// A statement, nested ones included.
    fn statement(&mut self, _statement: &Statement) {}
    /// A word, wherever it stands: an argument, a redirection's target, an operand.
    fn word(&mut self, _word: &Word) {}
    /// A script that stands inside another one: a substitution, a group, a body.
    fn script(&mut self, _script: &Script) {}
}

impl Span {
    /// The bytes of `text` that the span stands for; empty if it isn't a span of this text.
    pub fn of(self, text: &str) -> &str {
        let range = usize::try_from(self.start).ok().zip(usize::try_from(self.end).ok());
        range.and_then(|(start, end)| text.get(start..end)).unwrap_or("")
    }
}

impl Word {
    /// The text of a word in which nothing is expanded. Globs, tildes, braces and expansions make it `None`.
    pub fn literal(&self) -> Option<String> {
        match self.parts.as_slice() {
            [Part::Literal { text, .. }] => Some(text.clone()),
            parts => parts
                .iter()
                .map(|part| match part {
                    Part::Literal { text, .. } => Some(text.as_str()),
                    _ => None,
                })
                .collect(),
        }
    }

    /// The text of a word that is one literal without quotes.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Literal { text, quoted: false }] => Some(text),
            _ => None,
        }
    }

    /// Some of it was quoted or escaped.
    pub fn is_quoted(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Literal { quoted, .. } | Part::Parameter { quoted, .. } | Part::Command { quoted, .. } => {
                *quoted
            }
            _ => false,
        })
    }

    /// Call the visitor for this word, its nested words and the scripts in it.
    pub fn walk(&self, visitor: &mut dyn Visitor) {
        visitor.word(self);
        for part in &self.parts {
            match part {
                Part::Literal { .. } | Part::Glob(_) | Part::Tilde(_) => {}
                Part::Parameter { subscript, expansion, .. } => {
                    if let Some(subscript) = subscript {
                        subscript.walk(visitor);
                    }
                    match expansion {
                        Expansion::Plain | Expansion::Length | Expansion::Indirect | Expansion::Zsh(_) => {}
                        Expansion::Default(word)
                        | Expansion::Assign(word)
                        | Expansion::Alternative(word)
                        | Expansion::Require(word)
                        | Expansion::RemovePrefix(word)
                        | Expansion::RemoveSuffix(word) => word.walk(visitor),
                        Expansion::Replace(pattern, replacement) => {
                            pattern.walk(visitor);
                            replacement.walk(visitor);
                        }
                        Expansion::Other(words) => walk_all(words, visitor),
                    }
                }
                Part::Command { script, .. } | Part::Process { script, .. } => script.walk_nested(visitor),
                Part::Arithmetic { expression, .. } => expression.walk(visitor),
                Part::Brace(words) => walk_all(words, visitor),
            }
        }
    }
}

impl Script {
    /// Call the visitor for everything in the script, in nested scripts too.
    pub fn walk(&self, visitor: &mut dyn Visitor) {
        for statement in &self.statements {
            statement.walk(visitor);
        }
    }

    fn walk_nested(&self, visitor: &mut dyn Visitor) {
        visitor.script(self);
        self.walk(visitor);
    }
}

impl Statement {
    /// Call the visitor for this statement and everything in it.
    pub fn walk(&self, visitor: &mut dyn Visitor) {
        visitor.statement(self);
        match &self.node {
            Node::Command(command) => {
                for assignment in &command.assignments {
                    assignment.walk(visitor);
                }
                walk_all(&command.words, visitor);
            }
            Node::Pipeline { stages, .. } => stages.iter().for_each(|stage| stage.walk(visitor)),
            Node::List { first, rest } => {
                first.walk(visitor);
                rest.iter().for_each(|(_, statement)| statement.walk(visitor));
            }
            Node::Group(script) | Node::Subshell(script) => script.walk_nested(visitor),
            Node::If { branches, otherwise } => {
                for (condition, body) in branches {
                    condition.walk_nested(visitor);
                    body.walk_nested(visitor);
                }
                if let Some(body) = otherwise {
                    body.walk_nested(visitor);
                }
            }
            Node::Loop { condition, body, .. } => {
                condition.walk_nested(visitor);
                body.walk_nested(visitor);
            }
            Node::For { words, body, .. } => {
                walk_all(words.as_deref().unwrap_or_default(), visitor);
                body.walk_nested(visitor);
            }
            Node::ForArithmetic { expressions, body } => {
                walk_all(expressions, visitor);
                body.walk_nested(visitor);
            }
            Node::Case { subject, arms } => {
                subject.walk(visitor);
                for arm in arms {
                    walk_all(&arm.patterns, visitor);
                    arm.body.walk_nested(visitor);
                }
            }
            Node::Function { body, .. } | Node::Coprocess(body) => body.walk(visitor),
            Node::Test(words) => walk_all(words, visitor),
            Node::Arithmetic(word) => word.walk(visitor),
        }
        for redirection in &self.redirections {
            redirection.walk(visitor);
        }
    }
}

impl Assignment {
    fn walk(&self, visitor: &mut dyn Visitor) {
        if let Some(subscript) = &self.subscript {
            subscript.walk(visitor);
        }
        walk_all(&self.value, visitor);
    }
}

impl Redirection {
    fn walk(&self, visitor: &mut dyn Visitor) {
        self.target.walk(visitor);
        if let Some(heredoc) = &self.heredoc {
            heredoc.body.walk(visitor);
        }
    }
}

fn walk_all(words: &[Word], visitor: &mut dyn Visitor) {
    for word in words {
        word.walk(visitor);
    }
}
