//! Settings files, compared by what they mean.

mod compare;
mod meaning;
mod text;
mod yaml;

pub use compare::{Change, Direction, compare};
pub(crate) use meaning::Meanings;
pub use text::{Format, read};
