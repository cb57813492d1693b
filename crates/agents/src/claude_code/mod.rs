//! Claude Code: the protocol of release 2.1.330, tolerant of older and newer ones.

mod decode;
mod document;
mod hook_output;
mod repair;
mod respond;
mod terminal;
mod text;

pub use decode::{Decoded, Problem, decode};
pub use hook_output::{HookOutput, HookReply, read_hook_output};
pub use respond::{failure_answer, respond};
