//! What hookgate knows about one agent on the wire: everything that differs between agents is here, in one value per agent.

use std::fmt;

use crate::tool::Row;
use crate::{
    Answer, Capabilities, Decoded, Event, EventName, Map, Outcome, PermissionMode, Verdict, claude_code,
    codex, unlisted,
};

/// One agent.
///
/// What needs effects to be told (an agent's own permission rules) and what is written into its settings is in the crate of
/// clients.
pub struct Profile {
    /// Its name in policies, records and `--agent`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Other names that `--agent` takes.
    pub aliases: &'static [&'static str],
    /// The version that all of this was measured with.
    pub version: &'static str,
    /// The events that it fires, in its own order.
    pub events: &'static [EventName],
    /// Its tools.
    pub tools: &'static [Row],
    /// The names of its processes.
    pub programs: &'static [&'static str],
    /// Environment variables that are only set below it.
    pub marks: &'static [&'static str],
    /// The environment variable that names the project's directory.
    pub project_variable: Option<&'static str>,
    /// The environment variable that says that no person is there, and its value then.
    pub mark_alone: Option<(&'static str, &'static str)>,
    /// Modes in which no question reaches a person.
    pub modes_alone: &'static [PermissionMode],
    /// What it does with a call when the hook's program can't be started or is killed.
    pub failure: FailureSupport,
    /// What hookgate can't see or do there, one sentence each.
    pub limits: &'static [&'static str],
    /// Fields to an event: what is taken out of them is theirs no more.
    pub(crate) event: fn(&'static Profile, EventName, Map) -> Event,
    /// What became of the call.
    pub(crate) outcome: fn(&EventName, &Map) -> Option<Outcome>,
    /// What an event can carry in a mode.
    pub(crate) capabilities: fn(&EventName, Option<&PermissionMode>) -> Capabilities,
    /// A verdict to bytes.
    pub(crate) respond: fn(&Event, &Verdict) -> Answer,
}

/// What an agent does with a tool call when the hook's program is missing, is killed or takes too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureSupport {
    /// The call runs.
    Runs,
    /// The call runs, unless the hook's settings say that it is blocked, which needs this version.
    Settable {
        /// The first version with that setting.
        since: (u64, u64, u64),
    },
    /// Not known.
    Unknown,
}

impl Profile {
    /// Every agent that hookgate knows well.
    pub const ALL: &'static [&'static Self] = &[&CLAUDE_CODE, &CODEX];

    /// The agent of that name; without a name, Claude Code, whose settings don't have to give one.
    ///
    /// A name that is not listed gets a profile that judges every call and answers with the one denial that was found to hold
    /// in six agents.
    #[must_use]
    pub fn named(name: Option<&str>) -> &'static Self {
        let Some(name) = name.filter(|name| !name.is_empty()) else { return &CLAUDE_CODE };
        let is_named = |profile: &Self| profile.name == name || profile.aliases.contains(&name);
        Self::ALL.iter().find(|profile| is_named(profile)).map_or(&UNLISTED, |profile| *profile)
    }

    /// Every agent of which anything is known, the unlisted ones as one.
    pub fn everyone() -> impl Iterator<Item = &'static Self> {
        Self::ALL.iter().copied().chain([&UNLISTED])
    }

    /// Reads an event of this agent.
    ///
    /// `hint` is the event's name as the hook's settings give it (`--event`); the event's own name wins
    /// over it, except in bytes that can't be read. A BOM, invalid UTF-8, half surrogate pairs, NUL bytes
    /// and raw control characters are repaired; of equal keys the last counts; a field of an unexpected type
    /// is left in [`Event::fields`]. More than one document is not an event: nothing says which one counts.
    #[must_use]
    pub fn decode(&'static self, bytes: &[u8], hint: Option<&str>) -> Decoded {
        crate::decode::decode(self, bytes, hint)
    }

    /// What an event of this agent can carry, in a permission mode.
    #[must_use]
    pub fn capabilities(&self, event: &EventName, mode: Option<&PermissionMode>) -> Capabilities {
        (self.capabilities)(event, mode)
    }
}

/// Claude Code.
pub static CLAUDE_CODE: Profile = claude_code::PROFILE;
/// `OpenAI` Codex.
pub static CODEX: Profile = codex::PROFILE;
/// An agent that is not listed.
pub static UNLISTED: Profile = unlisted::PROFILE;

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Profile {}

impl fmt::Debug for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Profile({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select_and_nothing_fails_open() {
        assert_eq!(Profile::named(None), &CLAUDE_CODE);
        assert_eq!(Profile::named(Some("")), &CLAUDE_CODE);
        assert_eq!(Profile::named(Some("claude")), &CLAUDE_CODE);
        assert_eq!(Profile::named(Some("codex")), &CODEX);
        assert_eq!(Profile::named(Some("of-tomorrow")), &UNLISTED);
    }

    #[test]
    fn names_are_unique() {
        let names: Vec<&str> = Profile::ALL
            .iter()
            .flat_map(|profile| std::iter::once(profile.name).chain(profile.aliases.iter().copied()))
            .collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names.iter().skip(index + 1).any(|other| other == name), "{name}");
        }
    }
}
