//! The decision: [`judge`] is a pure function of its input, one function joins all findings, and what is to be written is
//! returned.

mod alongside;
mod brief;
mod cause;
mod change;
mod claims;
mod consequence;
mod endings;
mod finding;
mod guardian;
mod hooks;
mod host;
mod input;
mod installed;
mod join;
mod judge;
mod linting;
mod native;
mod notes;
mod notify;
mod overrides;
mod pass;
mod prompts;
mod proof;
mod questions;
mod record;
mod redact;
mod requirement;
mod retries;
mod rewrite;
mod rewrite_template;
mod rewrite_text;
mod secrets;
mod settle;
mod text;
mod times;

pub use alongside::hears_of_sessions;
pub use brief::{LONGEST_BRIEF, brief};
pub use cause::Cause;
pub use endings::{Rung, RungOutcome, ask_judge, judge_name};
pub use finding::{Excuse, Finding, Source};
pub use guardian::protected_changes;
pub use hooks::{Heard, hear};
pub use host::{
    Count, GitQuestion, Grant, GrantUse, Halt, Host, Memory, Pause, ProgramCall, ProgramEnd, ProgramFile,
    ProgramOutcome, Untracked,
};
pub use input::{Input, attended};
pub use installed::moves_the_gate;
pub use join::{Standing, join};
pub use judge::{Judged, judge, judge_found};
pub use linting::{Changed, Job, Report, lint};
pub use notes::{Note, decide};
pub use notify::Notification;
pub use pass::level;
pub use record::{Circumstances, call_name, describe, failure, outcome, record, timestamp};
pub use redact::redact;
pub use requirement::missing;
pub use times::Time;
