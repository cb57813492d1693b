//! Texts that the shell evaluates a second time: arithmetic, subscripts, names of variables, prompts.
//!
//! What an expansion puts there is read once more: `a='b[$(rm x)]'; echo $((a))` runs `rm`. All of it goes through
//! this file. Plain names and numbers are free; what can't be read is a doubt.

use crate::bounds::MAXIMUM_DEPTH;
use crate::context::Context;
use crate::effect::Unknown;
use crate::field::{Data, Field};
use crate::scope::{Mapping, Scope};
use crate::state::{NUMBER, PARENT_NUMBER, PLAIN_WORD, Value};
use hookgate_shell::{Limits, Part, Span, Word, parse};

/// Functions that a shell calls by itself: for a command that is missing, between commands, in a new directory.
const CALLED_BY_SHELL: [&str; 11] = [
    "command_not_found_handle",
    "command_not_found_handler",
    "chpwd",
    "precmd",
    "preexec",
    "periodic",
    "zshaddhistory",
    "zshexit",
    "TRAPDEBUG",
    "TRAPEXIT",
    "TRAPZERR",
];

/// Variables that a shell prints as prompts.
const PROMPTS: [&str; 6] = ["PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT"];

impl Context<'_> {
    /// A word that is an arithmetic expression: in `$(( ))`, `(( ))`, beside `-eq`, as an offset, as a subscript.
    pub(super) fn arithmetic(&mut self, word: &Word) -> Field {
        let field = self.field(word);
        let unread = word.parts.iter().any(|part| match part {
            // What the text does not set is most likely not set at all.
            Part::Parameter { name, .. } => self.state.variable(name).is_some(),
            Part::Command { .. } | Part::Process { .. } | Part::Brace(_) => true,
            Part::Literal { .. } | Part::Glob(_) | Part::Tilde(_) | Part::Arithmetic { .. } => false,
        });
        self.expression(&field, unread);
        field
    }

    /// An argument that is an arithmetic expression (`let`).
    pub(super) fn arithmetic_argument(&mut self, field: &Field) {
        self.expression(field, true);
    }

    fn expression(&mut self, field: &Field, unread: bool) {
        match field.text() {
            Some(text) => {
                let names = field.names;
                self.evaluate(text, names, field.span);
            }
            None => {
                self.evaluate(&field.shape, unread, field.span);
            }
        }
    }

    /// Evaluates an expression whose expansions are done: what is left to expand in it runs, and so does what the
    /// variables hold that it names.
    fn evaluate(&mut self, text: &str, unread: bool, span: Span) {
        if unread {
            self.doubt(span, "arithmetic on what can't be read may run commands");
        }
        self.expand_again(text, span);
        for name in names(text) {
            if self.state.evaluating.iter().any(|known| known == name) {
                continue;
            }
            let Some(variable) = self.state.variable(name).cloned() else { continue };
            self.state.evaluating.push(name.to_owned());
            for value in variable.values.iter().chain(variable.elements.iter().flatten()) {
                self.evaluate_value(value, span);
            }
            self.state.evaluating.pop();
        }
    }

    fn evaluate_value(&mut self, value: &Value, span: Span) {
        match &value.text {
            Some(text) => {
                let rest = text.replace(NUMBER, "0").replace(PARENT_NUMBER, "0").replace(PLAIN_WORD, "0");
                let globs = value.pattern && rest.contains(['*', '?', '[']);
                self.evaluate(&rest, globs, span);
            }
            None if value.is_unassigned() => {}
            None => self.evaluate("", true, span),
        }
    }

    /// The subscript of a variable. That of an associative array is a text like any other.
    pub(super) fn subscript(&mut self, name: &str, word: &Word) -> Field {
        if self.state.is_associative(name) || matches!(word.literal().as_deref(), Some("@" | "*")) {
            return self.field(word);
        }
        self.arithmetic(word)
    }

    /// A text that is the name of a variable, perhaps with a subscript (`unset`, `read`, `[ -v ]`, `${!x}`).
    pub(super) fn name(&mut self, field: &Field) {
        match field.text() {
            Some(text) => self.name_text(text, field.span),
            None => self.doubt(field.span, "the name of the variable is computed"),
        }
    }

    /// The same for a value that names a variable.
    pub(super) fn name_in(&mut self, value: &Value, span: Span) {
        match &value.text {
            Some(text) => self.name_text(text, span),
            None if value.is_unassigned() => {}
            None => self.doubt(span, "the name of the variable is computed"),
        }
    }

    fn name_text(&mut self, text: &str, span: Span) {
        let Some((name, subscript)) = text.split_once('[') else { return };
        if self.state.is_associative(name) {
            self.expand_again(subscript, span);
        } else {
            self.evaluate(subscript, false, span);
        }
    }

    /// A value that is expanded as a prompt is: `${x@P}`, `PS4`.
    pub(super) fn prompt(&mut self, value: &Value, span: Span) {
        match &value.text {
            Some(text) => {
                // The dollar and the backquote.
                if text.contains("\\044") || text.contains("\\140") {
                    self.unknown(Unknown::Command, span);
                    self.annotate("a prompt in which characters are written as numbers");
                }
                self.expand_again(text, span);
            }
            None if value.is_unassigned() || value.source == Data::Word => {}
            None => {
                self.unknown(Unknown::Command, span);
                self.annotate("a computed text is expanded as a prompt");
            }
        }
    }

    /// Does the assignment set what the shell expands as a prompt? Then it is expanded, sooner or later.
    pub(super) fn assigned_prompt(&mut self, name: &str, field: &Field) {
        if PROMPTS.contains(&name) && field.text().is_some_and(|text| text.contains(['$', '`', '\\'])) {
            let value = Value::from_field(field.clone());
            self.possibly(|context| context.prompt(&value, field.span));
        }
    }

    /// Does a shell call the function of that name by itself? Then it is called, most likely.
    pub(super) fn defined_for_shell(&mut self, name: &str, span: Span) {
        if CALLED_BY_SHELL.contains(&name) || self.is_listed_for_shell(name) {
            let field = Field { bare: true, ..Field::of(name, span) };
            self.possibly(|context| context.in_subshell(|context| context.call_words(&[field])));
        }
    }

    /// Expands a text once more, as between double quotes.
    pub(super) fn expand_again(&mut self, text: &str, span: Span) {
        if !text.contains(['$', '`']) {
            return;
        }
        if self.scope().depth >= MAXIMUM_DEPTH || self.left.statements == 0 {
            self.unknown(Unknown::Unparsed, span);
            self.annotate("nested too deep");
            return;
        }
        self.left.statements -= 1;
        // A heredoc is expanded as a text between double quotes, and no quote can close it.
        let mut end = "END".to_owned();
        while text.lines().any(|line| line == end) {
            end.push('_');
        }
        let source = format!(": <<{end}\n{text}\n{end}\n");
        let script = parse(&source, &Limits::default());
        let change = |scope: &mut Scope| {
            scope.text = source.into();
            scope.mapping = Mapping::Within(span);
            scope.depth += 1;
        };
        self.within(change, |context| {
            context.problems(&script.problems);
            for redirection in script.statements.iter().flat_map(|statement| &statement.redirections) {
                if let Some(heredoc) = &redirection.heredoc {
                    context.field(&heredoc.body);
                }
            }
        });
    }
}

/// The names of variables in an expression.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}
