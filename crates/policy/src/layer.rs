//! One policy file, read but not yet joined with the others.

use crate::gate::Gate;
use crate::hook::SupervisedHook;
use crate::judge::Judge;
use crate::lint::Lint;
use crate::model::{Audit, Level, Mode, OnError, Unattended};
use crate::notify::Notify;
use crate::packages::PackageEntries;
use crate::preset::Preset;
use crate::protect::Protect;
use crate::rewrite::Rewrite;
use crate::rule::{Case, Exception, OwnRule};
use std::ops::Range;

/// Where a policy comes from. The order is that of authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    /// Beside the project's file, not committed.
    Local,
    /// In the repository.
    Project,
    /// The person's own.
    User,
    /// The machine's, by whoever administers it.
    Managed,
}

impl LayerKind {
    /// Does the file lie in the repository, where the agent and strangers can write?
    #[must_use]
    pub fn is_in_repository(self) -> bool {
        matches!(self, LayerKind::Local | LayerKind::Project)
    }

    /// The name that messages use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LayerKind::Local => "local",
            LayerKind::Project => "project",
            LayerKind::User => "user",
            LayerKind::Managed => "managed",
        }
    }
}

/// A policy file's text.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Which layer it is.
    pub kind: LayerKind,
    /// The file, as messages name it.
    pub path: &'a str,
    /// What is in it.
    pub text: &'a str,
    /// A person trusts this very content. Managed and user files always are.
    pub trusted: bool,
}

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
    pub(crate) packages: PackageEntries,
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
            packages: PackageEntries::default(),
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

    /// The entry for a code: its own, else its group's.
    pub(crate) fn entry(&self, selector: &str) -> Option<&LevelEntry> {
        let at = self.levels.binary_search_by(|entry| entry.selector.as_str().cmp(selector)).ok()?;
        self.levels.get(at)
    }

    /// What it says about a rule: the rule's own entry wins over its group's.
    pub(crate) fn level(&self, code: &str) -> Option<Level> {
        let own = self.entry(code).and_then(|entry| entry.level);
        own.or_else(|| self.entry(crate::read::group_of(code)).and_then(|entry| entry.level))
    }
}
