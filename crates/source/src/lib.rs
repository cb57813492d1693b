//! Source files: which language a text is in, whether it can be read, and what stands in it that shouldn't.
//!
//! Everything here is text in, values out, in time linear in the text: nothing is read, written or run. Names and marks are rows of
//! `knowledge/paths/sources.toml`. What needs a language's own linter is left to linters.

mod docker;
mod language;
mod lines;
mod markdown;
mod marks;
mod syntax;
mod workflow;

pub use language::{Language, is_markdown, is_sample, is_workflow};
pub use lines::{Changed, Place};
pub use markdown::markdown;
pub use marks::{conflict_markers, generated_by, is_task, open_tasks, unprintable};
pub use syntax::{LARGEST, broken, is_template};
pub use workflow::{ActionProblem, actions, injections, permissions};

/// Something in a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What, in words: lowercase, no full stop. It may hold words of the text.
    pub what: String,
}
