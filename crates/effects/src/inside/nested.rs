//! Text and programs inside of a call: what a shell is told to run, what is fed to an interpreter, what a script holds.

use std::rc::Rc;

use super::MAXIMUM_SCRIPT;
use crate::context::Context;
use crate::effect::{Effect, Kind, Target, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Role};
use crate::languages::Language;
use crate::paths;
use crate::programs::unread;
use crate::scope::Lasts;
use crate::scope::Mapping;
use crate::state::Value;

/// Files beyond so many are not read.
const MOST_READ: usize = 16;

impl Context<'_> {
    /// A field is text that a new shell runs.
    pub(crate) fn run_shell(&mut self, field: &Field) {
        self.in_subshell(|context| context.run_here(field));
    }

    /// A field is text that a new shell runs under that name, with these positional parameters (`bash -c TEXT NAME A B`).
    pub(crate) fn run_shell_with(&mut self, field: &Field, name: Option<&Field>, positional: &[Field]) {
        self.in_subshell(|context| {
            context.state.own_name = name.cloned().map(Value::from_field);
            context.state.positional = Some(positional.iter().cloned().map(Value::from_field).collect());
            context.run_here(field);
        });
    }

    /// Text that a handler put together is run by a new shell.
    pub(crate) fn run_shell_text(&mut self, text: &str) {
        self.run_shell(&Field::of(text, self.scope().span));
    }

    /// A field is text that this shell runs.
    pub(crate) fn run_here(&mut self, field: &Field) {
        let Some(text) = field.text().filter(|_| !field.pattern) else {
            let source = match &field.process {
                Some(data) => (**data).clone(),
                None => field.source.clone(),
            };
            return match source {
                source if source.is_opaque() && field.text.is_some() => {
                    // A glob in a text that a shell reads again is still a glob there.
                    self.named_by_files(field);
                    let text = field.shown().to_owned();
                    self.run_text(&text, Mapping::Within(field.span));
                }
                source if source.is_opaque() => {
                    if field.written.starts_with(['$', '`']) || !field.written.contains(' ') {
                        return self.computed_command(field);
                    }
                    self.partly_computed(field);
                    let text = field.written.clone();
                    self.run_text(&text, Mapping::Within(field.span));
                }
                data => self.run_data(Role::Shell, &data),
            };
        };
        let mapping = match field.offset {
            Some(offset) => Mapping::At(offset),
            None => Mapping::Within(field.span),
        };
        let text = text.to_owned();
        self.run_text(&text, mapping);
    }

    /// The literal parts of a text say what runs; what the computed ones add to them nobody knows.
    pub(crate) fn partly_computed(&mut self, field: &Field) {
        let target = Target::Unresolved(field.written.clone());
        self.unknown_about(Unknown::Program, Some(target), field.span);
        self.annotate("part of the text that runs is computed");
    }

    /// Files of statements that a client of databases is told to read by such a text.
    pub(crate) fn read_by_itself(&mut self, files: &[String], field: &Field) {
        for file in files.iter().take(MOST_READ) {
            let file = Field::of(file.as_str(), field.span);
            self.deeper(|context| context.look_into(Role::Sql, &file));
        }
    }

    /// A command that a program's text runs. A client of databases feeds it what the statements show.
    pub(crate) fn run_piped(&mut self, language: Language, command: &Field) {
        let input = match language {
            Language::Sql => Rc::new(Data::Unknown),
            _ => Rc::clone(&self.scope().input),
        };
        self.within(|scope| scope.input = input, |context| context.run_shell(command));
    }

    /// An interpreter whose call has no text of its own takes it from standard input.
    pub(crate) fn run_input(&mut self, language: Role) {
        let data = self.input().clone();
        match data {
            Data::Nothing => self.run_typed(),
            data => {
                // What runs shares the input with its own text: nobody knows what is left of it.
                self.within(
                    |scope| scope.input = Rc::new(Data::Nothing),
                    |context| context.run_data(language, &data),
                );
            }
        }
    }

    /// What the call runs is typed, or it is a mistake: nothing says that it is harmless.
    pub(crate) fn run_typed(&mut self) {
        self.unknown(Unknown::Program, self.scope().span);
        self.annotate("takes what it runs from the terminal");
    }

    /// Data is fed to an interpreter: to a shell, where `language` is [`Role::Shell`].
    pub(crate) fn run_data(&mut self, language: Role, data: &Data) {
        match data {
            Data::Nothing => {}
            Data::Text(text) => {
                let field = Field::of(text.clone(), self.scope().span);
                if language == Role::Shell {
                    self.run_shell(&field);
                } else {
                    self.run_code(language, &field);
                }
            }
            Data::Network(host) => {
                let target = host.clone().map(Target::Host);
                self.push(Kind::RemoteCode, target, false, self.scope().span);
            }
            Data::Decoded => self.push(Kind::HiddenCode, None, false, self.scope().span),
            Data::File(path) => {
                let field = Field::of(path.clone(), self.scope().span);
                self.run_script_in(&field, language, &[]);
                if language == Role::Shell && self.look(path, MAXIMUM_SCRIPT).text().is_none() {
                    // Nobody saw what is in it, and its name was not said to the shell either.
                    self.unknown(Unknown::Command, self.scope().span);
                    self.annotate("a shell is fed a file that can't be read");
                }
            }
            Data::Unknown
            | Data::Unassigned
            | Data::Partial(_)
            | Data::Word
            | Data::Encoded
            | Data::Secret
            | Data::Archive
            | Data::Paths(_) => {
                self.unknown(Unknown::Command, self.scope().span);
            }
        }
    }

    /// A file that this shell reads as its own text.
    pub(crate) fn run_sourced(&mut self, data: &Data, file: &Field) {
        match data {
            Data::Text(text) => {
                let text = text.clone();
                self.run_text(&text, Mapping::Within(file.span));
            }
            Data::File(path) => {
                let path = path.clone();
                self.run_file_here(&path, file);
            }
            data => self.run_data(Role::Shell, data),
        }
    }

    /// A field names a program or a command line: a pager, an editor, `GIT_SSH_COMMAND`.
    pub(crate) fn run_program(&mut self, field: &Field) {
        // `gcc -wrapper sh,-c,TEXT`: a command whose words are parted by commas.
        let words: Vec<&str> = field.text().map(|text| text.split(',').collect()).unwrap_or_default();
        if let [first, _, ..] = words.as_slice()
            && knowledge::program(paths::file_name(first)).is_some()
        {
            let fields: Vec<Field> = words.iter().map(|word| Field::of(*word, field.span)).collect();
            return self.run_command(&fields);
        }
        self.run_shell(field);
    }

    /// `gcc -xc -`: what is built of the text on standard input may run later.
    pub(super) fn build_of_input(&mut self, first_effect: usize) {
        let builds = |effect: &Effect| matches!(effect.kind, Kind::Build | Kind::ProjectCode | Kind::Test);
        if !self.found.effects.iter().skip(first_effect).any(builds) {
            return;
        }
        let call = self.scope().call.and_then(|index| self.found.calls.get(index));
        let from_input = |word: &str| matches!(word, "-" | "/dev/stdin");
        let reads = call.is_some_and(|call| {
            call.arguments.iter().any(|word| word.text.as_deref().is_some_and(from_input))
        });
        if let (true, Data::Text(text)) = (reads, self.input().clone()) {
            let field = Field::of("-", self.scope().span);
            self.possibly(|context| unread::spoken(context, &text, &field));
        }
    }

    /// A script that a framework puts into its projects, and its words: it does what the framework's file says
    /// (`python manage.py flush`, `php artisan migrate:fresh`).
    pub(crate) fn run_framework(&mut self, words: &[Field]) {
        let Some((script, words)) = words.split_first() else { return };
        let name = script.text().map(paths::file_name).unwrap_or_default();
        let row = knowledge::shipped().table("commands/scripts/frameworks").find(name);
        let Some(row) = row else { return };
        let mut fields: Vec<Field> = row.cells().map(|word| Field::of(word, script.span)).collect();
        fields.extend(words.iter().cloned());
        self.run_command(&fields);
    }

    /// A `NAME=value` for the environment of what the call runs.
    pub(crate) fn set_for_call(&mut self, field: &Field) {
        let Some((name, _)) = field.written.split_once('=') else { return };
        let name = name.to_owned();
        let value = field.after(name.len() + 1);
        let carrier = self.scope().call.and_then(|index| self.found.calls.get(index));
        let carries = carrier.is_some_and(|call| matches!(call.program.as_str(), "env" | "sudo"));
        self.hijack(&name, &value, if carries { Lasts::ForCall } else { Lasts::FromHere });
        self.give_variable(&name, value.text.clone());
        if name == "PATH" {
            self.state.searched = self.known_directories(&value);
        }
        self.state.set(&name, Value::from_field(value));
    }

    /// File names that are put into a program's text are read as part of it: nobody knows what they are made to say.
    fn named_by_files(&mut self, field: &Field) {
        if field.names {
            self.unknown_about(Unknown::Program, Some(Target::Unresolved(field.written.clone())), field.span);
            self.annotate("names of files become part of the text that runs");
        }
    }

    /// A field is program text in the language of that role.
    pub(crate) fn run_code(&mut self, language: Role, field: &Field) {
        if language == Role::Shell {
            return self.run_shell(field);
        }
        match field.text() {
            Some(text) => {
                let text = text.to_owned();
                self.named_by_files(field);
                self.run_code_text(language, &text, field);
                if matches!(language, Role::Python | Role::JavaScript | Role::Ruby | Role::Perl | Role::Php)
                    && is_shell_removal(&text)
                {
                    // No program of that language: it is refused, unless what takes it knows better.
                    self.possibly(|context| context.run_shell(field));
                }
            }
            None => match field.source.clone() {
                source if source.is_opaque() => {
                    // A program that is one variable is as computed as a command word that is one.
                    let whole = is_one_variable(&field.written);
                    self.unknown_about(
                        if whole { Unknown::Command } else { Unknown::Program },
                        Some(Target::Unresolved(field.written.clone())),
                        field.span,
                    );
                    // The literal parts still say what they say.
                    let text = field.written.clone();
                    self.possibly(|context| context.run_code_text(language, &text, field));
                }
                data => self.run_data(language, &data),
            },
        }
    }
}

/// Is all of the text `$NAME` or `${NAME}`?
fn is_one_variable(text: &str) -> bool {
    let Some(name) = text.strip_prefix('$') else { return false };
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Is the text a call of `rm` or of git in a shell's words, that takes something away, and nothing that another
/// language would read?
fn is_shell_removal(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some(first), Some(second), Some(third)) = (words.next(), words.next(), words.next()) else {
        return false;
    };
    let letters = second.strip_prefix('-').unwrap_or_default();
    match paths::file_name(first) {
        "rm" => {
            let options = !letters.is_empty() && letters.bytes().all(|letter| b"rRfvi".contains(&letter));
            options && third.starts_with(['/', '~', '.', '*', '$'])
        }
        "git" => matches!(second, "reset" | "clean" | "checkout" | "push") && third.starts_with('-'),
        _ => false,
    }
}
