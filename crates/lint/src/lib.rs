//! Linters and formatters: which files they read, how they are run, what their output says, what their settings mean and how a
//! source text turns them off.
//!
//! What is particular to one of them is a file of rows below `knowledge/linters/`; this crate holds the mechanisms. Everything
//! here is text in, values out: nothing is read, written or run.

mod finding;
mod linter;
mod output;
mod settings;
mod suppression;

pub use finding::{Finding, in_new_lines, new_findings};
pub use linter::{Linter, Phase, Settings};
pub use output::{Fields, Output, OutputError, Shape};
pub use settings::{Change, Direction, Format, compare, read};
pub use suppression::{Suppression, added};
