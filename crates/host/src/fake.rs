//! A machine for tests: what it holds is what it was given.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hookgate_agents::HookOutput;
use hookgate_clients::{Client, Source};
use hookgate_effects::{Entry, EntryKind, Places, World};
use hookgate_engine::{
    Count, GitQuestion, Grant, GrantUse, Halt, Host, Memory, Pause, ProgramCall, ProgramEnd, ProgramFile,
    ProgramOutcome,
};
use hookgate_policy::SupervisedHook;
use hookgate_rules::own::Branch;
use hookgate_rules::{Addition, Repositories};
use hookgate_session::{Entry as SessionEntry, Record, Tail};

/// A question and the codes that it is about.
type Question = (String, Vec<String>);

/// A made-up machine. Paths are absolute and normalised.
#[derive(Clone, Debug, Default)]
pub struct Fake {
    /// Regular files with their content.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Symbolic links with their absolute target.
    pub links: BTreeMap<String, String>,
    /// The environment.
    pub variables: BTreeMap<String, String>,
    /// The branch that is checked out everywhere.
    pub branch: Option<String>,
    /// The agent's settings.
    pub settings: Vec<Source>,
    /// See [`Host::is_trusted_project`].
    pub trusted: Option<bool>,
    /// The time.
    pub now: u64,
    /// See [`World::assume_present`].
    pub assume_present: bool,
    /// The programs on `PATH`, with what they said about their version if they were asked.
    pub programs: BTreeMap<String, Option<String>>,
    /// What hook programs answer, by their code.
    pub hooks: BTreeMap<String, HookOutput>,
    /// How programs end, by the text or the words that start them.
    pub outcomes: BTreeMap<String, ProgramOutcome>,
    /// Transcripts, by their path.
    pub transcripts: BTreeMap<String, String>,
    /// What git says to every question.
    pub git_count: Option<Count>,
    /// A stop of every agent.
    pub halt: Option<Halt>,
    /// A pause.
    pub pause: Option<Pause>,
    /// Grants, by the name of the call.
    pub grants: BTreeMap<String, Grant>,
    asked: RefCell<BTreeMap<(String, String), Question>>,
    consents: RefCell<BTreeMap<(String, String), Vec<String>>>,
    seen: RefCell<BTreeSet<(String, String)>>,
    records: RefCell<BTreeMap<String, Record>>,
    kept: RefCell<BTreeMap<(String, String), String>>,
    /// What was put back.
    pub restored: RefCell<BTreeMap<String, Option<String>>>,
}

/// A text that is read from its end.
struct Text(Vec<u8>);

impl Tail for Text {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, offset: u64, count: usize) -> Vec<u8> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        self.0.get(from..self.0.len().min(from.saturating_add(count))).unwrap_or_default().to_vec()
    }
}

impl World for Fake {
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        let path = self.resolve(path).unwrap_or_else(|| path.to_owned());
        self.files.get(&path).filter(|bytes| bytes.len() <= limit).cloned()
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        // `a/.` is the directory `a`.
        if let Some(directory) = path.strip_suffix("/.") {
            return self.entry(directory).filter(|entry| entry.kind == EntryKind::Directory);
        }
        if self.links.contains_key(path) {
            return Some(Entry { kind: EntryKind::Link, size: 0 });
        }
        if let Some(bytes) = self.files.get(path) {
            return Some(Entry { kind: EntryKind::File, size: bytes.len() as u64 });
        }
        let folder = format!("{path}/");
        let below = self.files.keys().chain(self.links.keys()).any(|name| name.starts_with(&folder));
        below.then_some(Entry { kind: EntryKind::Directory, size: 0 })
    }

    fn resolve(&self, path: &str) -> Option<String> {
        for (link, target) in &self.links {
            if path == link {
                return Some(target.clone());
            }
            if let Some(rest) = path.strip_prefix(link.as_str()).filter(|rest| rest.starts_with('/')) {
                return Some(format!("{target}{rest}"));
            }
        }
        self.entry(path).map(|_| path.to_owned())
    }

    fn list(&self, path: &str, limit: usize) -> Vec<String> {
        let folder = format!("{path}/");
        let names: BTreeSet<String> = self
            .files
            .keys()
            .chain(self.links.keys())
            .filter_map(|name| name.strip_prefix(&folder))
            .filter_map(|rest| rest.split('/').next())
            .map(str::to_owned)
            .collect();
        names.into_iter().take(limit).collect()
    }

    fn assume_present(&self) -> bool {
        self.assume_present
    }
}

impl Repositories for Fake {
    fn additions(&self, _directory: &str, _paths: &[String], _known: bool) -> Option<Vec<Addition>> {
        Some(Vec::new())
    }

    fn holds_repositories(&self, _directory: &str) -> bool {
        false
    }

    fn has_hook(&self, _directory: &str, _name: Option<&str>) -> bool {
        false
    }
}

impl Host for Fake {
    fn now(&self) -> u64 {
        self.now
    }

    fn native_settings(&self, _client: &Client, _places: &Places) -> Vec<Source> {
        self.settings.clone()
    }

    fn is_trusted_project(&self, _client: &Client, _places: &Places) -> Option<bool> {
        self.trusted
    }

    fn branch(&self, _directory: &str) -> Branch {
        self.branch.clone().map_or(Branch::None, Branch::Named)
    }

    fn git_count(&self, _directory: &str, _question: &GitQuestion) -> Option<Count> {
        self.git_count.clone()
    }

    fn consented(&self, session: &str, question: &str) -> Vec<String> {
        let key = (session.to_owned(), question.to_owned());
        self.consents.borrow().get(&key).cloned().unwrap_or_default()
    }

    fn session_record(&self, session: &str) -> Record {
        self.records.borrow().get(session).cloned().unwrap_or_default()
    }

    fn transcript(&self, path: &str) -> Option<Box<dyn Tail>> {
        let text = self.transcripts.get(path)?;
        Some(Box::new(Text(text.clone().into_bytes())))
    }

    fn program(&self, name: &str) -> Option<ProgramFile> {
        let path = format!("/usr/bin/{name}");
        self.programs.contains_key(name).then(|| ProgramFile { path, ..ProgramFile::default() })
    }

    fn version(&self, program: &ProgramFile) -> Option<String> {
        self.programs.get(program.path.strip_prefix("/usr/bin/")?).cloned().flatten()
    }

    fn kept(&self, session: &str, name: &str) -> Option<String> {
        self.kept.borrow().get(&(session.to_owned(), name.to_owned())).cloned()
    }

    fn halted(&self) -> Option<Halt> {
        self.halt.clone()
    }

    fn paused(&self) -> Option<Pause> {
        self.pause
    }

    fn granted(&self, call: &str, _: GrantUse<'_>) -> Option<Grant> {
        self.grants.get(call).cloned()
    }
}

impl Memory for Fake {
    fn host(&self) -> &dyn Host {
        self
    }

    fn decision_id(&self) -> String {
        "0000000000000".to_owned()
    }

    fn first_time(&self, session: &str, key: &str) -> bool {
        self.seen.borrow_mut().insert((session.to_owned(), key.to_owned()))
    }

    fn note_question(&self, session: &str, call: &str, question: &str, codes: &[String]) {
        let key = (session.to_owned(), call.to_owned());
        self.asked.borrow_mut().insert(key, (question.to_owned(), codes.to_vec()));
    }

    fn settle_question(&self, session: &str, call: &str) {
        let asked = self.asked.borrow_mut().remove(&(session.to_owned(), call.to_owned()));
        if let Some((question, codes)) = asked {
            self.consents.borrow_mut().insert((session.to_owned(), question), codes);
        }
    }

    fn keep(&self, session: &str, name: &str, text: &str) {
        self.kept.borrow_mut().insert((session.to_owned(), name.to_owned()), text.to_owned());
    }

    fn put_back(&self, path: &str, text: Option<&str>) -> bool {
        self.restored.borrow_mut().insert(path.to_owned(), text.map(str::to_owned));
        true
    }

    fn run_hooks(&self, hooks: &[&SupervisedHook]) -> Vec<HookOutput> {
        hooks.iter().filter_map(|hook| self.hooks.get(&hook.code).cloned()).collect()
    }

    fn note_entries(&self, session: &str, entries: &[SessionEntry]) {
        self.records.borrow_mut().entry(session.to_owned()).or_default().entries.extend_from_slice(entries);
    }

    fn run_programs(&self, programs: &[ProgramCall]) -> Vec<ProgramOutcome> {
        let missing = || ProgramOutcome {
            end: ProgramEnd::NotStarted("not found".to_owned()),
            stdout: Vec::new(),
            stderr: Vec::new(),
            complete: true,
            took: Duration::ZERO,
        };
        programs
            .iter()
            .map(|call| self.outcomes.get(&call.run.name()).cloned().unwrap_or_else(missing))
            .collect()
    }
}
