//! One policy file, read but not yet joined with the others.

use crate::conventions::Conventions;
use crate::gate::Gate;
use crate::hook::SupervisedHook;
use crate::judge::Judge;
use crate::level::Level;
use crate::lint::Lint;
use crate::notify::Notify;
use crate::packages::PackageEntries;
use crate::preset::Preset;
use crate::protect::Protect;
use crate::rewrite::Rewrite;
use crate::rule::{Case, Exception, OwnRule};
use crate::settings::{Audit, ExceptionLimits, Mode, OnError, Retries, Unattended};
use crate::source::{LayerKind, Source};
use std::ops::Range;

/// One policy file.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Which layer it is.
    pub kind: LayerKind,
    /// The file, as messages name it.
    pub path: String,
    /// May it loosen?
    pub trusted: bool,
    /// [`crate::fingerprint`] of its text.
    pub fingerprint: u64,
    pub(crate) presets: Option<Vec<&'static Preset>>,
    pub(crate) mode: Option<Mode>,
    pub(crate) on_error: Option<OnError>,
    pub(crate) unknown: [Option<Level>; 4],
    pub(crate) unattended: Option<Unattended>,
    pub(crate) audit: Option<Audit>,
    pub(crate) brief: Option<bool>,
    /// How many exceptions an agent may take in an hour and in a day.
    pub(crate) exception_limits: Option<ExceptionLimits>,
    /// What becomes of what is tried again after a denial.
    pub(crate) retries: Option<Retries>,
    /// Fingerprints of what is no secret.
    pub(crate) secrets: Vec<String>,
    pub(crate) packages: PackageEntries,
    pub(crate) conventions: Conventions,
    /// Sorted by selector.
    pub(crate) levels: Vec<LevelEntry>,
    pub(crate) rules: Vec<OwnRule>,
    pub(crate) rewrites: Vec<Rewrite>,
    pub(crate) hooks: Vec<SupervisedHook>,
    pub(crate) protect: Vec<Protect>,
    pub(crate) lint: Vec<Lint>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) judges: Vec<Judge>,
    pub(crate) notify: Vec<Notify>,
    /// Codes, groups or `*` of what is asked once per session.
    pub(crate) once: Vec<String>,
    /// Files about programs, relative to this one.
    pub(crate) knowledge: Vec<String>,
    pub(crate) exceptions: Vec<Exception>,
    pub(crate) cases: Vec<Case>,
    /// Codes that are neither built in nor defined in this file: another file may define them.
    pub(crate) foreign: Vec<Reference>,
}

/// An entry of `[rules]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LevelEntry {
    /// A code or a group.
    pub(crate) selector: String,
    pub(crate) level: Option<Level>,
    /// May the agent take an exception to it, with a reason in the command?
    pub(crate) agent_exceptions: Option<bool>,
}

/// A place that names a rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reference {
    pub(crate) code: String,
    pub(crate) span: Range<usize>,
    pub(crate) key: &'static str,
}

impl Layer {
    pub(crate) fn empty(source: &Source<'_>) -> Layer {
        Layer {
            kind: source.kind,
            path: source.path.to_owned(),
            trusted: source.trusted || !source.kind.is_in_repository(),
            fingerprint: crate::fingerprint(source.text),
            presets: None,
            mode: None,
            on_error: None,
            unknown: [None; 4],
            unattended: None,
            audit: None,
            brief: None,
            exception_limits: None,
            retries: None,
            secrets: Vec::new(),
            packages: PackageEntries::default(),
            conventions: Conventions::default(),
            levels: Vec::new(),
            rules: Vec::new(),
            rewrites: Vec::new(),
            hooks: Vec::new(),
            protect: Vec::new(),
            lint: Vec::new(),
            gates: Vec::new(),
            judges: Vec::new(),
            notify: Vec::new(),
            once: Vec::new(),
            knowledge: Vec::new(),
            exceptions: Vec::new(),
            cases: Vec::new(),
            foreign: Vec::new(),
        }
    }

    /// Is it the managed policy, and does it say what is guarded?
    pub(crate) fn is_a_floor(&self) -> bool {
        self.kind == LayerKind::Managed
            && !(self.presets.is_none() && self.levels.is_empty() && self.rules.is_empty())
    }

    /// The entry for a code: its own, else its group's.
    pub(crate) fn entry(&self, selector: &str) -> Option<&LevelEntry> {
        let at = self.levels.binary_search_by(|entry| entry.selector.as_str().cmp(selector)).ok()?;
        self.levels.get(at)
    }

    /// What it says about a rule: the rule's own entry wins over its group's.
    pub(crate) fn level(&self, code: &str) -> Option<Level> {
        let own = self.entry(code).and_then(|entry| entry.level);
        own.or_else(|| self.entry(crate::code::group_of(code)).and_then(|entry| entry.level))
    }

    /// What it says about an agent's exceptions to a rule, in the same order.
    pub(crate) fn agent_exceptions(&self, code: &str) -> Option<bool> {
        let own = self.entry(code).and_then(|entry| entry.agent_exceptions);
        own.or_else(|| self.entry(crate::code::group_of(code)).and_then(|entry| entry.agent_exceptions))
    }
}
