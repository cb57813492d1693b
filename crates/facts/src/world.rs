//! What this room may ask about the machine. The engine's host answers; tests answer with a made-up one.

use hookgate_knowledge::Knowledge;

use crate::Effects;

/// Read-only questions. Every one is bounded by the one who answers.
pub trait World {
    /// An environment variable of the hook's process.
    fn variable(&self, name: &str) -> Option<String>;
    /// The first `limit` bytes of a regular file; `None` where it can't be read or is larger than `limit`.
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>>;
    /// What is there, links not followed.
    fn entry(&self, path: &str) -> Option<Entry>;
    /// The path with every link in its existing part resolved; `None` where there is nothing to resolve.
    fn resolve(&self, path: &str) -> Option<String>;
    /// The names in a directory, at most `limit`.
    fn list(&self, path: &str, limit: usize) -> Vec<String>;
    /// What a person's own files say of programs, compiled ([`hookgate_knowledge::Compiler`]).
    fn own_knowledge(&self) -> Option<Knowledge<'_>> {
        None
    }
    /// The names of what is in an archive (tar, also compressed with gzip, and zip), as they are written there; `None` where
    /// they can't be listed.
    fn members(&self, _archive: &str) -> Option<Vec<String>> {
        None
    }
    /// The files, absolute, that git changes in the work tree around a directory; `None` where nobody can tell.
    fn brought(&self, _directory: &str, _by: Step<'_>) -> Option<Vec<String>> {
        None
    }
    /// Keeps what was found so far of a call, in case the reading never comes to its end. The first `known` effects were given
    /// before; with none, another reading begins.
    fn note_found(&self, _found: &Effects, _known: usize) {}
    /// Named paths are taken to exist and the work tree to be dirty (`check --isolated`).
    fn assume_present(&self) -> bool {
        false
    }
}

/// What git does with a commit and the work tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// The work tree becomes that commit: `switch`, `reset --hard`. `-` is where it was before.
    To(&'a str),
    /// What the commit has since it parted from the one that is checked out: `merge`, `rebase`.
    Onto(&'a str),
    /// What the commit itself changes: `cherry-pick`, `revert`.
    Of(&'a str),
    /// Everything that the commit has: `archive`.
    Whole(&'a str),
    /// What a branch of another repository has since it parted from the commit that is checked out here: `pull`. The source is a
    /// folder or the name of a remote; of one that is not on this machine it is what was fetched last. Either may be empty, for
    /// what is usual.
    Pulled {
        /// The folder, or the remote.
        source: &'a str,
        /// The branch.
        name: &'a str,
    },
    /// What was stashed, by its number.
    Stash(usize),
    /// What lies in the index and not in the last commit, or in the index and not in the work tree: `checkout-index`.
    Index,
    /// What lies in the index otherwise than in the last commit and in the work tree: `checkout PATH` takes it from there.
    Staged,
    /// What the commits that the repository has names for (branches, tags, what was fetched last) bring, as far as they can be
    /// read in time: a commit that nobody can name beforehand is most likely one of them.
    Any {
        /// Since they parted from the one that is checked out, and not all in which they differ.
        joined: bool,
    },
    /// What it takes out of the work tree, of hidden files: what differs from the last commit, and, of those that it doesn't
    /// know, none, all but the ignored ones, or all.
    Away(Taken),
}

/// Which files that git doesn't know it takes away as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taken {
    /// None.
    Known,
    /// Those that it isn't told to ignore.
    Untracked,
    /// All of them.
    Ignored,
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which kind.
    pub kind: EntryKind,
    /// Bytes.
    pub size: u64,
}

/// Kinds of directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Link,
    /// Anything else.
    Other,
}

/// The places that paths are judged against. All absolute, normalised, without a trailing slash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Where the call starts.
    pub cwd: String,
    /// The person's home directory.
    pub home: String,
    /// The project's root: the agent's project directory, else the repository around `cwd`, else `cwd`.
    pub project: String,
    /// Further directories that count as the project (git worktrees, added directories).
    pub also_project: Vec<String>,
    /// Temporary directories: `/tmp`, `/var/tmp`, `$TMPDIR`, the session's scratch directory.
    pub temporary: Vec<String>,
    /// Files and directories that are the gate: policies, state, binary.
    pub gate: Vec<String>,
    /// Files that hold the agents' hook settings.
    pub agent_settings: Vec<String>,
}
