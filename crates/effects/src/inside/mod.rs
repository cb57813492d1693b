//! One step inside: scripts, make targets, package scripts and aliases of the repository, judged by what they contain.
//!
//! What is found inside stands beside the effect of running it at all (`project-code`, or `test`, `build` where the name
//! says so). What isn't known inside a file that was there before is no unknown of its own: it makes that effect
//! *possible* instead of certain, which is never harmless. What can't be read, or is over a limit, is `unparsed` as it
//! is on the command line.

mod given;
mod make_text;
mod nested;
mod reading;
mod recipes;
mod repository;
mod written;

use std::collections::BTreeSet;

use crate::calls::leaving::address;
use crate::context::Context;
use crate::effect::{Certainty, Effect, Kind, Place, Target, Traits, Unknown};
use crate::field::{Data, Field};
use crate::knowledge::{self, Facet, Role};
use crate::languages::{self, CodeEffect, Language};
use crate::paths;
use crate::programs::{agents, brought, unread};
use crate::scope::Mapping;
use crate::state::Opened;
use crate::texts::name_in_computed_directory;
use crate::world::EntryKind;
use given::Given;
pub(crate) use reading::Inside;

/// How many characters of an argument that is computed are shown.
const LONGEST_ARGUMENT: usize = 160;

/// What lies at such a place nobody writes to, and nobody reads, by chance.
const KEPT: [Traits; 6] = [
    Traits::GATE,
    Traits::AGENT_SETTINGS,
    Traits::AGENT_LOADS,
    Traits::SECRET,
    Traits::STARTUP,
    Traits::GIT_HOOK,
];

/// Copies of more programs are not told apart.
const MOST_COPIED: usize = 8;

/// The largest script that is looked into.
pub(crate) const MAXIMUM_SCRIPT: usize = 128 * 1024;

impl Context<'_> {
    /// Is the path a program of the project, or one that lies about? Installed is what lies below the system's or the
    /// person's directories of programs, whatever it is called.
    pub(crate) fn is_own_program(&self, path: &str) -> bool {
        let directory = paths::file_name(paths::parent(path));
        let programs = matches!(directory, "bin" | ".bin" | "sbin" | "Scripts" | "shims" | "libexec");
        match paths::place_of(path, self.places()) {
            Place::System => false,
            Place::Home => !programs,
            Place::Null | Place::Temporary | Place::Project | Place::Elsewhere | Place::Device => true,
        }
    }

    /// Is it a program that something installed into the project (`node_modules/.bin`, `.venv/bin`), or a wrapper that
    /// the project brings under a program's name? It does what its name says, as far as can be seen, and is the
    /// project's code. What this text wrote is neither.
    pub(crate) fn is_named_tool(&self, path: &str) -> bool {
        let directory = paths::file_name(paths::parent(path));
        let named = matches!(directory, "bin" | ".bin" | "Scripts") && !self.is_project_binary(path)
            || is_wrapper(path);
        let linked = self.state.links.iter().any(|(link, _)| link == path);
        named
            && paths::place_of(path, self.places()) == Place::Project
            && !linked
            && self.state.remembered(path).is_none()
    }

    /// A tool of the project runs: what its file holds happens besides what its name says. What isn't known in it is what
    /// its name says.
    pub(crate) fn run_tool(&mut self, word: &Field, path: &str) {
        self.path(Kind::ProjectCode, word);
        let Inside::Text(text) = self.look(path, MAXIMUM_SCRIPT) else { return };
        if let Some(language) = shebang(&text, path) {
            self.within_tool(path, |context| context.run_inside(&text, language, &[], word));
        }
    }

    /// Runs what is in a file that is known by its name: what it does besides what the name says is kept.
    fn within_tool(&mut self, path: &str, run: impl FnOnce(&mut Self)) {
        let outer = self.found.effects.len();
        let calls = self.found.calls.len();
        self.within_file(paths::file_name(path), run);
        // What it calls in its own way is part of what its name says.
        self.found.calls.iter_mut().skip(calls).for_each(|call| call.listed = true);
        let mut index = 0;
        self.found.effects.retain(|effect| {
            index += 1;
            index <= outer || effect.kind != Kind::Hijack
        });
        let made = outer.checked_sub(1).and_then(|at| self.found.effects.get_mut(at));
        if let Some(effect) = made.filter(|effect| effect.kind == Kind::ProjectCode) {
            effect.certainty = Certainty::Certain;
        }
    }

    /// Does the file lie in the project's own `bin`, where its code is, and not what a package manager put there?
    pub(crate) fn is_project_binary(&self, path: &str) -> bool {
        let directory = paths::parent(path);
        directory.strip_suffix("/bin").is_some_and(|above| above == self.places().project)
            && !is_wrapper(path)
    }

    /// A path runs as a program.
    pub(crate) fn run_executable(&mut self, word: &Field, arguments: &[Field]) {
        let Some(path) = self.resolve_one(word) else {
            // `$ROOT/bin/tool`: only the place is computed, and nothing is known about the name.
            return match name_in_computed_directory(word) {
                Some(name) => self.unknown_about(Unknown::Program, Some(Target::Name(name)), word.span),
                None => self.computed_command(word),
            };
        };
        let linked = self.state.links.iter().rev().find(|(link, _)| *link == path).map(|(_, to)| to.clone());
        let content = linked.map_or_else(|| self.content(&path), Data::File);
        // A copy of an installed program, or a link to it.
        if let Data::File(original) = &content
            && *original != path
            && !self.is_own_program(original)
        {
            let mut fields = vec![Field::of(original.clone(), word.span)];
            fields.extend(arguments.iter().cloned());
            return self.run_command(&fields);
        }
        let looked = match content {
            Data::File(file) => self.look(&file, MAXIMUM_SCRIPT),
            _ => self.look(&path, MAXIMUM_SCRIPT),
        };
        let text = match looked {
            Inside::Origin(data @ (Data::Network(_) | Data::Decoded)) => {
                return self.run_data(Role::Shell, &data);
            }
            looked => looked.text(),
        };
        let language = text.as_deref().map(|text| shebang(text, &path));
        let words: Vec<Field> = std::iter::once(word).chain(arguments).cloned().collect();
        self.possibly(|context| context.run_framework(&words));
        match language {
            Some(Some(language)) => self.run_script_in(word, language, arguments),
            _ => {
                self.may_be_a_copy(word, arguments);
                let place = paths::place_of(&path, self.places());
                if place == Place::Project {
                    self.path(Kind::ProjectCode, word);
                    self.make_possible();
                } else {
                    self.unknown_about(
                        Unknown::Program,
                        Some(Target::Name(word.shown().to_owned())),
                        word.span,
                    );
                }
            }
        }
    }

    /// A file that nobody can read runs: where the text has read a program before, it may be a copy of it, however made.
    fn may_be_a_copy(&mut self, word: &Field, arguments: &[Field]) {
        let program = |effect: &Effect| match &effect.target {
            Some(Target::Path(fact)) if effect.kind == Kind::Read && !fact.pattern => {
                knowledge::is_listed("paths/kinds/programs", paths::parent(&fact.path))
                    .then(|| fact.path.clone())
            }
            _ => None,
        };
        let read: BTreeSet<String> =
            self.found.effects.iter().filter_map(program).take(MOST_COPIED).collect();
        for path in read {
            let program = Field::of(path, word.span);
            let fields: Vec<Field> = std::iter::once(program).chain(arguments.iter().cloned()).collect();
            self.possibly(|context| context.run_command(&fields));
        }
    }

    /// A field is the path of a script that the current call runs, in the language of the program.
    pub(crate) fn run_script(&mut self, field: &Field) {
        self.run_script_with(field, &[]);
    }

    /// The same, with these words for the script.
    pub(crate) fn run_script_with(&mut self, field: &Field, arguments: &[Field]) {
        let program =
            self.scope().call.and_then(|index| self.found.calls.get(index)).map(|call| call.program.clone());
        let language = program.as_deref().and_then(language_of_program);
        if let Some(host) = address(field) {
            return self.push(Kind::RemoteCode, Some(Target::Host(host.to_owned())), false, field.span);
        }
        if self.is_secret_file(field) {
            // What can't be run is shown in the complaints about it.
            self.possibly(|context| context.path(Kind::Read, field));
        }
        match language {
            Some(language) => self.run_script_in(field, language, arguments),
            None => {
                if let Some(data @ (Data::Network(_) | Data::Decoded)) = field.process.as_deref() {
                    let data = data.clone();
                    return self.run_data(Role::Shell, &data);
                }
                self.path(Kind::ProjectCode, field);
                // A directory is a package of the project, built and run like all of it (`go run ./cmd/x`).
                let entry = self.file_key(field).and_then(|path| self.world().entry(&path));
                if entry.is_none_or(|entry| entry.kind != EntryKind::Directory) {
                    self.make_possible();
                }
                if let Some(text) = unread::written_by_text(self, field) {
                    unread::spoken_in_file(self, &field.written, &text, field);
                }
            }
        }
    }

    /// What a path of a descriptor holds, `/dev/fd/3`.
    pub(crate) fn descriptor_data(&self, path: &str) -> Option<Data> {
        let number = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|start| path.strip_prefix(start))?;
        Some(match number.parse().ok()? {
            0 => self.input().clone(),
            number => match self.state.opened(number) {
                Some(Opened::Input(data)) => data.clone(),
                _ => Data::Unknown,
            },
        })
    }

    /// A script runs in that language with these arguments.
    pub(crate) fn run_script_in(&mut self, field: &Field, language: Role, arguments: &[Field]) {
        if let Some(data) = &field.process {
            let data = (**data).clone();
            return self.run_data(language, &data);
        }
        if field.is("-") || field.is("/dev/stdin") {
            let data = self.input().clone();
            return self.run_data(language, &data);
        }
        if let Some(data) = field.text().and_then(|text| self.descriptor_data(text)) {
            return self.run_data(language, &data);
        }
        let Some(path) = self.file_key(field) else {
            self.file_effect(Kind::ProjectCode, field, false);
            self.make_possible();
            if field.text.is_none() && language == Role::Shell {
                self.computed_command(field);
            } else if field.text.is_none() {
                let target = Target::Unresolved(field.written.clone());
                self.unknown_about(Unknown::Program, Some(target), field.span);
            }
            return;
        };
        let written = !matches!(self.content(&path), Data::File(_));
        match self.look(&path, MAXIMUM_SCRIPT) {
            Inside::Origin(data @ (Data::Network(_) | Data::Decoded)) => {
                self.within(|scope| scope.span = field.span, |context| context.run_data(language, &data));
            }
            Inside::Text(text) if written => {
                self.path(Kind::ProjectCode, field);
                self.run_inside(&text, language, arguments, field);
            }
            Inside::Text(text) => {
                self.path(Kind::ProjectCode, field);
                self.within_file(paths::file_name(&path), |context| {
                    context.run_inside(&text, language, arguments, field);
                });
            }
            Inside::Partial(text) => {
                self.path(Kind::ProjectCode, field);
                self.make_possible();
                self.run_inside(&text, language, arguments, field);
            }
            unseen => {
                self.path(Kind::ProjectCode, field);
                self.make_possible();
                self.unseen_script(&unseen, &path, language, field);
            }
        }
    }

    /// A script runs of which nothing is seen.
    fn unseen_script(&mut self, inside: &Inside, path: &str, language: Role, field: &Field) {
        match inside {
            Inside::Unread if language == Role::Shell => self.unread(path, field.span),
            Inside::Unread => self.doubt(field.span, "a script that can't be read"),
            Inside::Origin(_) if language == Role::Shell => {
                self.unknown(Unknown::Command, field.span);
                self.annotate("a shell runs a file that this text wrote, and what it holds isn't known");
            }
            Inside::Origin(_) => {
                self.doubt(field.span, "a script that this text wrote, and what it holds isn't known");
            }
            _ => {}
        }
    }

    /// A file that this shell reads as its own text.
    pub(crate) fn run_file_here(&mut self, path: &str, file: &Field) {
        if path == "/etc/os-release" || path == "/etc/environment" {
            return;
        }
        self.path(Kind::ProjectCode, file);
        let environment = path.ends_with("/bin/activate");
        let text = match self.look(path, MAXIMUM_SCRIPT) {
            Inside::Text(text) => text,
            // What makes an environment of its own has its file; one that isn't there yet sets nothing but `PATH`.
            Inside::Missing if environment => return,
            unseen => {
                self.make_possible();
                return self.unseen_script(&unseen, path, Role::Shell, file);
            }
        };
        let run = |context: &mut Self| context.run_text(&text, Mapping::Within(file.span));
        // That such a file puts its directory into `PATH` is what it is for.
        if environment {
            self.within_tool(path, run);
        } else {
            self.within_file(paths::file_name(path), run);
        }
    }

    /// What a file holds in that language happens besides what the call says of itself.
    pub(crate) fn look_into(&mut self, language: Role, file: &Field) {
        if let Some(data) = &file.process {
            return self.run_data(language, &(**data).clone());
        }
        let Some(path) = self.resolve_one(file) else { return };
        let text = self.look(&path, MAXIMUM_SCRIPT).text();
        if let Some(text) = text {
            self.within_file(paths::file_name(&path), |context| {
                context.run_inside(&text, language, &[], file);
            });
        }
    }

    fn run_inside(&mut self, text: &str, language: Role, arguments: &[Field], field: &Field) {
        if language == Role::Shell {
            let positional = arguments.to_vec();
            let whole = Field { offset: None, ..Field::of(text, field.span) };
            self.run_shell_with(&whole, None, &positional);
        } else {
            self.run_code_text(language, text, field);
        }
    }

    /// Runs what a file of the machine holds: what is unknown in it makes the effect of running it (the last one so
    /// far) possible.
    pub(crate) fn within_file(&mut self, name: &str, run: impl FnOnce(&mut Self)) {
        let outer = self.found.effects.len();
        run(self);
        let mut unknown = false;
        let mut index = outer;
        while let Some(effect) = self.found.effects.get_mut(index) {
            if matches!(effect.kind, Kind::Unknown(kind) if kind != Unknown::Unparsed) {
                unknown = true;
                self.found.effects.remove(index);
                continue;
            }
            if effect.note.is_none() {
                effect.note = Some(format!("in {name}"));
            }
            index += 1;
        }
        if unknown && let Some(effect) = outer.checked_sub(1).and_then(|at| self.found.effects.get_mut(at)) {
            effect.certainty = Certainty::Possible;
        }
    }

    /// The last effect depends on something that can't be seen.
    pub(crate) fn make_possible(&mut self) {
        if let Some(effect) = self.found.effects.last_mut() {
            effect.certainty = Certainty::Possible;
        }
    }

    /// Program text in another language.
    pub(crate) fn run_code_text(&mut self, language: Role, text: &str, field: &Field) {
        let language = match language {
            Role::Python => Language::Python,
            Role::JavaScript => Language::Javascript,
            Role::Perl => Language::Perl,
            Role::Ruby => Language::Ruby,
            Role::Php => Language::Php,
            Role::Awk => Language::Awk,
            Role::Sed => Language::Sed,
            Role::Sql => Language::Sql,
            _ => return self.unknown(Unknown::Program, field.span),
        };
        self.run_language(language, text, field);
    }

    /// Is that directory there now?
    pub(crate) fn is_directory(&self, field: &Field) -> bool {
        let path = self.resolve_one(field);
        path.and_then(|path| self.world().entry(&path))
            .is_some_and(|entry| entry.kind == EntryKind::Directory)
    }

    /// The file in the working directory that Python loads under a name before any installed module.
    pub(crate) fn module_beside(&self, name: &str) -> Option<String> {
        let loaded = hookgate_knowledge::shipped().table("libraries/python/loaded");
        let directory = self.directory().filter(|_| !loaded.contains(name))?;
        let paths = [format!("{directory}/{name}.py"), format!("{directory}/{name}/__init__.py")];
        paths.into_iter().find(|path| self.world().entry(path).is_some())
    }

    /// Program text in a language that has no role of its own, too.
    pub(crate) fn run_language(&mut self, language: Language, text: &str, field: &Field) {
        let first = self.found.calls.len();
        self.follow_language(language, text, field);
        if self.found.calls.len() > first {
            agents::told_by_text(self, text, first);
        }
    }

    fn follow_language(&mut self, language: Language, text: &str, field: &Field) {
        let Some(code) = self.code(language, text, field) else { return };
        let picks_processes = || unread::has_part("commands/words/process-lists", text);
        for (name, ..) in &code.imports {
            if let Some(path) = self.module_beside(name) {
                self.named(Kind::ProjectCode, &Field::of(path, field.span));
            }
        }
        let span = |start: usize, end: usize| {
            let place = |at: usize| u32::try_from(at).ok();
            match (field.offset, place(start), place(end)) {
                (Some(offset), Some(start), Some(end)) => hookgate_shell::Span {
                    start: offset.saturating_add(start),
                    end: offset.saturating_add(end),
                },
                _ => field.span,
            }
        };
        // The clients of databases and R expand a tilde themselves.
        let expands = matches!(language, Language::Sql | Language::Statistics);
        // The place of a call that takes a whole directory somewhere else.
        let mut taken: Option<usize> = None;
        // What a call reads or moves, and where that call stands.
        let mut source: Option<(usize, Field)> = None;
        let given = self.words_given(text, &code);
        for (to, name) in &code.links {
            self.follow_link(to, name, field.span);
        }
        for effect in &code.effects {
            let place = span(effect.start, effect.end);
            if self.on_given(text, effect, &given, place) {
                continue;
            }
            if effect.kind == Kind::Kill && effect.target.is_none() && picks_processes() {
                let picked = Target::Unresolved("a process that it picks from all that run".to_owned());
                self.push(Kind::Kill, Some(picked), false, place);
                continue;
            }
            match &effect.target {
                Some(target) if effect.kind.is_about_file() => {
                    let Some(mut target) = self.named_file(target, place, expands) else { continue };
                    if effect.kind == Kind::Write && effect.recursive {
                        brought::unpack_archive(self, source.as_ref().map(|(_, archive)| archive), &target);
                        continue;
                    }
                    let mut recursive = effect.recursive;
                    if matches!(effect.kind, Kind::Move | Kind::Read) && self.is_directory(&target) {
                        taken = Some(effect.start);
                        recursive |= effect.kind == Kind::Move;
                    }
                    let from = source.as_ref().filter(|(start, _)| *start == effect.start);
                    if let Some((_, from)) = from.filter(|_| effect.kind == Kind::Write) {
                        target = self.copied_to(from, target);
                    }
                    if matches!(effect.kind, Kind::Move | Kind::Read) {
                        source = Some((effect.start, target.clone()));
                    }
                    let arrives = effect.kind == Kind::Write && taken == Some(effect.start);
                    self.file_effect(
                        effect.kind,
                        &target,
                        recursive || (arrives && !self.is_directory(&target)),
                    );
                }
                Some(target) if effect.kind.is_about_host() => {
                    self.host(effect.kind, &Field::of(target.clone(), place));
                }
                Some(target) => self.named(effect.kind, &Field::of(target.clone(), place)),
                None if effect.kind.is_about_file() => {
                    let written = text.get(effect.start..effect.end).unwrap_or_default();
                    let computed = Field::computed(shortened(written), place);
                    self.file_effect(effect.kind, &computed, effect.recursive);
                }
                None => self.push(effect.kind, None, effect.recursive, place),
            }
        }
        self.leave_behind(&code, field);
        self.read_by_itself(&code.scripts, field);
        unread::handed(self, &code.handed, field);
        for (shell, start, end) in &code.shell {
            let place = span(*start, *end);
            match shell {
                Some(text) => self.run_piped(language, &languages::shell_field(text, place)),
                None => self.unknown(Unknown::Command, place),
            }
        }
        self.run_on_given(&code.argv, &code.shell, &given, field.span);
        if !code.shell.is_empty() {
            self.doubt(field.span, "program text that hands text to a shell");
        }
        if languages::speaks_of_deleting(text) {
            self.doubt(field.span, "text that names a command which deletes");
        }
        if !code.complete {
            self.unknown(Unknown::Program, field.span);
            self.annotate("program text that can't be followed");
        }
    }

    /// Reads a program's text, if the event may have more read.
    fn code(&mut self, language: Language, text: &str, field: &Field) -> Option<languages::Code> {
        if self.left.read(text.len()) {
            return Some(languages::analyse(language, text));
        }
        self.too_much_code(field.span);
        None
    }

    /// The words that a program's text can get from its call.
    fn words_given(&self, text: &str, code: &languages::Code) -> Vec<Given> {
        let runs = !code.argv.is_empty() || !code.shell.is_empty();
        if !runs && !code.effects.iter().any(computes) {
            return Vec::new();
        }
        let call = self.scope().call.and_then(|at| self.found.calls.get(at));
        given::words(text, call, self.scope(), &self.state, &self.places().home)
    }

    /// Where a function puts a copy of a file that it is given a file or a directory for.
    fn copied_to(&mut self, from: &Field, to: Field) -> Field {
        let to = if self.is_directory(&to) { brought::arriving(self, from, to) } else { to };
        if let (Some(from), Some(to)) = (self.resolve_one(from), self.resolve_one(&to)) {
            self.copies_gate(&Data::File(from), &to);
        }
        to
    }

    /// Where a program's text leaves its client, and what it leaves in files.
    fn leave_behind(&mut self, code: &languages::Code, field: &Field) {
        if let Some(went) = &code.directory {
            // The statements behind these are run there.
            let went = languages::field(went, &self.places().home, field.span);
            self.state.directories = self.resolve(&went).unwrap_or_default();
        }
        for (path, text) in &code.files {
            let data = text.clone().map_or(Data::Unknown, Data::Text);
            let path = languages::field(path, &self.places().home, field.span);
            self.remember(&path, data);
        }
    }

    /// A function of a library makes a link: it stands for what it leads to, whatever happens to it.
    fn follow_link(&mut self, to: &str, name: &str, span: hookgate_shell::Span) {
        let home = self.places().home.clone();
        let [to, name] = [to, name].map(|path| languages::field(path, &home, span));
        let name = if self.is_directory(&name) { brought::arriving(self, &to, name) } else { name };
        if let Some(name) = self.resolve_one(&name)
            && let Some(to) = to.text().and_then(|to| paths::absolute(to, Some(paths::parent(&name))))
        {
            self.copies_gate(&Data::File(to.clone()), &name);
            self.state.links.push((name, to));
        }
    }

    /// An effect is done to the word that its place says by its number. Is it?
    fn on_number(&mut self, text: &str, effect: &CodeEffect, place: hookgate_shell::Span) -> bool {
        let one =
            matches!(effect.kind, Kind::Read | Kind::Write | Kind::Append | Kind::Delete | Kind::Permission);
        let call = self.scope().call.and_then(|at| self.found.calls.get(at));
        let word = (one && effect.target.is_none()).then(|| given::numbered(text, effect, call)).flatten();
        let Some(word) = word else { return false };
        let mut field = Field::of(word, place);
        field.pattern = field.written.contains(['*', '?']);
        self.file_effect(effect.kind, &field, effect.recursive);
        true
    }

    /// An effect is done to a path that the text computes: it may be done to what the text can get. Is all said of it?
    fn on_given(
        &mut self,
        text: &str,
        effect: &CodeEffect,
        given: &[Given],
        place: hookgate_shell::Span,
    ) -> bool {
        if !computes(effect) || self.on_number(text, effect, place) {
            return computes(effect);
        }
        for Given { text, whole } in given::paths(effect.target.as_deref(), given) {
            let below = text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
            let text = match below {
                Some(rest) => format!("{}{rest}", self.places().home),
                None => text,
            };
            let mut field = Field::of(text, place);
            field.pattern = field.written.contains(['*', '?']);
            if self.may_be_meant(&field, whole, effect) {
                self.possibly(|context| context.file_effect(effect.kind, &field, effect.recursive));
                self.annotate("what the text is given may be the path");
            }
        }
        false
    }

    /// Is the word a path that the text can be meant to work on?
    fn may_be_meant(&self, field: &Field, whole: bool, effect: &CodeEffect) -> bool {
        let takes_all = effect.recursive || effect.kind == Kind::Move;
        let kept = KEPT.into_iter().any(|one| self.has_traits(field, one))
            || (whole && takes_all && self.is_guarded_tree(field));
        let path = self.resolve_one(field);
        if kept || !whole {
            return kept && (whole || path.is_none_or(|path| path != self.places().home));
        }
        let Some(path) = path else { return field.pattern };
        // What is done to the files in a directory is not done to it.
        if !takes_all && self.is_directory(field) {
            return false;
        }
        match paths::place_of(&path, self.places()) {
            Place::Project | Place::Temporary => {
                field.written.contains(['/', '.']) || self.world().entry(&path).is_some()
            }
            _ => !field.written.contains("://") && path != "/",
        }
    }

    /// The file that a program's text names. Where nobody expands a tilde, it names none: a directory of that name is next
    /// to never there, and nobody means it.
    fn named_file(&mut self, target: &str, place: hookgate_shell::Span, expands: bool) -> Option<Field> {
        let mut target = languages::field(target, &self.places().home, place);
        target.pattern = target.written.contains(['*', '?']);
        let below = target.text.as_deref().and_then(|text| text.strip_prefix('~'));
        if let Some(rest) = below.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            if !expands {
                self.doubt(place, "a tilde that nobody expands");
                return None;
            }
            target.text = Some(format!("{}{rest}", self.places().home));
        }
        Some(target)
    }

    /// The commands that a program's text runs word by word; on a word that it computes, also with what is guarded and
    /// given to it.
    fn run_on_given(
        &mut self,
        argv: &[Vec<Option<String>>],
        shell: &[(Option<String>, usize, usize)],
        given: &[Given],
        span: hookgate_shell::Span,
    ) {
        self.run_argv(argv, span);
        let is_kept = |given: &&Given| {
            let field = Field::of(given.text.clone(), span);
            given.whole
                && (self.is_guarded_tree(&field) || KEPT.into_iter().any(|one| self.has_traits(&field, one)))
        };
        let kept: Vec<String> =
            given.iter().filter(is_kept).map(|given| given.text.clone()).take(8).collect();
        for word in &kept {
            for words in argv.iter().filter(|words| words.iter().any(Option::is_none)) {
                let filled = |part: &Option<String>| part.clone().unwrap_or_else(|| word.clone());
                let fields: Vec<Field> = words.iter().map(|part| Field::of(filled(part), span)).collect();
                self.possibly(|context| context.run_command(&fields));
            }
            for text in shell.iter().filter_map(|(text, ..)| text.as_deref()) {
                for filled in languages::filled(text, word) {
                    self.possibly(|context| context.run_shell(&languages::shell_field(&filled, span)));
                }
            }
        }
    }

    /// The commands that a program's text runs word by word.
    fn run_argv(&mut self, argv: &[Vec<Option<String>>], span: hookgate_shell::Span) {
        for words in argv {
            let fields: Vec<Field> = words
                .iter()
                .map(|word| match word {
                    Some(text) => languages::field(text, &self.places().home, span),
                    None => Field::computed("...", span),
                })
                .collect();
            self.run_command(&fields);
        }
    }
}

/// Is it done to a path that the text computes, all of it or a part?
fn computes(effect: &CodeEffect) -> bool {
    effect.kind.is_about_file() && effect.target.as_deref().is_none_or(|target| languages::holes(target) > 0)
}

/// As much of a computed argument as anybody reads.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_ARGUMENT) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The language that a program's scripts are in.
pub(crate) fn language_of_program(program: &str) -> Option<Role> {
    knowledge::facet(program, Facet::Scripts).and_then(Role::from_name)
}

/// Is it the name of a program that stands in a project under its own name?
fn is_wrapper(path: &str) -> bool {
    knowledge::is_listed("commands/scripts/wrappers", paths::file_name(path))
}

/// The language that the ending of a script's name says.
fn language_of_name(path: &str) -> Option<Role> {
    let (_, ending) = path.rsplit_once('.')?;
    knowledge::shipped().table("commands/scripts/endings").find(ending)?.cell(0).and_then(Role::from_name)
}

/// The language of a script that runs as a program: by its first line, else a shell's where the text looks like one.
fn shebang(text: &str, path: &str) -> Option<Role> {
    let first = text.lines().next().unwrap_or_default();
    if let Some(line) = first.strip_prefix("#!") {
        let mut words = line.split_whitespace().map(paths::file_name);
        let mut program = words.next().unwrap_or_default();
        if program == "env" {
            program = words.find(|word| !word.starts_with('-')).unwrap_or_default();
        }
        return language_of_program(program);
    }
    match language_of_name(path) {
        Some(language) if language != Role::Shell => Some(language),
        // A program without a first line of its own is run by the shell.
        _ => (!text.contains('\0')).then_some(Role::Shell),
    }
}

/// What a script's or target's name says about running it.
pub(crate) fn kind_by_name(name: &str) -> Kind {
    let first = name.split([':', '-', '_', '.', '/']).next().unwrap_or(name);
    let row = knowledge::shipped().table("commands/scripts/names").find(first);
    row.and_then(|row| row.cell(0)).and_then(Kind::from_name).unwrap_or(Kind::ProjectCode)
}
