//! The real machine.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hookgate_agents::HookOutput;
use hookgate_effects::{Effects, EntryKind, Places, Step, World};
use hookgate_engine::{
    Count, GitQuestion, Grant, GrantUse, Halt, Host, Memory, Pause, ProgramCall, ProgramFile, ProgramOutcome,
};
use hookgate_knowledge::Knowledge;
use hookgate_policy::{ExceptionLimits, SupervisedHook};
use hookgate_rules::own::Branch;
use hookgate_rules::{Addition, Repositories};
use hookgate_session::{Entry, Neighbour, Record, Tail, Trace};

use crate::{Overrides, git, read_regular};
use hookgate_clients::{Client, Scope, Source};

use crate::links::Links;
use crate::locate::{Directories, settings_files, trust_file};

/// Settings larger than this are not read: nobody writes them.
const LARGEST_SETTINGS: usize = 4 << 20;
/// How many records of installations are looked at.
const MOST_RECORDS: usize = 64;

/// The client keeps much more in that file than what it trusts.
const LARGEST_TRUST_FILE: usize = 16 << 20;

/// The longest path of a system, in bytes.
const LONGEST_PATH: usize = 4096;

/// What hookgate runs because of an event, under the event's deadline.
pub trait Runner {
    /// Runs hook programs on the event in hand. One output per hook, in their order, and in time.
    fn hooks(&self, hooks: &[&SupervisedHook]) -> Vec<HookOutput>;
    /// Runs other programs. One outcome per program, in their order, and in time.
    fn programs(&self, programs: &[ProgramCall]) -> Vec<ProgramOutcome>;
    /// The time that is left.
    fn left(&self) -> Duration;
}

/// The machine that hookgate runs on.
#[derive(Clone)]
pub struct Machine {
    directories: Directories,
    isolated: bool,
    /// Settings files that were named for this look, absolute.
    settings: Vec<PathBuf>,
    runner: Option<Rc<dyn Runner>>,
    /// Keeps what was found so far: see [`World::note_found`].
    listener: Option<fn(&Effects, usize)>,
    /// What a person's own files say of programs, compiled.
    knowledge: Option<Rc<[u8]>>,
    /// The branch that is taken to be checked out.
    branch: Option<String>,
    /// Variables that are taken to be set.
    variables: Vec<(String, String)>,
    links: Links,
}

impl fmt::Debug for Machine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = formatter.debug_struct("Machine");
        out.field("directories", &self.directories).field("isolated", &self.isolated).finish_non_exhaustive()
    }
}

impl Machine {
    /// The machine with these directories of hookgate.
    #[must_use]
    pub fn new(directories: Directories) -> Machine {
        Machine {
            directories,
            isolated: false,
            settings: Vec::new(),
            runner: None,
            listener: None,
            knowledge: None,
            branch: None,
            variables: Vec::new(),
            links: Links::default(),
        }
    }

    /// The machine of `check --isolated`: no state of sessions, named paths taken to exist.
    #[must_use]
    pub fn isolated(directories: Directories) -> Machine {
        Machine { isolated: true, ..Machine::new(directories) }
    }

    /// With these settings of the agent besides those that it finds; an isolated machine finds none.
    #[must_use]
    pub fn with_settings(mut self, files: &[PathBuf]) -> Machine {
        self.settings = files.to_vec();
        self
    }

    /// With what a person's own files say of programs, compiled.
    #[must_use]
    pub fn with_knowledge(self, compiled: Vec<u8>) -> Machine {
        Machine { knowledge: Some(compiled.into()), ..self }
    }

    /// As if that branch were checked out and these variables set: for a policy's own cases.
    #[must_use]
    pub fn supposing(self, branch: Option<String>, variables: Vec<(String, String)>) -> Machine {
        Machine { branch, variables, ..self }
    }

    /// Forgets what was remembered for sessions that nothing has happened in for a month.
    pub fn forget_old_sessions(&self) {
        if let Some(state) = self.state() {
            crate::session::forget_old(state);
        }
    }

    /// Where sessions are remembered.
    fn state(&self) -> Option<&Path> {
        self.directories.state.as_deref().filter(|_| !self.isolated)
    }

    /// Where something may be noted: what is judged by hand, without programs, belongs to no session and leaves nothing behind.
    fn noted(&self) -> Option<&Path> {
        self.state().filter(|_| self.runner.is_some())
    }

    /// The same machine, which runs programs too.
    #[must_use]
    pub fn with_runner(self, runner: impl Runner + 'static) -> Machine {
        Machine { runner: Some(Rc::new(runner)), ..self }
    }

    /// The same machine, which has what was found so far kept: see [`World::note_found`].
    #[must_use]
    pub fn with_listener(self, listener: fn(&Effects, usize)) -> Machine {
        Machine { listener: Some(listener), ..self }
    }
}

/// The path, if it can be one: the system knows none that is longer. Of a path of a hundred thousand names each beginning would be
/// looked for.
fn possible(path: &str) -> Option<&Path> {
    (path.len() <= LONGEST_PATH).then(|| Path::new(path))
}

impl World for Machine {
    fn own_knowledge(&self) -> Option<Knowledge<'_>> {
        Knowledge::new(self.knowledge.as_deref()?)
    }

    fn variable(&self, name: &str) -> Option<String> {
        let supposed = self.variables.iter().find(|(known, _)| known == name);
        supposed.map(|(_, value)| value.clone()).or_else(|| std::env::var(name).ok())
    }

    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        Some(read_regular(Path::new(path), u64::try_from(limit).ok()?).ok()?.bytes)
    }

    fn entry(&self, path: &str) -> Option<hookgate_effects::Entry> {
        let metadata = fs::symlink_metadata(possible(path)?).ok()?;
        let kind = if metadata.is_file() {
            EntryKind::File
        } else if metadata.is_dir() {
            EntryKind::Directory
        } else if metadata.is_symlink() {
            EntryKind::Link
        } else {
            EntryKind::Other
        };
        Some(hookgate_effects::Entry { kind, size: metadata.len() })
    }

    fn resolve(&self, path: &str) -> Option<String> {
        possible(path)?;
        self.links.follow(path)
    }

    fn members(&self, archive: &str) -> Option<Vec<String>> {
        crate::archive::members(possible(archive)?)
    }

    fn brought(&self, directory: &str, by: Step<'_>) -> Option<Vec<String>> {
        if self.isolated { None } else { git::brought(Path::new(directory), by) }
    }

    fn list(&self, path: &str, limit: usize) -> Vec<String> {
        let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
        entries
            .filter_map(Result::ok)
            .take(limit)
            // A name that is no text is still a name: it may begin with a dash.
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    fn assume_present(&self) -> bool {
        self.isolated
    }

    fn note_found(&self, found: &Effects, known: usize) {
        if let Some(listener) = self.listener {
            listener(found, known);
        }
    }
}

impl Repositories for Machine {
    fn remotes(&self, directory: &str) -> Option<Vec<String>> {
        git::remotes(possible(directory)?)
    }

    fn usual_remote(&self, directory: &str) -> Option<String> {
        git::usual_remote(possible(directory)?)
    }

    fn checked_out(&self, directory: &str) -> Branch {
        self.branch(directory)
    }

    fn is_tag(&self, directory: &str, name: &str) -> bool {
        possible(directory).is_some_and(|directory| git::is_tag(directory, name))
    }

    fn has_staged(&self, directory: &str) -> Option<bool> {
        git::has_staged(possible(directory)?)
    }

    fn additions(&self, directory: &str, paths: &[String], known: bool) -> Option<Vec<Addition>> {
        git::additions(possible(directory)?, paths, known)
    }

    fn has_hook(&self, directory: &str, name: Option<&str>) -> bool {
        let home = self.directories.home.clone().unwrap_or_default();
        let config = self.variable("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
        let own = [home.join(".gitconfig"), config.join("git/config"), PathBuf::from("/etc/gitconfig")];
        possible(directory).is_none_or(|directory| git::has_hook(directory, name, &own, &home))
    }

    fn holds_repositories(&self, directory: &str) -> bool {
        possible(directory).is_none_or(git::holds_repositories)
    }

    fn alongside(&self, directory: &str, session: &str) -> Vec<Neighbour> {
        let found = self.state().zip(possible(directory).and_then(crate::repository_root));
        found.map(|(state, root)| crate::alongside::others(state, &root, session)).unwrap_or_default()
    }

    fn message_of(&self, directory: &str, revision: &str) -> Option<String> {
        git::message_of(possible(directory)?, revision)
    }
}

impl Host for Machine {
    fn now(&self) -> u64 {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
    }

    fn search_path(&self) -> Vec<String> {
        // What starts a hook gives it the environment that it gives its commands. Nothing is split into one empty
        // directory, which would stand for the one that the call is made in.
        let path = std::env::var_os("PATH").filter(|path| !self.isolated && !path.is_empty());
        let Some(path) = path else { return Vec::new() };
        std::env::split_paths(&path).map(|directory| directory.to_string_lossy().into_owned()).collect()
    }

    fn native_settings(&self, client: &Client, places: &Places) -> Vec<Source> {
        let found = if self.isolated {
            Vec::new()
        } else {
            settings_files(client, &self.directories, &places.project)
        };
        let named = self.settings.iter().map(|path| (Scope::Named, path.clone()));
        found
            .into_iter()
            .chain(named)
            .filter_map(|(scope, path)| {
                let path = path.to_str()?.to_owned();
                // Looking for what is wrong with a text costs far more than seeing that nothing is.
                let text = String::from_utf8(self.read(&path, LARGEST_SETTINGS)?)
                    .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
                Some(Source { scope, path, text })
            })
            .collect()
    }

    fn installed_settings(&self, client: &Client, places: &Places) -> Vec<String> {
        let Some(state) = self.state().filter(|_| !self.isolated) else { return Vec::new() };
        let here = settings_files(client, &self.directories, &places.project);
        let files: Vec<&str> = here.iter().filter_map(|(_, path)| path.to_str()).collect();
        let entries = fs::read_dir(state.join("settings")).into_iter().flatten();
        let records = entries.filter_map(Result::ok).take(MOST_RECORDS).filter_map(|entry| {
            let bytes = self.read(entry.path().to_str()?, LARGEST_SETTINGS.saturating_mul(4))?;
            let record: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
            Some(record.get("path")?.as_str()?.to_owned())
        });
        records.filter(|path| files.contains(&path.as_str())).collect()
    }

    fn is_trusted_project(&self, client: &Client, places: &Places) -> Option<bool> {
        let path = trust_file(client, &self.directories)?;
        let bytes = self.read(path.to_str()?, LARGEST_TRUST_FILE)?;
        (client.trusts)(std::str::from_utf8(&bytes).ok()?, &places.project)
    }

    fn branch(&self, directory: &str) -> Branch {
        self.branch.clone().map_or_else(|| crate::branch(Path::new(directory)), Branch::Named)
    }

    fn git_tracked(&self, directory: &str) -> Option<BTreeSet<String>> {
        git::tracked(Path::new(directory))
    }

    fn git_count(&self, directory: &str, question: &GitQuestion) -> Option<Count> {
        let directory = Path::new(directory);
        match question {
            GitQuestion::Changed { paths, since_commit } => git::changed(directory, paths, *since_commit),
            GitQuestion::BesideMerge => git::beside_merge(directory),
            GitQuestion::Dropped { target } => git::dropped(directory, target),
            GitQuestion::Untracked { paths, what } => git::untracked(directory, paths, *what),
            GitQuestion::Unmerged { branches, gone, remotes } => {
                git::unmerged(directory, branches, gone, *remotes)
            }
            GitQuestion::Published { base } => git::published(directory, base.as_deref()),
            GitQuestion::Overwritten { branch, source } => {
                git::overwritten(directory, branch.as_deref(), source.as_deref())
            }
        }
    }

    fn consented(&self, session: &str, question: &str) -> Vec<String> {
        self.state().map(|state| crate::session::consented(state, session, question)).unwrap_or_default()
    }

    fn feeder(&self) -> Option<String> {
        crate::feeder::feeder()
    }

    fn session_record(&self, session: &str) -> Record {
        let state = self.state().filter(|_| !session.is_empty());
        state.map(|state| crate::record::read(state, session)).unwrap_or_default()
    }

    fn judge_measure(&self, judge: &str) -> Option<(u32, f64)> {
        crate::record::measure(self.state()?, judge)
    }

    fn transcript(&self, path: &str) -> Option<Box<dyn Tail>> {
        let tail = crate::record::FileTail::open(possible(path)?)?;
        Some(Box::new(tail))
    }

    fn kept(&self, session: &str, name: &str) -> Option<String> {
        crate::session::kept(self.state()?, session, name)
    }

    fn program(&self, name: &str) -> Option<ProgramFile> {
        crate::find_program(name, &std::env::var("PATH").ok()?)
    }

    fn version(&self, program: &ProgramFile) -> Option<String> {
        crate::recorded_version(self.directories.state.as_deref()?, program)
    }

    fn halted(&self) -> Option<Halt> {
        if self.isolated { None } else { Overrides::new(&self.directories).halted() }
    }

    fn paused(&self) -> Option<Pause> {
        if self.isolated { None } else { Overrides::new(&self.directories).paused() }
    }

    fn granted(&self, call: &str, of: GrantUse<'_>) -> Option<Grant> {
        if self.isolated { None } else { Overrides::new(&self.directories).granted(call, of) }
    }
}

impl Memory for Machine {
    fn host(&self) -> &dyn Host {
        self
    }

    fn decision_id(&self) -> String {
        crate::decision_id()
    }

    fn first_time(&self, session: &str, key: &str) -> bool {
        self.noted().is_none_or(|state| crate::first_time(state, session, key))
    }

    fn note_question(&self, session: &str, call: &str, question: &str, codes: &[String]) {
        if let Some(state) = self.noted() {
            crate::session::note_question(state, session, call, question, codes);
        }
    }

    fn settle_question(&self, session: &str, call: &str) {
        if let Some(state) = self.noted() {
            crate::session::settle_question(state, session, call);
        }
    }

    fn keep(&self, session: &str, name: &str, text: &str) {
        if let Some(state) = self.noted() {
            crate::session::keep(state, session, name, text);
        }
    }

    fn put_back(&self, path: &str, text: Option<&str>) -> bool {
        self.noted().is_some() && crate::session::put_back(Path::new(path), text)
    }

    fn run_hooks(&self, hooks: &[&SupervisedHook]) -> Vec<HookOutput> {
        self.runner.as_ref().map_or_else(Vec::new, |runner| runner.hooks(hooks))
    }

    fn halt(&self, reason: &str) {
        // Where it can't be kept, the finding itself halts this event.
        if self.noted().is_some() {
            drop(Overrides::new(&self.directories).halt(reason));
        }
    }

    fn take_exception(&self, limits: ExceptionLimits) -> bool {
        self.noted().is_none_or(|state| crate::exceptions::take(state, self.now(), limits))
    }

    fn use_grant(&self, call: &str, of: GrantUse<'_>) -> bool {
        self.noted().is_none() || Overrides::new(&self.directories).use_grant(call, of)
    }

    fn note_entries(&self, session: &str, entries: &[Entry]) {
        if let Some(state) = self.noted().filter(|_| !session.is_empty()) {
            crate::record::note(state, session, entries);
        }
    }

    fn note_trace(&self, project: &str, session: &str, trace: &Trace) {
        if let Some((state, root)) = self.noted().zip(possible(project).and_then(crate::repository_root)) {
            crate::alongside::note(state, &root, session, trace);
        }
    }

    fn leave(&self, project: &str, session: &str) {
        if let Some((state, root)) = self.noted().zip(possible(project).and_then(crate::repository_root)) {
            crate::alongside::leave(state, &root, session);
        }
    }

    fn time_left(&self) -> Duration {
        self.runner.as_ref().map_or(Duration::MAX, |runner| runner.left())
    }

    fn wait(&self, length: Duration) {
        std::thread::sleep(length.min(self.time_left()));
    }

    fn run_programs(&self, programs: &[ProgramCall]) -> Vec<ProgramOutcome> {
        self.runner.as_ref().map_or_else(Vec::new, |runner| runner.programs(programs))
    }
}
