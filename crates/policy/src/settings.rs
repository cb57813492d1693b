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
