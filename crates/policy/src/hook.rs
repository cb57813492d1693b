//! `[[hook]]`: a hook program of somebody else's, run under supervision.

use std::time::Duration;

use crate::event_set::EventSet;
use crate::rewrite::Requirement;
use crate::rule::Condition;
use crate::source::LayerKind;

/// A hook program that hookgate runs itself, and whose answer is joined with what the rules say.
#[derive(Clone, Debug, PartialEq)]
pub struct SupervisedHook {
    /// The code of its findings.
    pub code: String,
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The line of its file that it begins on.
    pub line: usize,
    /// The events that it runs on.
    pub on: EventSet,
    /// What must hold for it to be run.
    pub when: Condition,
    /// What is run.
    pub run: HookProgram,
    /// The programs that it needs: where one is missing, it is not run and the person is told.
    pub requires: Vec<Requirement>,
    /// When it is killed, with everything that it started.
    pub deadline: Duration,
    /// What its failure gets: a crash, a missed deadline, an answer that nobody can read.
    pub on_error: HookFailure,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookProgram {
    /// A text for `sh -c`.
    Shell(String),
    /// A program and its arguments.
    Arguments(Vec<String>),
}

impl HookProgram {
    /// The program as messages name it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            HookProgram::Shell(text) => text.clone(),
            HookProgram::Arguments(words) => words.join(" "),
        }
    }
}

/// What the failure of a hook gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookFailure {
    /// Recorded only.
    Pass,
    /// Told to the person.
    #[default]
    Notice,
    /// A person is asked.
    Ask,
    /// Refused.
    Deny,
}
