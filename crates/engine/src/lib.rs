//! The decision: one function joins all findings, one place asks the machine.

mod consequence;
mod decide;
mod finding;
mod hooks;
mod host;
mod join;
mod native;
mod notify;
mod overrides;
mod questions;
mod record;
mod redact;
mod requirement;
mod rewrite;
mod rewrite_template;
mod rewrite_text;
mod text;

pub use decide::{Judgement, attended, decide};
pub use finding::{Finding, Source};
pub use host::{Count, GitQuestion, Grant, Halt, Host, Pause, ProgramFile, Untracked};
pub use join::{Standing, join};
pub use notify::Notification;
pub use record::{Circumstances, call_name, describe, outcome, record, timestamp};
pub use redact::redact;
pub use requirement::missing;
