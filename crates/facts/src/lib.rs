//! The vocabulary that readers, interpreter, rules and policies share: effects and what they are done to, words with
//! unknown parts, paths and where they lie, and the read-only questions that may be asked about the machine.

pub mod effect;
pub mod escapes;
pub mod field;
pub mod host;
pub mod paths;
pub mod world;

pub use effect::{
    Argument, Call, Certainty, Composed, Effect, Effects, FileText, Kind, Manner, Output, Part, PathFact,
    Place, Said, Target, Traits, Unknown,
};
pub use host::is_loopback;
pub use world::{Entry, EntryKind, Places, Step, Taken, World};
