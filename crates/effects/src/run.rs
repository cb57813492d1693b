//! What anything that reads a call may ask of what runs texts and commands.

use std::sync::Arc;

use crate::bounds::MAXIMUM_DEPTH;
use crate::calls::masking;
use crate::calls::said::Words;
use crate::context::Context;
use crate::effect::{Argument, Call, Output, Said, Target, Unknown};
use crate::field::{Data, Field};
use crate::scope::{Mapping, Scope};
use crate::state::{State, Value};
use hookgate_shell::Span;

/// The longest message that is read from a file.
const MAXIMUM_MESSAGE: usize = 64 * 1024;

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
        if self.scope().depth >= MAXIMUM_DEPTH || self.left.calls == 0 {
            self.unknown(Unknown::Unparsed, self.scope().span);
            return self.annotate("carries more commands than can be followed");
        }
        self.within(|scope| scope.depth += 1, |context| context.interpreter().program(context, fields));
    }

    /// Marks a text that isn't read, because the event has had as much read as it may.
    pub(crate) fn too_much_code(&mut self, span: Span) {
        self.unknown(Unknown::Unparsed, span);
        self.annotate("more program text than can be followed");
    }

    /// Goes on one level deeper, unless that is too deep: each word of `command command ...` is a level, and has all the words that
    /// follow once more.
    pub(crate) fn deeper(&mut self, go_on: impl FnOnce(&mut Self)) {
        if self.scope().depth >= MAXIMUM_DEPTH || self.left.calls == 0 {
            self.unknown(Unknown::Unparsed, self.scope().span);
            return self.annotate("nested too deep");
        }
        self.within(|scope| scope.depth += 1, go_on);
    }

    /// Runs one call in a scope of its own; what comes of it, and what it prints.
    pub(crate) fn in_call<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Data) {
        let outer = std::mem::replace(&mut self.printed, Data::Nothing);
        let result = self.within(|_| {}, run);
        (result, std::mem::replace(&mut self.printed, outer))
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
        self.note_found();
        self.left.calls = self.left.calls.saturating_sub(1);
        let kept = self.left.take_words(arguments.len());
        self.found.calls.push(Call {
            program: program.to_owned(),
            word: word.shown().to_owned(),
            arguments: arguments
                .iter()
                .take(kept)
                .map(|field| Argument { text: field.text.clone(), span: field.span })
                .collect(),
            subcommand: Vec::new(),
            span,
            carrier: self.scope().call,
            cwd: self.directory().map(str::to_owned),
            environment: Arc::clone(&self.scope().environment),
            listed,
            output: self.scope().reader,
            agreed: agrees(self.input()),
            said: Vec::new(),
            hidden: self.scope().hidden
                || masking::hides(program, || arguments.iter().map(Field::text).collect()),
        });
        self.enter_call(span);
    }

    /// The current call says something.
    pub(crate) fn says(&mut self, said: Said) {
        if let Some(call) = self.scope().call.and_then(|at| self.found.calls.get_mut(at)) {
            call.said.push(said);
        }
    }

    /// Something is printed to where standard output goes.
    pub(crate) fn print_to_sink(&mut self, printed: Data) {
        let sink = std::mem::take(&mut self.sink);
        self.sink = sink.followed_by(printed);
    }

    /// Runs something and says what it prints.
    pub(crate) fn capture(&mut self, reader: Output, run: impl FnOnce(&mut Self)) -> Data {
        let sink = std::mem::replace(&mut self.sink, Data::Nothing);
        let change = |scope: &mut Scope| {
            scope.reader = reader;
            // A file can be read again.
            scope.hidden &= reader != Output::File;
        };
        self.within(change, run);
        std::mem::replace(&mut self.sink, sink)
    }

    /// Runs something that can't change this shell.
    pub(crate) fn in_subshell(&mut self, run: impl FnOnce(&mut Self)) {
        let before = self.state.clone();
        self.within(|scope| scope.jumps.from_loop = false, run);
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

/// Does the input answer every question with yes?
fn agrees(input: &Data) -> bool {
    let Data::Text(text) = input else { return false };
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some()
        && lines.all(|line| ["y", "yes", "ok", "true"].iter().any(|yes| line.eq_ignore_ascii_case(yes)))
}

impl Words for Context<'_> {
    fn of_file(&self, file: &Field) -> Option<String> {
        let content = if file.text.as_deref() == Some("-") {
            self.input().clone()
        } else {
            self.content(&self.resolve_one(file)?)
        };
        match content {
            Data::Text(text) => Some(text),
            Data::File(path) => String::from_utf8(self.world().read(&path, MAXIMUM_MESSAGE)?).ok(),
            _ => None,
        }
    }

    fn path(&self, word: &Field) -> Option<String> {
        self.resolve_one(word)
    }
}
