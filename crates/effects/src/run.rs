//! What anything that reads a call may ask of what runs texts and commands.

use crate::calls::masking;
use crate::context::{Context, MAXIMUM_DEPTH};
use crate::effect::{Argument, Call, Output, Target, Unknown};
use crate::field::{Data, Field};
use crate::scope::Mapping;
use crate::state::{State, Value};
use hookgate_shell::Span;

/// The interpreter, as it is handed down to whatever looks at one call: handlers, tables, readers of files. They ask it
/// to run what the call carries and know nothing else of it.
pub(crate) trait Run {
    /// This shell reads the text.
    fn text(&self, context: &mut Context<'_>, text: &str, mapping: Mapping);

    /// The fields are a program and its arguments, whatever functions and aliases there are.
    fn program(&self, context: &mut Context<'_>, fields: &[Field]);
}

impl Context<'_> {
    /// Runs a text in this shell.
    pub(crate) fn run_text(&mut self, text: &str, mapping: Mapping) {
        self.interpreter().text(self, text, mapping);
    }

    /// The fields are a command and its arguments, run by the current call.
    pub(crate) fn run_command(&mut self, fields: &[Field]) {
        self.nested(|context| context.interpreter().program(context, fields));
    }

    /// Goes on one level deeper, unless that is too deep: each word of `command command ...` is a level.
    pub(crate) fn deeper(&mut self, go_on: impl FnOnce(&mut Self)) {
        if self.depth >= MAXIMUM_DEPTH {
            self.unknown(Unknown::Unparsed, self.span);
            return self.annotate("nested too deep");
        }
        self.depth += 1;
        go_on(self);
        self.depth -= 1;
    }

    /// Runs something one level below the current call.
    fn nested(&mut self, run: impl FnOnce(&mut Self)) {
        if self.depth >= MAXIMUM_DEPTH || self.calls_left == 0 {
            self.unknown(Unknown::Unparsed, self.span);
            self.annotate("carries more commands than can be followed");
            return;
        }
        let before = (self.call, self.span, self.depth);
        let printed = std::mem::take(&mut self.printed);
        self.depth += 1;
        run(self);
        (self.call, self.span, self.depth) = before;
        self.printed = printed;
    }

    /// Notes a call; its effects are this call's from here on.
    pub(crate) fn record(
        &mut self,
        program: &str,
        word: &Field,
        arguments: &[Field],
        span: Span,
        listed: bool,
    ) {
        self.calls_left = self.calls_left.saturating_sub(1);
        // A command of many words that carries itself has them once more at each level.
        match self.words_left.checked_sub(arguments.len()) {
            Some(left) => self.words_left = left,
            None => self.calls_left = 0,
        }
        self.found.calls.push(Call {
            program: program.to_owned(),
            word: word.shown().to_owned(),
            arguments: arguments
                .iter()
                .map(|field| Argument { text: field.text.clone(), span: field.span })
                .collect(),
            subcommand: Vec::new(),
            span,
            carrier: self.call,
            cwd: self.directory().map(str::to_owned),
            environment: self.call_environment.clone(),
            listed,
            output: self.reader,
            hidden: self.hidden || masking::hides(program, || arguments.iter().map(Field::text).collect()),
        });
        self.call = Some(self.found.calls.len() - 1);
        self.span = span;
    }

    /// Runs something and says what it prints.
    pub(crate) fn capture(&mut self, reader: Output, run: impl FnOnce(&mut Self)) -> Data {
        let sink = std::mem::replace(&mut self.sink, Data::Nothing);
        let before = std::mem::replace(&mut self.reader, reader);
        // A file can be read again.
        let hidden = self.hidden;
        self.hidden &= reader != Output::File;
        run(self);
        self.hidden = hidden;
        self.reader = before;
        std::mem::replace(&mut self.sink, sink)
    }

    /// Runs something that can't change this shell.
    pub(crate) fn in_subshell(&mut self, run: impl FnOnce(&mut Self)) {
        let before = self.state.clone();
        run(self);
        let after = std::mem::replace(&mut self.state, before);
        self.lose_variables_of(&after);
        self.state.keep_files_of(after);
    }

    /// What a subshell assigned is not assigned here: who uses it here gets something else than was meant.
    fn lose_variables_of(&mut self, subshell: &State) {
        let lost: Vec<String> = subshell
            .names()
            .filter(|name| self.state.variable(name).is_none() && self.environment(name).is_none())
            .map(str::to_owned)
            .collect();
        for name in lost {
            self.state.set(&name, Value::unassigned());
        }
    }

    /// Marks where a command's text can't be known.
    pub(crate) fn computed_command(&mut self, field: &Field) {
        self.unknown_about(Unknown::Command, Some(Target::Unresolved(field.written.clone())), field.span);
    }
}
