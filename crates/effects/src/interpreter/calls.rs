//! One program with its arguments.

use crate::context::{Context, MAXIMUM_DEPTH};
use crate::effect::{Argument, Call, Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Change, Program, Role, ValueForm};
use crate::matching::match_call;
use crate::paths;
use crate::programs;
use hookgate_shell::Span;

impl Context<'_> {
    /// The fields are a command and its arguments, run by the current call.
    pub(crate) fn run_command(&mut self, fields: &[Field]) {
        if self.depth >= MAXIMUM_DEPTH || self.calls_left == 0 {
            self.unknown(Unknown::Unparsed, self.span);
            self.annotate("carries more commands than can be followed");
            return;
        }
        let before = (self.call, self.span, self.depth);
        self.depth += 1;
        self.program_call(fields);
        (self.call, self.span, self.depth) = before;
    }

    /// A program that is no function, alias or builtin.
    fn program_call(&mut self, fields: &[Field]) {
        let Some((word, arguments)) = fields.split_first() else { return };
        self.calls_left = self.calls_left.saturating_sub(1);
        let span =
            Span { start: word.span.start, end: fields.last().map_or(word.span.end, |field| field.span.end) };
        let name = word.text().map(|text| paths::file_name(text).to_owned());
        let known = name.as_deref().and_then(knowledge::program);
        let call = Call {
            program: known
                .map_or_else(|| name.clone().unwrap_or_default(), |program| program.name.to_owned()),
            word: word.shown().to_owned(),
            arguments: arguments
                .iter()
                .map(|field| Argument { text: field.text.clone(), span: field.span })
                .collect(),
            span,
            carrier: self.call,
            cwd: self.directory().map(str::to_owned),
            listed: known.is_some(),
            ..Call::default()
        };
        self.found.calls.push(call);
        self.call = Some(self.found.calls.len() - 1);
        self.span = span;
        match (word.text(), known) {
            (None, _) => self.unknown_about(
                Unknown::Command,
                Some(Target::Unresolved(word.written.clone())),
                word.span,
            ),
            (Some(_), Some(program)) => self.known_call(program, word, arguments, span),
            (Some(text), None) => {
                self.unknown_about(Unknown::Program, Some(Target::Name(text.to_owned())), word.span);
            }
        }
    }

    fn known_call(&mut self, program: &'static Program, word: &Field, arguments: &[Field], span: Span) {
        let call = match_call(program, word, arguments, span);
        if let Some(record) = self.call.and_then(|index| self.found.calls.get_mut(index)) {
            record.subcommand.clone_from(&call.subcommand);
            record.listed = call.unlisted.is_empty();
        }
        for field in &call.unlisted {
            self.unknown_about(Unknown::Program, Some(Target::Name(field.shown().to_owned())), field.span);
        }
        if call.options.iter().any(|option| option.specification.changes.contains(&Change::Nothing)) {
            return;
        }
        let directories = self.state.directories.clone();
        for option in &call.options {
            let role = match option.specification.value {
                ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role) => role,
                ValueForm::None => continue,
            };
            if let (Role::Directory, Some(value)) = (role, &option.value) {
                self.state.directories = self.resolve(value).unwrap_or_default();
            }
        }
        match call.handler {
            None => self.standard(&call),
            Some(name) => match programs::handler(name) {
                Some(handler) => handler(self, &call),
                None => {
                    self.unknown_about(Unknown::Program, Some(Target::Name(name.to_owned())), span);
                    self.standard(&call);
                }
            },
        }
        self.state.directories = directories;
    }

    /// A field is text that a shell runs.
    pub(crate) fn run_shell(&mut self, field: &Field) {
        match field.text() {
            Some(text) => self.run_shell_text(text),
            None => {
                self.unknown_about(
                    Unknown::Command,
                    Some(Target::Unresolved(field.written.clone())),
                    field.span,
                );
            }
        }
    }

    /// Text that a handler put together is run by a shell.
    pub(crate) fn run_shell_text(&mut self, _text: &str) {
        self.unknown(Unknown::Unparsed, self.span);
    }

    /// A field names a program or a command line.
    pub(crate) fn run_program(&mut self, field: &Field) {
        self.run_shell(field);
    }

    /// A field is program text in the language of that role.
    pub(crate) fn run_code(&mut self, _language: Role, field: &Field) {
        self.unknown_about(Unknown::Program, Some(Target::Unresolved(field.written.clone())), field.span);
    }

    /// A field is the path of a script that runs.
    pub(crate) fn run_script(&mut self, field: &Field) {
        self.path(Kind::ProjectCode, field);
    }

    /// Data is fed to an interpreter: to a shell, where `language` is [`Role::Shell`].
    pub(crate) fn run_data(&mut self, _language: Role, _data: &Data) {}

    /// A `NAME=value` for the environment of what the call runs.
    pub(crate) fn set_for_call(&mut self, _field: &Field) {}
}
