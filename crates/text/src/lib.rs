//! Text that a model, a person, a log or a terminal reads (law 12): our own words, and foreign text only in quotes.

mod message;
mod quoted;

pub use message::{Message, Said, check_said, is_plain};
pub use quoted::{LONGEST, Quoted, escaped};
