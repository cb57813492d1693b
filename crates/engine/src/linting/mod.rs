//! `[[lint]]`: linters and formatters on the files that a call has changed.

mod event;
mod job;
mod plan;

pub(crate) use event::lint_event;
pub use job::{Changed, Job, Report, lint};
