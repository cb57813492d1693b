//! The typed policy.

use crate::conventions::Conventions;
use crate::gate::Gate;
use crate::hook::SupervisedHook;
use crate::join::Joined;
use crate::judge::Judge;
use crate::level::Level;
use crate::lint::Lint;
use crate::notify::Notify;
use crate::packages::Packages;
use crate::protect::Protect;
use crate::rewrite::Rewrite;
use crate::rule::{Case, Exception, OwnRule};
use crate::source::LayerKind;

/// Is the policy in force?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Nothing is judged.
    Off,
    /// Judged and recorded; the answer is pass (self-protection stays).
    Shadow,
    /// In force.
    #[default]
    Enforce,
}

/// What a tool call gets when the gate itself fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OnError {
    /// Let it go.
    Pass,
    /// Ask a person.
    #[default]
    Ask,
    /// Refuse it.
    Deny,
}

/// What an ask becomes where no person can answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unattended {
    /// The agent's own permission rules decide.
    Handoff,
    /// It is refused.
    #[default]
    Deny,
}

/// What each kind of *undecidable* gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLevels {
    /// A program that nothing is known about.
    pub program: Level,
    /// A harmful effect on a computed target.
    pub target: Level,
    /// A computed command.
    pub command: Level,
    /// Text that can't be parsed.
    pub unparsed: Level,
}

impl Default for UnknownLevels {
    fn default() -> Self {
        UnknownLevels { program: Level::Off, target: Level::Ask, command: Level::Ask, unparsed: Level::Ask }
    }
}

/// The record of decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// How much of a call it holds.
    pub content: AuditContent,
    /// The file, absolute or below `~/`; `None` for the one in the state directory.
    pub path: Option<String>,
    /// The size in bytes at which a new file is begun.
    pub max_size: u64,
}

impl Default for Audit {
    fn default() -> Self {
        Audit { content: AuditContent::default(), path: None, max_size: 10_000_000 }
    }
}

/// How much of a call the record holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AuditContent {
    /// All of it.
    Full,
    /// All but secrets.
    #[default]
    Redacted,
    /// A digest.
    Digest,
}

/// What holds: all layers, joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Is it in force?
    pub mode: Mode,
    /// What a tool call gets when the gate itself fails.
    pub on_error: OnError,
    /// What each kind of *undecidable* gets.
    pub unknown: UnknownLevels,
    /// What an ask becomes where no person can answer.
    pub unattended: Unattended,
    /// The record of decisions.
    pub audit: Audit,
    /// Which package managers are used.
    pub packages: Packages,
    /// How commits, pull requests, issues and branches are written and named.
    pub conventions: Conventions,
    /// Its own rules, of every layer, those that are off left out.
    pub rules: Vec<OwnRule>,
    /// Its rewrites, of every layer and then of the presets, in the order of authority.
    pub rewrites: Vec<Rewrite>,
    /// Hook programs under supervision, in the order of authority.
    pub hooks: Vec<SupervisedHook>,
    /// Files that may not be weakened, of every layer and then of the presets.
    pub protect: Vec<Protect>,
    /// Linters that run on what was changed, in the order of authority.
    pub lint: Vec<Lint>,
    /// What must be so before the agent may end its work, in the order of authority.
    pub gates: Vec<Gate>,
    /// What a model is asked before the agent may end its work, in the order of authority.
    pub judges: Vec<Judge>,
    /// What a person hears of beside the answers, in the order of authority.
    pub notify: Vec<Notify>,
    /// Exceptions.
    pub exceptions: Vec<Exception>,
    /// Its own tests.
    pub cases: Vec<Case>,
    /// What a person should hear about it: what had no effect for want of trust, file by file.
    pub notices: Vec<String>,
    /// Why the rules of a file are lost that can't be read and was never good before. What is not proven harmless is asked
    /// about then.
    pub unreadable: Option<String>,
    /// [`crate::fingerprint`] over all files; 0 without any. It names the policy in records and protects nothing.
    pub fingerprint: u64,
    /// Files about programs: the policy file that names them, its layer, and the name, which may hold `*`.
    pub knowledge: Vec<(String, LayerKind, String)>,
    /// What is asked once per session, with the layer that says so.
    pub(crate) once: Vec<(String, LayerKind)>,
    /// Presets and `[rules]`.
    pub(crate) joined: Joined,
}
