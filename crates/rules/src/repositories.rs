//! What rules may ask about a repository. It is read, and git isn't run.

use std::fmt;

use hookgate_effects::World;
use hookgate_session::Neighbour;

use crate::own::Branch;

/// The repositories of the machine. `None` is what can't be told cheaply; a rule finds nothing then.
pub trait Repositories: World {
    /// The names of the remotes of the repository around a directory.
    fn remotes(&self, _directory: &str) -> Option<Vec<String>> {
        None
    }
    /// The remote to which a push without a name goes.
    fn usual_remote(&self, _directory: &str) -> Option<String> {
        None
    }
    /// The branch that is checked out in `directory`.
    fn checked_out(&self, _directory: &str) -> Branch {
        Branch::Unknown
    }
    /// Is it the name of a tag, and of no branch?
    fn is_tag(&self, _directory: &str, _name: &str) -> bool {
        false
    }
    /// Is anything staged?
    fn has_staged(&self, _directory: &str) -> Option<bool> {
        None
    }
    /// The files below these absolute paths that staging them would take: changed ones and, unless only `known` ones are meant,
    /// new ones. At most a few thousand.
    fn additions(&self, _directory: &str, _paths: &[String], _known: bool) -> Option<Vec<Addition>> {
        None
    }
    /// Might git run a hook of that name, or any if there is none, in the repository around a directory?
    fn has_hook(&self, _directory: &str, _name: Option<&str>) -> bool {
        true
    }
    /// Does the repository around a directory hold another whose settings came from elsewhere than from git?
    fn holds_repositories(&self, _directory: &str) -> bool {
        true
    }
    /// The other sessions that work in the repository around a directory.
    fn alongside(&self, _directory: &str, _session: &str) -> Vec<Neighbour> {
        Vec::new()
    }
    /// The message of the commit that a revision names.
    fn message_of(&self, _directory: &str, _revision: &str) -> Option<String> {
        None
    }
}

/// A file that would be staged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addition {
    /// Its absolute path.
    pub path: String,
    /// Bytes.
    pub size: u64,
}

/// The repositories, where rules may ask about them.
#[derive(Clone, Copy)]
pub struct RepositoryFacts<'a>(pub &'a dyn Repositories);

impl fmt::Debug for RepositoryFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepositoryFacts").finish_non_exhaustive()
    }
}
