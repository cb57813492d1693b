//! What the interpreter and the handlers work on: the effects so far, the state of the text, the machine.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::adrift;
use crate::bounds::{Left, MAXIMUM_EFFECTS, MAXIMUM_VARIABLES};
use crate::composed::Pieces;
use crate::effect::{Certainty, Effect, Effects, Kind, Manner, PathFact, Place, Target, Traits, Unknown};
use crate::field::{Data, Field};
use crate::hosts::{host_name, host_of_part, known_host};
use crate::knowledge::{self, Facet};
use crate::paths::{self, Spelling};
use crate::run::Run;
use crate::scope::{Deferred, Scope};
use crate::state::{PLAIN_WORD, State};
use crate::world::{EntryKind, Places, World};
use hookgate_shell::Span;

/// The last one says that there are more.
const LAST_EFFECT: usize = MAXIMUM_EFFECTS - 1;

/// The largest file that output is remembered on top of.
const MAXIMUM_APPENDED: usize = 64 * 1024;

/// One analysis.
pub(crate) struct Context<'w> {
    places: &'w Places,
    world: &'w dyn World,
    interpreter: &'static dyn Run,
    /// What was found.
    pub(crate) found: Effects,
    /// What earlier commands of the text changed.
    pub(crate) state: State,
    scope: Scope,
    /// What may still be done.
    pub(crate) left: Left,
    /// What the text has got ready to be unpacked or checked out.
    pub(crate) ready: Ready,
    /// What the current call prints.
    pub(crate) printed: Data,
    /// What has been printed so far to where standard output goes.
    pub(crate) sink: Data,
    /// What has been printed to descriptors that stand for a standard output around this one (`2>&1`, `3>&1`).
    pub(crate) aside: Data,
    /// Variables of the call that is being run, and of those around it, that only count where they reach a program.
    pub(crate) deferred: Vec<Deferred>,
    /// The secrets in the words that are put together of pieces.
    pub(crate) pieces: RefCell<Pieces>,
    /// How many effects the machine has been told of.
    noted: usize,
}

/// What a text has packed or fetched: it is found where something comes out that can't be listed. Which course of the text it
/// was on doesn't matter.
#[derive(Default)]
pub(crate) struct Ready {
    /// The names in archives of those files that guards may be about.
    pub(crate) packed: Vec<String>,
    /// The archives that were packed tighter, or unpacked to others, absolute.
    pub(crate) archives: Vec<String>,
    /// The repositories and branches that git has fetched.
    pub(crate) fetched: Vec<(String, String)>,
    /// The remotes that git was told of, and where they are.
    pub(crate) remotes: Vec<(String, String)>,
    /// The names that git was told to make for commits; of the commit, `None` where it is computed.
    pub(crate) names: Vec<(String, Option<String>)>,
    /// The guarded files that git has put into its index otherwise than they were, absolute.
    pub(crate) staged: Vec<String>,
    /// The commits that git was told to print the changes of, `None` where that is computed; with `true` what it changes
    /// itself, else all in which it differs from the one that is checked out.
    pub(crate) shown: Vec<(bool, Option<String>)>,
    /// The folders that git was told to fill, absolute, and with what.
    pub(crate) trees: Vec<(String, Filling)>,
}

/// What git fills a folder with.
#[derive(PartialEq)]
pub(crate) enum Filling {
    /// That commit.
    Commit(String),
    /// That branch of another repository; an empty name is the usual one.
    Branch(String, String),
    /// Whatever lies in a file.
    Bundle,
}

impl Ready {
    /// How many of each are kept.
    const MOST: usize = 256;

    /// The name under which it is kept that names are made which nobody can tell.
    pub(crate) const ANY_NAME: &'static str = "*";

    /// The commits that the text has given that name to, `None` where it is computed; of a name that nobody else knows, `new`,
    /// those as well that the text doesn't tell.
    pub(crate) fn told(&self, name: &str, new: bool) -> Vec<Option<String>> {
        let meant = |made: &str| made == name || (new && made == Ready::ANY_NAME);
        self.names.iter().filter(|(made, _)| meant(made)).map(|(_, commit)| commit.clone()).collect()
    }

    /// Keeps one more of a kind.
    pub(crate) fn keep<T: PartialEq>(kept: &mut Vec<T>, one: T) {
        if kept.len() < Ready::MOST && !kept.contains(&one) {
            kept.push(one);
        }
    }
}

impl<'w> Context<'w> {
    /// An analysis that has seen nothing.
    pub(crate) fn new(
        places: &'w Places,
        world: &'w dyn World,
        interpreter: &'static dyn Run,
    ) -> Context<'w> {
        Context {
            places,
            world,
            interpreter,
            found: Effects::default(),
            state: State::new(places),
            scope: Scope::whole(),
            left: Left::whole(),
            ready: Ready::default(),
            printed: Data::Unknown,
            sink: Data::Nothing,
            aside: Data::Nothing,
            deferred: Vec::new(),
            pieces: RefCell::default(),
            noted: 0,
        }
    }

    /// Where this is.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Runs something in a scope that differs from this one in what `change` says. Behind it this one holds again.
    pub(crate) fn within<T>(
        &mut self,
        change: impl FnOnce(&mut Scope),
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let outer = self.scope.clone();
        change(&mut self.scope);
        let result = run(self);
        self.scope = outer;
        result
    }

    /// Runs something that is the shell's own doing, not that of a call that carries the text.
    pub(crate) fn without_call<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let call = self.scope.call.take();
        let result = run(self);
        self.scope.call = call;
        result
    }

    /// To the end of this scope, that is on standard input.
    pub(crate) fn feed(&mut self, data: Data) {
        self.scope.input = Rc::new(data);
    }

    /// To the end of this scope, standard error goes where standard output goes, or elsewhere.
    pub(crate) fn join_errors(&mut self, join: bool) {
        self.scope.errors_join = join;
        self.scope.joins_here |= join;
    }

    /// The same by `exec 2>&1`, which whoever reads the standard output around it gets to see.
    pub(crate) fn errors_join_from_here(&mut self, join: bool) {
        self.scope.errors_join = join;
    }

    /// Another descriptor stands for standard output, by the redirections that are applied.
    pub(crate) fn joins_here(&mut self) {
        self.scope.joins_here = true;
    }

    /// To the end of this scope, effects are those of the call noted last.
    pub(crate) fn enter_call(&mut self, span: Span) {
        self.scope.call = self.found.calls.len().checked_sub(1);
        self.scope.span = span;
    }

    /// To the end of this scope, calls have that variable. Each call keeps all of them, so that there can't be very many.
    pub(crate) fn give_variable(&mut self, name: &str, value: Option<String>) {
        if self.scope.environment.len() >= MAXIMUM_VARIABLES {
            self.unknown(Unknown::Unparsed, self.scope.span);
            return self.annotate("sets more variables than can be followed");
        }
        Arc::make_mut(&mut self.scope.environment).push((name.to_owned(), value));
    }

    /// The machine.
    pub(crate) fn world(&self) -> &'w dyn World {
        self.world
    }

    /// What runs the texts and commands that a call carries.
    pub(crate) fn interpreter(&self) -> &'static dyn Run {
        self.interpreter
    }

    /// The places that paths are judged against.
    pub(crate) fn places(&self) -> &'w Places {
        self.places
    }

    /// The working directory, where exactly one is possible.
    pub(crate) fn directory(&self) -> Option<&str> {
        match self.state.directories.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// What is on the call's standard input.
    pub(crate) fn input(&self) -> &Data {
        &self.scope.input
    }

    /// Says what the call prints.
    pub(crate) fn print(&mut self, data: Data) {
        self.printed = data;
    }

    /// What was found so far stands, whatever becomes of the rest. What is only tried out counts for nothing yet.
    pub(crate) fn note_found(&mut self) {
        let known = self.found.effects.len();
        if known > self.noted && !self.scope.fragment {
            self.world.note_found(&self.found, self.noted);
            self.noted = known;
        }
    }

    /// Something happens that has no target.
    pub(crate) fn effect(&mut self, kind: Kind) {
        self.push(kind, None, false, self.scope.span);
    }

    /// Something happens to that target.
    pub(crate) fn effect_on(&mut self, kind: Kind, target: Target) {
        self.push(kind, Some(target), false, self.scope.span);
    }

    /// The effects that were found so far.
    pub(crate) fn found_so_far(&self) -> impl Iterator<Item = &Effect> {
        self.found.effects.iter()
    }

    /// Says more about the last effect, for messages.
    pub(crate) fn annotate(&mut self, note: impl Into<String>) {
        if let Some(effect) = self.found.effects.last_mut() {
            effect.note = Some(note.into());
        }
    }

    /// Says how the last effect happens.
    pub(crate) fn happens(&mut self, manner: Manner) {
        if let Some(effect) = self.found.effects.last_mut() {
            effect.manner = effect.manner.and(manner);
        }
    }

    /// A file effect on the path in a field.
    pub(crate) fn path(&mut self, kind: Kind, field: &Field) {
        self.file_effect(kind, field, false);
    }

    /// A file effect on the path in a field and everything below it.
    pub(crate) fn tree(&mut self, kind: Kind, field: &Field) {
        self.file_effect(kind, field, true);
    }

    /// A file effect on a path that no field holds: relative to the working directory, no `~`.
    pub(crate) fn path_text(&mut self, kind: Kind, path: &str, recursive: bool) {
        let mut field = Field::of(path, self.scope.span);
        field.pattern = path.contains(['*', '?']);
        self.file_effect(kind, &field, recursive);
    }

    /// What the name in the field would be in the project or at home, where its directory isn't known and something guarded has that name.
    pub(crate) fn guarded_elsewhere(&self, field: &Field, tree: bool) -> Option<PathFact> {
        let nowhere = self.state.directories.is_empty();
        adrift::guarded(field, nowhere, tree, self.places, self.world, &self.state.links)
    }

    /// Does the path in the field belong to the gate, or to what an agent obeys or loads?
    pub(crate) fn is_guarded(&self, field: &Field) -> bool {
        let guarded = [Traits::GATE, Traits::AGENT_SETTINGS, Traits::AGENT_LOADS];
        let spelling = Spelling::of(field.pattern, false);
        let paths = self.resolve(field).unwrap_or_else(|| {
            self.guarded_elsewhere(field, false).map(|fact| fact.path).into_iter().collect()
        });
        paths.into_iter().any(|path| {
            let fact = paths::fact(path, spelling, self.places, self.world, &self.state.links);
            guarded.into_iter().any(|one| fact.traits.contains(one))
                || self.places.gate.iter().chain(&self.places.agent_settings).any(|kept| *kept == fact.path)
        })
    }

    /// Does the field name a file that is there, in the project?
    pub(crate) fn is_file_of_project(&self, field: &Field) -> bool {
        let path = self.resolve_one(field).filter(|_| !self.world.assume_present());
        path.is_some_and(|path| {
            paths::place_of(&path, self.places) == Place::Project
                && self.world.entry(&path).is_some_and(|entry| entry.kind == EntryKind::File)
        })
    }

    /// Does the path in the field have these traits?
    pub(crate) fn has_traits(&self, field: &Field, traits: Traits) -> bool {
        let spelling = Spelling::of(field.pattern, field.literal);
        let paths = self.resolve(field).unwrap_or_else(|| {
            self.guarded_elsewhere(field, false).map(|fact| fact.path).into_iter().collect()
        });
        paths.into_iter().any(|path| {
            paths::fact(path, spelling, self.places, self.world, &self.state.links).traits.contains(traits)
        })
    }

    /// Does the directory in the field hold what belongs to the gate, or what an agent obeys or loads?
    pub(crate) fn is_guarded_tree(&self, field: &Field) -> bool {
        let guarded = [Traits::GATE, Traits::AGENT_SETTINGS, Traits::AGENT_LOADS];
        let paths = self.resolve(field).unwrap_or_else(|| {
            self.guarded_elsewhere(field, true).map(|fact| fact.path).into_iter().collect()
        });
        paths
            .into_iter()
            .map(|path| paths::tree_traits(&path, self.places))
            .any(|traits| guarded.into_iter().any(|one| traits.contains(one)))
    }

    /// A file effect.
    pub(crate) fn file_effect(&mut self, kind: Kind, field: &Field, recursive: bool) {
        if field.process.is_some()
            || (field.is("-") && matches!(kind, Kind::Read | Kind::Write | Kind::Append))
            // The system finds no file by an empty name (POSIX, 4.13 Pathname Resolution): `rm -rf "$1"`.
            || (field.is("") && !matches!(kind, Kind::Read))
        {
            return;
        }
        self.effects_where_it_stayed(kind, field, recursive);
        if kind == Kind::Read && recursive {
            self.reads_through_links(field);
        }
        if let Some(field) = self.as_the_system_goes(field) {
            // Programs differ: a shell goes up from where a link leads, others from the link.
            self.possibly(|context| context.file_effect(kind, &field, recursive));
        }
        let Some(paths) = self.resolve(field) else {
            if self.lies_somewhere_known(field) {
                // It is judged by where it lies, and never granted.
                let (text, shape) = (Some(field.shape.clone()), String::new());
                let known = Field { text, shape, pattern: true, ..field.clone() };
                self.possibly(|context| context.file_effect(kind, &known, recursive));
                return self.doubt(field.span, "the rest of the path is computed");
            }
            if let Some(fact) =
                self.guarded_elsewhere(field, recursive || matches!(kind, Kind::Delete | Kind::Move))
            {
                self.possibly(|context| context.push(kind, Some(Target::Path(fact)), recursive, field.span));
            }
            self.push(kind, Some(Target::Unresolved(field.written.clone())), recursive, field.span);
            // A path whose variable may not be assigned is another path than the one that was meant.
            let astray = field.source == Data::Unassigned && matches!(kind, Kind::Write | Kind::Append);
            if is_harmful(kind) || astray {
                self.unknown_about(
                    Unknown::Target,
                    Some(Target::Unresolved(field.written.clone())),
                    field.span,
                );
            }
            return;
        };
        if kind == Kind::Link {
            self.link_brings(field, &paths);
        }
        let gentle = matches!(kind, Kind::Write | Kind::Append | Kind::Link | Kind::Permission);
        if gentle && adrift::is_doubtful(field) {
            let inside = |path: &String| paths::place_of(path, self.places) <= Place::Project;
            if paths.iter().any(inside) {
                self.doubt(field.span, "part of the path depends on what can't be seen");
            }
        }
        self.forget_what_is_written(kind, &paths, field.pattern, recursive);
        let several = paths.len() > 1;
        let literal = field.literal && self.takes_paths_as_they_are();
        for path in paths {
            let whole = !field.written.ends_with('/');
            let links = self.state.links_followed(kind, &path, whole);
            let mut fact =
                paths::fact(path, Spelling::of(field.pattern, literal), self.places, self.world, &links);
            if fact.place == Place::Null {
                continue;
            }
            if matches!(kind, Kind::Permission | Kind::Ownership)
                && paths::is_absolute_program_directory(&fact.path, self.places)
            {
                fact.traits = fact.traits.union(Traits::PROGRAMS);
            }
            if recursive || matches!(kind, Kind::Delete | Kind::Move) {
                fact.traits = fact.traits.union(paths::tree_traits(&fact.path, self.places));
            }
            let recursive = recursive && !self.is_one_file(kind, &fact);
            if several {
                self.possibly(|context| context.push(kind, Some(Target::Path(fact)), recursive, field.span));
            } else {
                self.push(kind, Some(Target::Path(fact)), recursive, field.span);
            }
        }
    }

    /// A folder is read with all that is in it: so may be what the links in it lead to that the text made.
    fn reads_through_links(&mut self, folder: &Field) {
        for link in self.links_below(folder) {
            if self.has_traits(&link, Traits::SECRET) {
                self.possibly(|context| context.file_effect(Kind::Read, &link, false));
            }
        }
    }

    /// The links below a folder that the text made, as names of it: where a search that follows links goes as well.
    pub(crate) fn links_below(&self, folder: &Field) -> Vec<Field> {
        if self.state.links.is_empty() {
            return Vec::new();
        }
        let folders = self.resolve(folder).unwrap_or_default();
        let links = self.state.links_below(&folders);
        links.map(|link| Field { pattern: link.contains('*'), ..Field::of(link, folder.span) }).collect()
    }

    /// Behind a `cd` that may have failed, what is changed may lie where the shell was.
    fn effects_where_it_stayed(&mut self, kind: Kind, field: &Field, recursive: bool) {
        let relative = field.text().is_some_and(|text| !text.starts_with('/'));
        if self.state.stayed.is_empty() || !relative || kind == Kind::Read {
            return;
        }
        let stayed = std::mem::take(&mut self.state.stayed);
        let moved = std::mem::replace(&mut self.state.directories, stayed.clone());
        self.possibly(|context| context.file_effect(kind, field, recursive));
        self.state.directories = moved;
        self.state.stayed = stayed;
    }

    /// The path where the system goes up from what a link leads to (`link/../x`), if that is another one than by its name.
    fn as_the_system_goes(&self, field: &Field) -> Option<Field> {
        let text = field.text().filter(|text| text.contains(".."))?;
        let directory = self.directory().filter(|_| !text.starts_with('/'));
        let mut path = directory.unwrap_or_default().to_owned();
        let mut is_other = false;
        for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part != ".." {
                path = format!("{path}/{part}");
                continue;
            }
            let made = self.state.links.iter().rev().find(|(link, _)| *link == path);
            let real = made.map(|(_, target)| target.clone()).or_else(|| self.world.resolve(&path));
            if let Some(real) = real.filter(|real| *real != path) {
                is_other = true;
                path = real;
            }
            path.truncate(path.rfind('/').unwrap_or(0));
        }
        let text = Some(path.clone());
        is_other.then(|| Field { text, shape: path.clone(), written: path, ..field.clone() })
    }

    /// A link in the place of a folder of guarded files brings whatever lies where it leads. In a folder that is there it gets a
    /// name of its own.
    fn link_brings(&mut self, field: &Field, paths: &[String]) {
        let is_new = |path: &String| {
            let places = self.places;
            *path != places.project
                && *path != places.home
                && !self.world.entry(path).is_some_and(|entry| entry.kind == EntryKind::Directory)
        };
        if paths.iter().any(is_new) && self.is_guarded_tree(field) {
            self.file_effect(Kind::Write, field, true);
        }
    }

    /// A file is left with nothing in it. In the project and in temporary directories that is how a file is begun again;
    /// elsewhere, where one is there, what it held is gone.
    pub(crate) fn emptied(&mut self, field: &Field) {
        let there = |path: &String| {
            let place = paths::place_of(path, self.places);
            matches!(place, Place::Home | Place::Elsewhere | Place::System)
                && (self.world.assume_present() || self.world.entry(path).is_some())
        };
        if self.resolve(field).is_some_and(|paths| paths.iter().any(there)) {
            self.path(Kind::Destroy, field);
        }
    }

    /// What a call writes is no longer what was remembered of the file; the call itself may say what it is.
    fn forget_what_is_written(&mut self, kind: Kind, written: &[String], pattern: bool, recursive: bool) {
        let Some(call) = self.scope.call.filter(|_| matches!(kind, Kind::Write | Kind::Append)) else {
            return;
        };
        for path in written {
            self.state.forget_files(call, |known| {
                // An archive from the network stays one where it is unpacked.
                let around = recursive && !matches!(known.data, Data::Network(_));
                known.path == *path
                    || (around && paths::is_within(&known.path, path))
                    || (pattern && paths::glob_matches(path, &known.path))
            });
            let by_this_call = self.state.written().iter().any(|file| file.path == *path);
            if !pattern && !by_this_call {
                self.state.remember(path.clone(), Data::Unknown, Some(call));
            }
        }
    }

    /// Is it a plain file of the project that is deleted? There is nothing below it.
    fn is_one_file(&self, kind: Kind, fact: &PathFact) -> bool {
        kind == Kind::Delete
            && fact.place == Place::Project
            && !fact.pattern
            && self.world.entry(&fact.path).is_some_and(|entry| entry.kind == EntryKind::File)
    }

    /// Does the program of the call open a path as it gets it, or the shell itself, where there is no call? Others
    /// (git, unzip, those of Windows) expand globs that the shell has left to them.
    fn takes_paths_as_they_are(&self) -> bool {
        let call = self.scope.call.and_then(|index| self.found.calls.get(index));
        call.is_none_or(|call| knowledge::has_facet(&call.program, Facet::Globs))
    }

    /// Is only a later part of a path computed? Not where that may be a whole root, or nothing at all.
    fn lies_somewhere_known(&self, field: &Field) -> bool {
        let known = field.shape.find('*').and_then(|star| field.shape.split_at_checked(star));
        let Some((directory, name)) = known.and_then(|(known, _)| known.rsplit_once('/')) else {
            return false;
        };
        let directory = Field::of(format!("{directory}/"), field.span);
        let Some(directory) = self.resolve_one(&directory) else { return false };
        let above = paths::fact(directory, Spelling::Plain, self.places, self.world, &self.state.links);
        let root = above.traits.contains(Traits::ROOT) || self.places.temporary.contains(&above.path);
        let whole = root && (name.is_empty() || above.path == "/");
        !whole && field.source != Data::Unassigned
    }

    /// Something happens to what the field names.
    pub(crate) fn named(&mut self, kind: Kind, field: &Field) {
        let target = match field.text() {
            Some(text) if !text.contains(PLAIN_WORD) => Target::Name(text.to_owned()),
            _ => Target::Unresolved(shown(&field.written).into_owned()),
        };
        self.push(kind, Some(target), false, field.span);
        if matches!(kind, Kind::Install | Kind::InstallGlobal)
            && let Some(host) = crate::calls::leaving::address(field)
        {
            // Not from a registry: what it holds runs as soon as it is there.
            self.push(Kind::RemoteCode, Some(Target::Host(host.to_owned())), false, field.span);
        }
    }

    /// Something happens at the host that a field names: as URL, `user@host:path`, `host:port` or plain.
    pub(crate) fn host(&mut self, kind: Kind, field: &Field) {
        let written = shown(&field.written);
        let text = field.text().filter(|text| !host_of_part(text));
        let host = text.map(host_name).or_else(|| known_host(&written));
        let target = match host {
            Some(host) => Target::Host(host.to_owned()),
            None => Target::Unresolved(written.to_string()),
        };
        if kind == Kind::Download
            && host.is_some_and(|host| knowledge::is_listed("commands/places/instance-metadata", host))
        {
            self.push(Kind::SecretRead, Some(target.clone()), false, field.span);
            self.annotate("the address at which a cloud hands out the machine's own credentials");
        }
        self.push(kind, Some(target), false, field.span);
    }

    /// Something can't be decided.
    pub(crate) fn unknown(&mut self, what: Unknown, span: Span) {
        self.unknown_about(what, None, span);
    }

    /// Something about a target can't be decided.
    pub(crate) fn unknown_about(&mut self, what: Unknown, target: Option<Target>, span: Span) {
        self.push(Kind::Unknown(what), target, false, span);
    }

    /// Nothing says that the call does harm, but what it does is not certain either: it is never granted.
    pub(crate) fn doubt(&mut self, span: Span, why: &'static str) {
        self.unknown(Unknown::Program, span);
        self.annotate(why);
    }

    /// The effects of what is run here are possible, not certain.
    pub(crate) fn possibly(&mut self, run: impl FnOnce(&mut Self)) {
        self.within(|scope| scope.certainty = Certainty::Possible, run);
    }

    /// Runs something as if the working directory were the one in the field.
    pub(crate) fn in_directory(&mut self, field: &Field, run: impl FnOnce(&mut Self)) {
        let directories = self.resolve(field).unwrap_or_default();
        let before = std::mem::replace(&mut self.state.directories, directories);
        run(self);
        self.state.directories = before;
    }

    /// The absolute paths that the field can mean; `None` where that is computed. Several where the working directory
    /// is one of several.
    pub(crate) fn resolve(&self, field: &Field) -> Option<Vec<String>> {
        let text = field.text()?;
        if text.starts_with('/') {
            let opened = |number| self.state.directory_at(number, &self.scope.input);
            return match adrift::through_descriptor(text, opened) {
                Some(path) => Some(vec![path?]),
                None => Some(vec![paths::normalise(text)]),
            };
        }
        let found: Option<Vec<String>> =
            self.state.directories.iter().map(|directory| paths::absolute(text, Some(directory))).collect();
        found.filter(|found| !found.is_empty())
    }

    /// The one absolute path that the field can mean.
    pub(crate) fn resolve_one(&self, field: &Field) -> Option<String> {
        match self.resolve(field)?.as_slice() {
            [one] if !field.pattern => Some(one.clone()),
            _ => None,
        }
    }

    /// Under what path the content of a file is remembered: its own, or for a new file of a name that isn't known
    /// (`mktemp`) the pattern of that name.
    pub(crate) fn file_key(&self, field: &Field) -> Option<String> {
        match self.resolve(field)?.as_slice() {
            [one] if !field.pattern || !field.names => Some(one.clone()),
            _ => None,
        }
    }

    /// A file has this content from here on.
    pub(crate) fn remember(&mut self, field: &Field, data: Data) {
        let Some(path) = self.file_key(field) else { return };
        self.copies_gate(&data, &path);
        // Several new files are called alike here: which of them is meant isn't known.
        let other = field.pattern && self.state.remembered(&path).is_some_and(|known| *known != data);
        self.state.remember(path, if other { Data::Unknown } else { data }, self.scope.call);
    }

    /// A copy of the gate's binary, or a link to it, is the gate under a name that no rule knows.
    pub(crate) fn copies_gate(&mut self, data: &Data, to: &str) {
        let Data::File(from) = data else { return };
        let real = self.world.resolve(from);
        let entry = self.world.entry(from);
        // `$(which hookgate)` is a name here. There is no file of the name in the directory then.
        let is_named = entry.is_none() && knowledge::acts_as(paths::file_name(from), "gate");
        let is_gate = self.places.gate.iter().any(|gate| gate == from || Some(gate) == real.as_ref());
        let is_file = entry.is_some_and(|entry| entry.kind != EntryKind::Directory);
        if (is_named || (is_gate && is_file)) && from != to && to != "/dev/null" {
            self.effect_on(Kind::Gate, Target::Name("hookgate".to_owned()));
            self.annotate("another name for hookgate's program");
        }
    }

    /// What is known about the content of the file at an absolute path: what the text wrote into it, else that it is
    /// that file.
    pub(crate) fn content(&self, path: &str) -> Data {
        if path == "/dev/null" {
            return Data::Text(String::new());
        }
        let known = self.state.remembered(path).or_else(|| self.brought_to(path));
        known.cloned().unwrap_or_else(|| Data::File(path.to_owned()))
    }

    /// Where a file comes from that lies below what the network brought, and was not there before.
    pub(crate) fn brought_to(&self, path: &str) -> Option<&Data> {
        let brought = |known: &&crate::state::Written| {
            known.path.strip_suffix("/**").is_some_and(|tree| paths::is_within(path, tree))
        };
        let found = self.state.written().iter().rev().find(brought)?;
        self.world.entry(path).is_none().then_some(&found.data)
    }

    /// What a file holds after this was added to it.
    pub(crate) fn appended(&mut self, field: &Field, data: Data) -> Data {
        let Some(path) = self.resolve_one(field) else { return data };
        self.pieces.get_mut().read_a_file();
        match self.content(&path) {
            Data::File(path) => match self.world().read(&path, MAXIMUM_APPENDED) {
                Some(bytes) => match String::from_utf8(bytes) {
                    Ok(text) => Data::Text(text).followed_by(data),
                    Err(_) => Data::Unknown,
                },
                None if self.world().entry(&path).is_some() => Data::Unknown,
                None => data,
            },
            known => known.followed_by(data),
        }
    }

    /// A variable of the shell or of the environment.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        match self.state.variable(name) {
            Some(variable) => variable.text().map(str::to_owned),
            None => self.environment(name),
        }
    }

    /// What the text sets the variable to, before the call or earlier: `None` where it doesn't, or to what is computed.
    pub(crate) fn variable_of_call(&self, name: &str) -> Option<Option<String>> {
        let of_call = self.scope.environment.iter().rev().find(|(known, _)| known == name);
        let of_text = || self.state.variable(name).map(|variable| variable.text().map(str::to_owned));
        of_call.map(|(_, value)| value.clone()).or_else(of_text)
    }

    /// A variable that is the same for everybody who judges: where things lie, not what the machine happens to hold.
    pub(crate) fn environment(&self, name: &str) -> Option<String> {
        Some(match name {
            "HOME" => self.places.home.clone(),
            "PWD" => self.directory()?.to_owned(),
            "USER" | "LOGNAME" => paths::file_name(&self.places.home).to_owned(),
            "TMPDIR" => self.world.variable(name).unwrap_or_else(|| "/tmp".to_owned()),
            "CLAUDE_PROJECT_DIR" => self.places.project.clone(),
            "SHELL" => "/bin/bash".to_owned(),
            "XDG_CONFIG_HOME" => {
                self.world.variable(name).unwrap_or_else(|| format!("{}/.config", self.places.home))
            }
            "XDG_DATA_HOME" => {
                self.world.variable(name).unwrap_or_else(|| format!("{}/.local/share", self.places.home))
            }
            "XDG_STATE_HOME" => {
                self.world.variable(name).unwrap_or_else(|| format!("{}/.local/state", self.places.home))
            }
            "XDG_CACHE_HOME" => {
                self.world.variable(name).unwrap_or_else(|| format!("{}/.cache", self.places.home))
            }
            "CARGO_HOME" => {
                self.world.variable(name).unwrap_or_else(|| format!("{}/.cargo", self.places.home))
            }
            _ => return None,
        })
    }

    /// Notes an effect, unless it is there already.
    pub(crate) fn push(&mut self, kind: Kind, target: Option<Target>, recursive: bool, span: Span) {
        let effect = Effect {
            kind,
            target,
            recursive,
            certainty: self.scope.certainty,
            span,
            call: self.scope.call,
            note: None,
            manner: Manner::default(),
        };
        let same = |other: &&mut Effect| {
            other.kind == effect.kind
                && other.call == effect.call
                && other.target == effect.target
                && other.recursive == effect.recursive
        };
        if let Some(other) = self.found.effects.iter_mut().rev().take(8).find(same) {
            other.certainty = other.certainty.max(effect.certainty);
            return;
        }
        match self.found.effects.len() {
            MAXIMUM_EFFECTS.. if !self.left.keeps(&effect) => {}
            // What does not fit any more is never nothing, and takes no other's place.
            LAST_EFFECT => {
                let kind = Kind::Unknown(Unknown::Unparsed);
                self.found.effects.push(Effect { kind, target: None, recursive: false, ..effect });
            }
            _ => self.found.effects.push(effect),
        }
    }
}

/// Does what can't be undone hang on the target?
pub(crate) fn is_harmful(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Delete
            | Kind::Move
            | Kind::Destroy
            | Kind::Permission
            | Kind::Ownership
            | Kind::Device
            | Kind::Link
    )
}

/// A word as a person is shown it: parts of which only the kind is known are stars.
fn shown(written: &str) -> Cow<'_, str> {
    if written.contains(PLAIN_WORD) { written.replace(PLAIN_WORD, "*").into() } else { written.into() }
}
