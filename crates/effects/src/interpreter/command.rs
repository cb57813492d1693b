//! One command: function, alias, builtin or program.

use std::rc::Rc;

use super::builtins::is_builtin;
use crate::bounds::MAXIMUM_DEPTH;
use crate::calls::{Idle, does_nothing, lacks_operand, masking};
use crate::context::Context;
use crate::effect::{Effect, Kind, Output, Target, Traits, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Facet, Matched, Program, Role, ValueForm};
use crate::knowledge::{has_ambiguous, match_call};
use crate::paths;
use crate::programs;
use crate::scope::{Lasts, Mapping, Scope};
use crate::state::{Ended, Function, Running, Value};
use crate::texts::{joined, name_in_computed_directory, noted};
use crate::world::EntryKind;
use hookgate_secrets::names_a_secret;
use hookgate_shell::Span;

/// How often a function is followed into itself with other words.
const MAXIMUM_ROUNDS: usize = 3;
/// No binary of the gate is smaller.
const SMALLEST_BINARY: u64 = 256 * 1024;
/// The largest binary that is held twice in order to compare it.
const LARGEST_COMPARED: usize = 64 << 20;

impl Context<'_> {
    /// A command in the text: the first word may be an alias or a function.
    pub(super) fn call_words(&mut self, fields: &[Field]) {
        let Some((word, arguments)) = fields.split_first() else { return };
        if let Some(name) = word.text().filter(|_| word.bare)
            && let Some(alias) = self.state.alias(name)
        {
            return self.deeper(|context| context.call_alias(word, alias, arguments));
        }
        if let Some(function) = word.text().and_then(|name| self.state.function(name)) {
            return self.call_function(word, &function, arguments);
        }
        self.call_without_functions(fields);
    }

    fn call_function(&mut self, word: &Field, function: &Rc<Function>, arguments: &[Field]) {
        let positional: Vec<Value> = arguments.iter().cloned().map(Value::from_field).collect();
        let same = |running: &&Running| Rc::ptr_eq(&running.function, function);
        let rounds = self.state.running.iter().filter(same).count();
        if let Some(running) = self.state.running.iter().find(same) {
            if self.scope().forks > running.forks {
                self.push(Kind::Exhaust, None, false, word.span);
                self.annotate("a function that starts itself again in the background");
                return;
            }
            // With the same words it does the same again.
            let again = |running: &Running| {
                Rc::ptr_eq(&running.function, function) && running.positional == positional
            };
            if self.state.running.iter().any(again) {
                return;
            }
            if rounds > MAXIMUM_ROUNDS {
                return self.doubt(word.span, "a function calls itself with other words each time");
            }
        }
        if self.scope().depth >= MAXIMUM_DEPTH {
            return self.unknown(Unknown::Unparsed, word.span);
        }
        let before = self.state.positional.replace(positional.clone());
        let shadowed = self.state.shadowed.len();
        self.state.running.push(Running {
            function: Rc::clone(function),
            positional,
            forks: self.scope().forks,
        });
        self.left.calls = self.left.calls.saturating_sub(1);
        let change = |scope: &mut Scope| {
            scope.text = Rc::clone(&function.text);
            scope.mapping = function.mapping;
            scope.depth += 1;
            scope.jumps.from_function = true;
            scope.jumps.from_loop = false;
        };
        self.within(change, |context| context.with_redirections(&function.body));
        self.state.running.pop();
        self.state.unshadow(shadowed);
        self.state.positional = before;
        if self.state.ended <= Ended::Function {
            self.state.ended = Ended::No;
        }
    }

    fn call_alias(&mut self, word: &Field, alias: Option<String>, arguments: &[Field]) {
        let Some(text) = alias else { return self.computed_command(word) };
        let name = word.shown().to_owned();
        let words: Vec<Field> = text.split_whitespace().map(|text| Field::of(text, word.span)).collect();
        let simple = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -_./,:@%+".contains(&byte));
        // An alias is not expanded again inside itself.
        self.state.remove_alias(&name);
        if simple {
            let fields: Vec<Field> = words.into_iter().chain(arguments.iter().cloned()).collect();
            self.call_words(&fields);
        } else {
            let tail: Option<Vec<String>> =
                arguments.iter().map(|field| field.text().map(hookgate_shell::quoted)).collect();
            let whole = tail.map(|tail| format!("{text} {}", tail.join(" ")));
            // What is open in it goes on behind the word.
            let known = whole.as_ref().unwrap_or(&text);
            self.within(
                |scope| scope.fragment = true,
                |context| context.run_text(known, Mapping::Within(word.span)),
            );
            if whole.is_none() {
                self.computed_command(word);
            }
        }
        self.state.define_alias(&name, Some(text));
    }

    /// A builtin or a program.
    pub(super) fn call_without_functions(&mut self, fields: &[Field]) {
        let Some((word, arguments)) = fields.split_first() else { return };
        let Some(name) = word.text().filter(|_| !word.pattern) else { return self.call_external(fields) };
        let name = name.to_owned();
        let span = whole(word, arguments);
        if is_builtin(&name) {
            let started = self.found.calls.len();
            let (ran, printed) = self.in_call(|context| {
                context.record(&name, word, arguments, span, true);
                context.builtin(&name, arguments)
            });
            if ran {
                return self.print_to_sink(printed);
            }
            self.found.calls.truncate(started);
        }
        match self.state.remembered_program(&name).filter(|_| word.bare) {
            Some(Some(path)) => {
                let word = Field { bare: false, ..Field::of(path, word.span) };
                let fields: Vec<Field> = std::iter::once(word).chain(arguments.iter().cloned()).collect();
                self.call_external(&fields);
            }
            Some(None) => self.computed_command(word),
            None => self.call_external(fields),
        }
    }

    /// A program, whatever functions and aliases there are.
    pub(super) fn call_external(&mut self, fields: &[Field]) {
        let Some((word, arguments)) = fields.split_first() else { return };
        // In a text inside of the event's no word has a place of its own.
        let as_written = word.offset.is_some() || matches!(self.scope().mapping, Mapping::Within(_));
        if as_written && word.text().is_some_and(is_command_line) {
            // No program has such a name: a whole command stands in quotes, for something else to take them off.
            self.unknown(Unknown::Command, word.span);
            self.annotate("a whole command is quoted as one word");
            return self.possibly(|context| context.run_shell(word));
        }
        if is_statement(word, arguments) {
            // Typed into a client that the text started, or meant for one.
            self.unknown_about(Unknown::Program, Some(Target::Name(word.shown().to_owned())), word.span);
            let mut fields = vec![word.clone()];
            fields.extend(arguments.iter().cloned());
            let statement = joined(&fields);
            return self.possibly(|context| context.run_code(Role::Sql, &statement));
        }
        // `=rm` of zsh: where that program lies.
        if word.text().is_some_and(|text| text.len() > 1 && text.starts_with('=')) {
            let mut fields = vec![word.after(1)];
            fields.extend(arguments.iter().cloned());
            return self.call_external(&fields);
        }
        if let Some(fields) = escaped_to_shell(word, arguments) {
            return self.possibly(|context| context.call_external(&fields));
        }
        if let Some(fields) = with_slashes(word, arguments).or_else(|| as_running_shell(word, arguments)) {
            return self.call_external(&fields);
        }
        if self.state.keywords {
            for field in arguments {
                let name = field.text().and_then(|text| text.split_once('=')).map(|(name, _)| name);
                if name.is_some_and(is_variable) {
                    self.set_for_call(field);
                }
            }
        }
        let own = self.state.searched.iter().map(|directory| format!("{directory}/{}", word.shown()));
        if let Some(path) = own.filter(|_| !word.shown().contains('/')).find(|path| self.state.has_made(path))
        {
            let found = Field::of(path, word.span);
            self.possibly(|context| context.deeper(|context| context.run_executable(&found, arguments)));
        }
        let name = match word.text() {
            Some(text) => (!word.pattern).then(|| paths::file_name(text).to_owned()),
            None => name_in_computed_directory(word),
        };
        let gate = self.is_gate(word).then_some("hookgate");
        let known = gate.or(name.as_deref()).and_then(knowledge::program);
        if known.is_none()
            && let Some(subcommand) = name.as_deref().and_then(git_subcommand)
        {
            let mut fields = vec![Field { text: Some("git".to_owned()), ..word.clone() }];
            fields.push(Field::of(subcommand, word.span));
            fields.extend(arguments.iter().cloned());
            return self.call_external(&fields);
        }
        if known.is_none()
            && let Some((variable, _)) = word.text().and_then(|text| text.split_once('='))
            && is_variable(variable)
        {
            return self.assignment_in_place_of_command(variable, word, arguments);
        }
        if known.is_none()
            && let Some(name) = &name
            && self.windows_program(name, fields)
        {
            return;
        }
        let ((), printed) =
            self.in_call(|context| context.program_call(known, name.as_deref(), word, arguments));
        self.print_to_sink(printed);
    }

    /// A program that is known, or a word of which nothing is known.
    fn program_call(
        &mut self,
        known: Option<Program<'_>>,
        name: Option<&str>,
        word: &Field,
        arguments: &[Field],
    ) {
        let span = whole(word, arguments);
        let program = known.map_or(name.unwrap_or_default(), |program| program.name()).to_owned();
        self.record(&program, word, arguments, span, known.is_some());
        // What a program prints of its own accord is not known; `flows` may know better.
        self.printed = match self.input().filtered() {
            Data::Nothing => Data::Unknown,
            data => data,
        };
        if self.scope().depth >= MAXIMUM_DEPTH {
            self.unknown(Unknown::Unparsed, span);
        } else {
            match (name, known) {
                // A glob of the root's own directories: none of them runs.
                (None, _) if word.pattern && matches!(word.text(), Some("/*" | "/**")) => {}
                (None, _) if word.pattern && self.is_glob_of_own(word) => {
                    self.reach_unknown();
                    // Which of them it is nobody knows; all of them are the project's.
                    self.possibly(|context| context.path(Kind::ProjectCode, word));
                    self.unknown_about(
                        Unknown::Program,
                        Some(Target::Name(word.shown().to_owned())),
                        word.span,
                    );
                }
                (None, _) => {
                    self.reach_unknown();
                    self.computed_command(word);
                }
                (Some(_), Some(program)) => self.known_call(program, word, arguments, span),
                (Some(name), None) => self.unlisted_program(name, word, arguments),
            }
        }
    }

    /// A name that no file is about: a script of the project, or a program that nobody knows.
    /// A glob of files in one directory of the project, all of which one knows by where they lie.
    fn is_glob_of_own(&self, word: &Field) -> bool {
        let project = &self.places().project;
        word.text().is_some_and(|text| text.contains('/'))
            && self.resolve(word).is_some_and(|found| {
                found.iter().all(|path| {
                    let (directory, name) = paths::literal_directory(path);
                    paths::is_within(directory, project) && !name.trim_start_matches('/').contains('/')
                })
            })
    }

    fn unlisted_program(&mut self, name: &str, word: &Field, arguments: &[Field]) {
        self.reach_unknown();
        // A builtin behind `exec`, `env`, `sudo` and their like.
        // With a slash the word is a file's path, whatever builtin has that name.
        if word.shown().contains('/') {
            return self.run_executable(word, arguments);
        }
        if is_builtin(name) && self.builtin(name, arguments) {
            return;
        }
        // `RM` is `rm` where the file system ignores case.
        let lower = name.to_ascii_lowercase();
        if lower != name && lower.to_ascii_uppercase() == name && knowledge::program(&lower).is_some() {
            let mut fields = vec![Field::of(lower, word.span)];
            fields.extend(arguments.iter().cloned());
            return self.possibly(|context| context.run_command(&fields));
        }
        if let Some(own) = self.own_program(name) {
            let first = self.found.effects.len();
            self.known_call(own, word, arguments, self.scope().span);
            return self.say_whose(own, first);
        }
        self.unknown_program(name, word.span, arguments);
    }

    /// A package whose programs nobody knows, by its name.
    pub(crate) fn unlisted_package(&mut self, name: &Field, arguments: &[Field]) {
        self.reach_unknown();
        self.unknown_program(name.shown(), name.span, arguments);
    }

    fn unknown_program(&mut self, name: &str, span: Span, arguments: &[Field]) {
        let first = self.found.effects.len();
        self.told_program(name, span, arguments);
        self.run_written(first);
    }

    fn told_program(&mut self, name: &str, span: Span, arguments: &[Field]) {
        self.unknown_about(Unknown::Program, Some(Target::Name(name.to_owned())), span);
        self.printed = Data::Unknown.followed_by(self.input().filtered());
        // A program that nobody knows may run the command that it is given (`retry rm -rf build`).
        let mut words = arguments.iter().enumerate().filter(|(_, field)| !field.is_dashed()).take(2);
        let carried = words
            .find(|(_, field)| {
                field.text().is_some_and(|word| {
                    knowledge::is_listed("commands/words/carried", word) || word.starts_with("mkfs.")
                })
            })
            .map(|(at, _)| at);
        if let Some(carried) = carried.and_then(|at| arguments.get(at..)) {
            return self.possibly(|context| context.run_command(carried));
        }
        programs::unread::words(self, arguments);
        programs::unread::named_guards(self, arguments);
        programs::unread::orders(self, arguments);
    }

    /// `nohup NAME=value command`, `NA''ME=value command`: no assignment to this shell, but most likely meant as one.
    fn assignment_in_place_of_command(&mut self, variable: &str, word: &Field, arguments: &[Field]) {
        let value = word.after(variable.len() + 1);
        self.unknown_about(Unknown::Program, Some(Target::Name(word.shown().to_owned())), word.span);
        self.hijack(variable, &value, Lasts::FromHere);
        if !arguments.is_empty() {
            self.possibly(|context| context.run_command(arguments));
        }
    }

    /// Is the command word a path of the gate's own binary, under whatever name?
    fn is_gate(&self, word: &Field) -> bool {
        let path = word.text().filter(|text| text.contains('/')).and_then(|_| self.resolve_one(word));
        path.is_some_and(|path| {
            let gate = &self.places().gate;
            // A copy that the text has made is what it is a copy of.
            let copied = match self.state.remembered(&path) {
                Some(Data::File(from)) => {
                    gate.contains(from) || programs::is_the_gate(paths::file_name(from))
                }
                _ => false,
            };
            let linked = self.state.links.iter().any(|(link, target)| {
                *link == path && (gate.contains(target) || programs::is_the_gate(paths::file_name(target)))
            });
            copied
                || linked
                || gate.contains(&path)
                || programs::is_the_gate(paths::file_name(&path))
                || self.world().resolve(&path).is_some_and(|path| gate.contains(&path))
                || self.has_content_of_gate(&path)
        })
    }

    /// Is it a copy of the gate's binary? Sizes are compared first, so that hardly a file is ever opened for it. Of what stands
    /// among the system's programs under a name that is known nobody asks.
    fn has_content_of_gate(&self, path: &str) -> bool {
        let here = Field::of(path, Span::default());
        if knowledge::program(paths::file_name(path)).is_some() && self.has_traits(&here, Traits::PROGRAMS) {
            return false;
        }
        let size = |path: &str| {
            self.world().entry(path).filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.size)
        };
        let Some(length) = size(path).filter(|length| *length >= SMALLEST_BINARY) else { return false };
        let same = self.places().gate.iter().find(|gate| size(gate) == Some(length));
        same.is_some_and(|gate| {
            // Of binaries that are too large to be held twice, the size has to do.
            let limit = usize::try_from(length).unwrap_or(usize::MAX);
            limit > LARGEST_COMPARED || self.world().read(path, limit) == self.world().read(gate, limit)
        })
    }

    fn known_call(&mut self, program: Program<'_>, word: &Field, arguments: &[Field], span: Span) {
        let deferred = self.deferred.len();
        self.sorted_call(program, word, arguments, span);
        self.deferred.truncate(deferred);
    }

    /// What a person's own files add to what is known of a program. They never take anything away: the call's own
    /// effects stand already.
    fn say_more(&mut self, program: Program<'_>, word: &Field, arguments: &[Field], span: Span) {
        let name = word.text().map(paths::file_name).unwrap_or_default();
        let own = self.own_program(name).or_else(|| self.own_program(program.name()));
        let Some(own) = own.filter(|own| own.specification() != program.specification()) else { return };
        let first = self.found.effects.len();
        self.standard(&match_call(own, word, arguments, span));
        self.say_whose(own, first);
    }

    /// Notes on the effects from this one on which of a person's files says so.
    fn say_whose(&mut self, own: Program<'_>, first: usize) {
        for effect in self.found.effects.iter_mut().skip(first).filter(|effect| effect.note.is_none()) {
            effect.note = Some(format!("as {} says", own.file()));
        }
    }

    fn sorted_call(&mut self, program: Program<'_>, word: &Field, arguments: &[Field], span: Span) {
        let first_effect = self.found.effects.len();
        if self.runs_own_program(program, word, arguments) {
            return;
        }
        let spelled_out =
            (program.name() == "tar").then(|| programs::tar::spelled_out(self, arguments)).flatten();
        let arguments = spelled_out.as_ref().map_or(arguments, |(arguments, _)| arguments);
        let call = match_call(program, word, arguments, span);
        if let Some((name, all)) = self.with_inherited_options(&call, arguments) {
            self.possibly(|context| {
                context.give_variable(&name, Some(String::new()));
                context.known_call(program, word, &all, span);
            });
        }
        if let Some(record) = self.scope().call.and_then(|index| self.found.calls.get_mut(index)) {
            record.subcommand.clone_from(&call.subcommand);
            record.listed = call.unlisted.is_empty();
        }
        if self.defined_subcommand(&call) {
            if let Some(record) = self.scope().call.and_then(|index| self.found.calls.get_mut(index)) {
                record.listed = true;
            }
            // What a call of git stands for is a call of its own.
            if call.program != "git" {
                self.reach(&call, first_effect);
            }
            return;
        }
        for field in &call.unlisted {
            self.unknown_about(Unknown::Program, Some(Target::Name(field.shown().to_owned())), field.span);
        }
        for field in &call.doubted {
            self.unknown(Unknown::Program, field.span);
            self.annotate(format!("with {}", noted(field.shown())));
        }
        if self.is_idle(&call, first_effect) {
            return;
        }
        let says_nothing = !call.specification.has_effects() && !call.specification.has_operands();
        if arguments.is_empty() && says_nothing && call.specification.has_subcommands() {
            self.doubt(span, "what it does without a subcommand is not known");
        }
        if lacks_operand(&call) {
            self.doubt(span, "an operand that it needs is missing");
        }
        let directories = self.state.directories.clone();
        for option in &call.options {
            let (ValueForm::Required(role) | ValueForm::Optional(role) | ValueForm::Attached(role)) =
                option.specification.value()
            else {
                continue;
            };
            if let (Role::Directory, Some(value)) = (role, &option.value) {
                self.state.directories = self.resolve(value).unwrap_or_default();
            }
        }
        self.flows(&call);
        let shown =
            self.printed == Data::Secret && matches!(self.scope().reader, Output::Agent | Output::Condition);
        if shown && !self.scope().hidden && masking::passes_on(call.program) {
            self.shows_secret(&call);
        }
        let first_call = self.found.calls.len();
        let own_effect = self.found.effects.len();
        self.handle(&call);
        programs::waits_for_commands(self, &call);
        self.say_more(program, word, arguments, span);
        programs::whose_processes(self, &call, own_effect);
        self.endless_output(&call);
        self.say_how(&call, own_effect);
        // What carries a command prints what that prints.
        if self.printed == Data::Unknown && self.found.calls.len() > first_call {
            self.printed = Data::Nothing;
        }
        self.step_inside(&call, own_effect);
        self.run_written(own_effect);
        self.leave_and_bring(&call, own_effect);
        programs::unread::puts_there(self, &call, own_effect);
        if !knowledge::is_listed("commands/words/making-folders", program.name()) {
            programs::brought::fills_folders(self, own_effect);
        }
        if !call.unlisted.is_empty() || !call.doubted.is_empty() {
            programs::unread::words(self, call.arguments);
            programs::unread::behind_unlisted(self, &call);
        }
        if knowledge::is_listed("commands/words/second-hands", program.name()) {
            programs::unread::orders(self, call.arguments);
        }
        self.state.directories = directories;
        self.reach(&call, first_effect);
    }

    /// What the call prints is or holds a secret: the variable that its words name, if they name one.
    fn shows_secret(&mut self, call: &Matched<'_>) {
        let named = |field: &Field| {
            let variables = field.written.split('$').skip(1).map(|rest| {
                let rest = rest.trim_start_matches('{');
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                rest.get(..end).unwrap_or_default()
            });
            let mut secrets = variables.filter(|name| names_a_secret(name));
            secrets.find(|name| self.state.variable(name).is_none()).map(str::to_owned)
        };
        match call.arguments.iter().find_map(named) {
            Some(name) => self.effect_on(Kind::SecretRead, Target::Name(name)),
            None => self.effect(Kind::SecretRead),
        }
    }

    /// Does an option say that nothing happens? That is said here, and nothing else about the call.
    fn is_idle(&mut self, call: &Matched<'_>, first_effect: usize) -> bool {
        let idle = if self.is_behind_operand(call) {
            Idle::No
        } else if has_ambiguous(call) {
            Idle::Likely
        } else {
            does_nothing(call)
        };
        if idle == Idle::No {
            return false;
        }
        if idle == Idle::Likely {
            self.doubt(call.span, "an option says that nothing happens, but not all of the call is certain");
        }
        self.printed = Data::Nothing;
        if !call.has("--help") && !call.has("--version") {
            // That nothing is changed does not say that nothing is run (`git fetch --dry-run`).
            if call.program == "git" {
                programs::git_settings_of_the_call(self, call);
            }
            self.reach(call, first_effect);
        }
        true
    }

    /// What the program's handler says, or its rows.
    fn handle(&mut self, call: &Matched<'_>) {
        match call.handler.map(|name| (name, programs::handler(name))) {
            None => self.standard(call),
            Some((_, Some(handler))) => handler(self, call),
            Some((name, None)) => {
                self.unknown_about(Unknown::Program, Some(Target::Name(name.to_owned())), call.span);
                self.annotate("its handler is missing");
                self.standard(call);
            }
        }
    }

    /// Is the command word the path of what lies in the project, or about? Then that is what runs; a tool that the project
    /// brings under a program's name is judged by the name as well.
    fn runs_own_program(&mut self, program: Program<'_>, word: &Field, arguments: &[Field]) -> bool {
        let path = word.text().filter(|text| text.contains('/')).and_then(|_| self.resolve_one(word));
        let Some(path) = path.filter(|_| !self.is_gate(word)) else { return false };
        if self.is_named_tool(&path) {
            self.run_tool(word, &path);
        } else if self.is_project_binary(&path) && self.state.remembered(&path).is_none() {
            // `bin/rake` of the project is most likely what its name says, but the project's own code all the same.
            self.path(Kind::ProjectCode, word);
            self.make_possible();
        } else if self.is_own_program(&path) {
            // `./cp` is whatever lies there.
            if let Some(record) = self.scope().call.and_then(|index| self.found.calls.get_mut(index)) {
                record.listed = false;
            }
            self.reach_unknown();
            self.run_executable(word, arguments);
            if self.came_out_of_something(&path) {
                return false;
            }
            // A file of an agent's name most likely is that agent, and is no less one where it lies about.
            return !program.specification().facets(Facet::ActsAs).any(|acts| acts == "agent");
        }
        false
    }

    /// Did the text fill the folder of that path by an archive, or whatever else, of which nobody knows what was in it? A program that comes
    /// out of one most likely has its own name.
    fn came_out_of_something(&self, path: &str) -> bool {
        let fills = |effect: &Effect| match &effect.target {
            Some(Target::Path(fact)) => {
                effect.kind == Kind::Write && effect.recursive && paths::is_within(path, &fact.path)
            }
            _ => false,
        };
        self.world().entry(path).is_none()
            && self.state.remembered(path).is_none()
            && self.found_so_far().any(fills)
    }

    /// Under `POSIXLY_CORRECT` what stands behind the first operand is an operand too, whatever it looks like.
    fn is_behind_operand(&self, call: &Matched<'_>) -> bool {
        let set = self.state.variable("POSIXLY_CORRECT").is_some()
            || self.scope().environment.iter().any(|(name, _)| name == "POSIXLY_CORRECT");
        set && call.arguments.first().is_some_and(|field| !field.is_dashed())
    }
}

impl<'w> Context<'w> {
    /// What a person's own files say of a program.
    fn own_program(&self, name: &str) -> Option<Program<'w>> {
        self.world().own_knowledge()?.program(name)
    }
}

/// A program's path as Windows has it, `"C:\\tools\\git.exe"`: the call with slashes in it.
fn with_slashes(word: &Field, arguments: &[Field]) -> Option<Vec<Field>> {
    let text = word.text().filter(|text| text.contains('\\') && !word.pattern)?;
    let lower = text.to_ascii_lowercase();
    let is_program = [".exe", ".cmd", ".bat"].iter().any(|ending| lower.ends_with(ending));
    let word = is_program.then(|| Field { text: Some(text.replace('\\', "/")), ..word.clone() })?;
    Some(std::iter::once(word).chain(arguments.iter().cloned()).collect())
}

/// `/proc/self/exe`: the shell that runs the text, once more.
fn as_running_shell(word: &Field, arguments: &[Field]) -> Option<Vec<Field>> {
    word.text()?.strip_prefix("/proc/")?.strip_suffix("/exe")?;
    let shell = knowledge::rows("commands/shell/shells").next()?.key();
    let word = Field { text: Some(shell.to_owned()), pattern: false, ..word.clone() };
    Some(std::iter::once(word).chain(arguments.iter().cloned()).collect())
}

/// `branch` of `git-branch`, as git's own directory of programs has it.
fn git_subcommand(name: &str) -> Option<&str> {
    let subcommand = name.strip_prefix("git-")?;
    let git = knowledge::program("git")?.specification();
    git.lists(subcommand).then_some(subcommand)
}

/// May a variable of the environment have that name?
fn is_variable(name: &str) -> bool {
    let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    first && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Is it a command with arguments, in one word?
fn is_command_line(name: &str) -> bool {
    let Some((first, rest)) = name.split_once(char::is_whitespace) else { return false };
    !rest.trim().is_empty() && knowledge::program(paths::file_name(first)).is_some()
}

/// Do the words begin like a statement of SQL that loses something?
fn is_statement(word: &Field, arguments: &[Field]) -> bool {
    let lower = |field: Option<&Field>| field.and_then(Field::text).map(str::to_ascii_lowercase);
    let Some(second) = lower(arguments.first()) else { return false };
    let objects = ["table", "database", "schema", "view", "index", "materialized", "keyspace"];
    match lower(Some(word)).as_deref() {
        Some("drop") => objects.contains(&second.as_str()),
        Some("truncate" | "alter") => second == "table",
        Some("delete") => second == "from",
        Some("update") => lower(arguments.get(1)).as_deref() == Some("set"),
        _ => false,
    }
}

/// `!COMMAND`, `:!COMMAND` on a line of its own: what is typed into an editor, a pager or a client runs a command there.
fn escaped_to_shell(word: &Field, arguments: &[Field]) -> Option<Vec<Field>> {
    let text = word.text()?;
    let mark = [":!", "!"].iter().find(|mark| text.starts_with(**mark))?;
    if text.len() == mark.len() {
        return (!arguments.is_empty()).then(|| arguments.to_vec());
    }
    let mut fields = vec![word.after(mark.len())];
    fields.extend(arguments.iter().cloned());
    Some(fields)
}

/// The place of a command with its arguments.
fn whole(word: &Field, arguments: &[Field]) -> Span {
    let start = word.span.start;
    let end = arguments.last().unwrap_or(word).span.end;
    Span { start: start.min(end), end: end.max(start) }
}
