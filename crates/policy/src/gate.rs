//! `[[gate]]`: what must be so before the agent may end its work, as far as hookgate can know it for certain.

use std::time::Duration;

use crate::event_set::EventSet;
use crate::hook::HookProgram;
use crate::pattern::{PathPattern, RunPattern};
use crate::rule::Condition;
use crate::source::LayerKind;

/// A condition of ending.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The code of its findings.
    pub code: String,
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The line of its file that it begins on.
    pub line: usize,
    /// The events that it is checked on.
    pub on: EventSet,
    /// What must hold for it to be checked.
    pub when: Condition,
    /// What is checked; all of it must hold.
    pub checks: Vec<GateCheck>,
    /// The command that hookgate runs for [`GateCheck::Command`].
    pub run: Option<HookProgram>,
    /// How long that command may take.
    pub deadline: Duration,
    /// Calls that count as tests besides those that the knowledge base lists.
    pub counts: Vec<RunPattern>,
    /// The files whose edits count; all of the project if there are none.
    pub files: Vec<PathPattern>,
    /// What is said beside what hookgate found out; empty if nothing is.
    pub reason: String,
    /// How often it may hold back after one prompt.
    pub max_blocks: u32,
    /// Recorded, not applied.
    pub shadow: bool,
}

/// What a gate checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateCheck {
    /// Tests ran after the last edit, and passed.
    Tests,
    /// A command passes that hookgate runs.
    Command,
    /// Everything is committed.
    Clean,
    /// No mark such as `TODO` was added.
    Marks,
    /// No finding of a linter is open.
    Lint,
    /// No protected file was changed.
    Protected,
    /// Background tasks have ended.
    Background,
    /// Every subagent has ended.
    Subagents,
}

impl GateCheck {
    /// Every check with its name in a policy, in the order in which they are made: what costs least comes first.
    pub const ALL: [(GateCheck, &'static str); 8] = [
        (GateCheck::Background, "background"),
        (GateCheck::Subagents, "subagents"),
        (GateCheck::Tests, "tests"),
        (GateCheck::Lint, "lint"),
        (GateCheck::Marks, "marks"),
        (GateCheck::Protected, "protected"),
        (GateCheck::Clean, "clean"),
        (GateCheck::Command, "command"),
    ];

    /// The name in a policy.
    #[must_use]
    pub fn name(self) -> &'static str {
        GateCheck::ALL.iter().find(|(check, _)| *check == self).map_or("", |(_, name)| name)
    }
}
