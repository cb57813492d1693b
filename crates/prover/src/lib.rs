//! The second key of every grant: a proof that nothing in a call is of a kind that this room doesn't know.
//!
//! The interpreter finds effects, and what it doesn't find isn't there for it. The prover works the other way round: it
//! walks the tree with a closed list of constructs, programs, options and names, and refuses everything else with a
//! reason and a place. It shares nothing with the interpreter but the tree and the knowledge. `docs/grants.md` is the list.
//!
//! What the call then reads and writes is the other key's business: effects say it and rules cover it.

mod calls;
mod javascript;
mod places;
mod python;
mod roles;
mod state;
mod statements;
mod table;
mod texts;
mod tools;
mod unseen;
mod words;

use hookgate_shell::Span;

pub use tools::prove_tool;

/// What a grant may rest on, and where the call stands.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Where the call starts, absolute.
    pub cwd: &'a str,
    /// The person's home directory.
    pub home: &'a str,
    /// The project's root.
    pub project: &'a str,
    /// Further directories that count as the project.
    pub also_project: &'a [String],
    /// Directories for temporary files.
    pub temporary: &'a [String],
    /// Where programs are looked for, in this order: the directories of `PATH`. Empty where that isn't known.
    pub path: &'a [String],
    /// The project's own code may run: builds, tests, scripts of the project as it was before this call.
    pub code: bool,
    /// Named files are taken to exist, whatever the file system says (`check --isolated`).
    pub named_exist: bool,
    /// Commands of the text that an own rule of the person allows: these stand for themselves.
    pub granted: &'a [Span],
    /// What is in the file system.
    pub files: &'a dyn Files,
}

/// Names of a directory that are looked at. Where there are as many, others may be cut off.
pub const MAXIMUM_LISTED: usize = 500;
/// How many names below a directory are looked at that is read with everything in it.
const MOST_IN_A_TREE: usize = 20_000;

/// What the prover may ask about files.
pub trait Files {
    /// The path with every link in its existing part resolved.
    fn resolve(&self, path: &str) -> Option<String>;
    /// The names in a directory, as many at the most.
    fn names(&self, path: &str, most: usize) -> Vec<String>;
    /// The names in a directory, `MAXIMUM_LISTED` of them at the most.
    fn list(&self, path: &str) -> Vec<String>;
    /// Is something at that path?
    fn is_there(&self, path: &str) -> bool;
    /// Is it a directory that may be entered, every part of the way as it is written?
    fn can_enter(&self, path: &str) -> bool;
    /// Is the last part of that path a link, wherever it leads?
    fn is_link(&self, path: &str) -> bool;
    /// Might git run a hook of that name, or any if there is none, in the repository around a directory?
    fn has_hook(&self, directory: &str, name: Option<&str>) -> bool;
    /// The text of a file; `None` where it can't be read, or is larger than files of settings are.
    fn text(&self, path: &str) -> Option<String>;
    /// Does the repository around a directory hold another whose settings came from elsewhere than from git?
    fn holds_repositories(&self, directory: &str) -> bool;
    /// May git know a file around the directory, there or not, of which a part of the path begins with a dash?
    fn knows_dashes(&self, directory: &str) -> bool;
    /// The files that git would put into the repository around a directory, of those below these absolute paths (all, if there are
    /// none); of those that it knows alone where `known`. `None` where that can't be told.
    fn staged(&self, directory: &str, paths: &[String], known: bool) -> Option<Vec<String>>;
}

impl std::fmt::Debug for dyn Files + '_ {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Files")
    }
}

/// Why a call isn't granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// In words: lowercase, no full stop. It may quote a name of the call.
    pub reason: String,
    /// Where in the text; empty for other tools than a shell.
    pub span: Span,
}

/// Proves that a shell text does nothing of an unknown kind.
///
/// # Errors
/// The first thing that isn't on the list.
pub fn prove_shell(text: &str, ground: &Ground<'_>) -> Result<(), Refusal> {
    statements::prove(text, ground)
}

/// What a proof step answers.
pub(crate) type Proven<T> = Result<T, Refusal>;

/// A refusal.
pub(crate) fn refuse<T>(reason: impl Into<String>, span: Span) -> Proven<T> {
    Err(Refusal { reason: reason.into(), span })
}
