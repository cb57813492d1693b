//! `[[lint]]`: linters and formatters that run on what an agent has changed.

use std::time::Duration;

use hookgate_lint::{Linter, Output};

use crate::event_set::EventSet;
use crate::glob::Glob;
use crate::level::Level;
use crate::pattern::PathPattern;
use crate::source::LayerKind;

/// Linters that run on changed files.
#[derive(Clone, Debug, PartialEq)]
pub struct Lint {
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The events that it runs on: after each call, or after all calls of a message.
    pub on: EventSet,
    /// Which files; those that its linters read if there are none.
    pub files: Vec<PathPattern>,
    /// What runs.
    pub tools: Vec<LintTool>,
    /// What it runs for.
    pub phases: LintPhases,
    /// What open findings get: note, warn or deny.
    pub level: Level,
    /// How long all of it may take.
    pub deadline: Duration,
    /// Who may work on what the linters can't correct: the first whose conditions hold.
    pub delegates: Vec<Delegate>,
}

/// A linter or formatter.
#[derive(Clone, Debug, PartialEq)]
pub enum LintTool {
    /// One that hookgate knows.
    Known(Linter),
    /// Any other.
    Own {
        /// Its program and arguments, with `{file}` or `{files}` for what it runs on.
        run: Vec<String>,
        /// How its output is read.
        output: Box<Output>,
    },
}

impl LintTool {
    /// Its name in findings.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            LintTool::Known(linter) => linter.name(),
            LintTool::Own { run, .. } => {
                run.first().map_or("", |program| program.rsplit('/').next().unwrap_or(program))
            }
        }
    }
}

/// What linters run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LintPhases {
    /// To format.
    pub format: bool,
    /// To correct what they can.
    pub fix: bool,
    /// To find what is wrong.
    pub check: bool,
}

/// A headless agent that works on findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Delegate {
    /// Its program and arguments; it reads the task from standard input.
    pub run: Vec<String>,
    /// Findings of these codes; all if there are none.
    pub codes: Vec<Glob>,
    /// At least that many findings.
    pub at_least: usize,
    /// How long it may take.
    pub deadline: Duration,
}

impl Lint {
    pub(crate) fn new(layer: LayerKind) -> Lint {
        Lint {
            layer,
            on: EventSet::from_name("PostToolUse").unwrap_or(EventSet::NONE),
            files: Vec::new(),
            tools: Vec::new(),
            phases: LintPhases { format: true, fix: true, check: true },
            level: Level::Deny,
            deadline: Duration::from_secs(20),
            delegates: Vec::new(),
        }
    }

    /// How long an event may take because of it.
    #[must_use]
    pub fn patience(&self) -> Duration {
        let longest = self.delegates.iter().map(|delegate| delegate.deadline).max().unwrap_or_default();
        self.deadline + longest
    }
}
