//! Policy files: text in, typed policy or precise errors out.
//!
//! [`Policy::load`] reads the layers (managed, user, project, local) and joins them over the presets. Nothing here
//! reads a file or judges an event. [`keys::KEYS`] is the one description of every key: unknown keys are found by it,
//! and the JSON schema ([`schema`]) and the reference page ([`reference()`]) are generated from it.

mod authority;
mod code;
mod conventions;
mod date;
mod diagnostic;
mod edit;
mod entries;
mod event_set;
mod gate;
mod glob;
mod hash;
mod hook;
pub mod imported;
mod join;
mod judge;
pub mod keys;
mod layer;
mod level;
mod lint;
mod model;
mod notify;
mod packages;
mod pattern;
mod preset;
mod protect;
mod read;
mod reference;
mod rewrite;
mod rule;
mod schema;
mod settings;
mod source;

pub use conventions::{
    AddConvention, BranchConvention, CommitConvention, Conventions, Followed, IssueConvention,
    PullRequestConvention, PushConvention, References, ScopeUse, TitleStyle,
};
pub use date::Date;
pub use diagnostic::{Diagnostic, REFERENCE, Severity};
pub use edit::{stated, with_exception, with_level, with_presets};
pub use entries::{Entry, entries};
pub use event_set::EventSet;
pub use gate::{Gate, GateCheck};
pub use glob::{Glob, GlobError};
pub use hash::{digest, fingerprint};
pub use hook::{HookFailure, HookProgram, SupervisedHook};
pub use judge::{Criterion, EvidenceKind, Judge, JudgeFailure, KeySource, ModelName, Provider};
pub use layer::Layer;
pub use level::Level;
pub use lint::{Delegate, Lint, LintPhases, LintTool};
pub use model::Policy;
pub use notify::{Notify, NotifyBy, NotifyDecisions, TerminalForm};
pub use packages::{Ecosystem, PackageLevel, PackageManager, PackagePolicy, Packages};
pub use pattern::{ArgumentPattern, Base, PathPattern, RunPattern, TextPattern};
pub use preset::Preset;
pub use protect::{Protect, ProtectedPath};
pub use read::{Check, KnownRule, Vocabulary};
pub use reference::{describe, reference};
pub use rewrite::{
    Requirement, Rewrite, RewriteDecision, RewriteFallback, Template, TemplateError, TemplatePiece,
    TemplateWord, Version,
};
pub use rule::{Access, Case, CaseInput, Condition, Exception, OwnRule};
pub use schema::schema;
pub use settings::{
    Audit, AuditContent, ExceptionLimits, Mode, OnError, Retries, Secrets, Unattended, UnknownLevels,
};
pub use source::{LayerKind, Source};

use hookgate_agents::{Map, Value};
