//! What a policy sets besides rules: whether it is in force, and what failures, unknowns and records get.

use crate::level::Level;

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

/// What is said about secrets beside the levels of their rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// Fingerprints of what is no secret, or of secrets that may be seen: 16 hexadecimal digits each.
    pub allow: Vec<String>,
}

/// How many exceptions agents of this user may take by a comment in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionLimits {
    /// In an hour.
    pub per_hour: usize,
    /// In a day.
    pub per_day: usize,
}

impl Default for ExceptionLimits {
    fn default() -> Self {
        ExceptionLimits { per_hour: 10, per_day: 50 }
    }
}

/// What becomes of a call that does what was denied in the session before (SESS001).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often it may be tried again before that.
    pub after: usize,
    /// What it gets then.
    pub then: Level,
}

impl Default for Retries {
    fn default() -> Self {
        Retries { after: 3, then: Level::Ask }
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
