//! What is known of a session: hookgate's own record of it, and the agent's transcript.
//!
//! The record is written by hookgate from the events themselves, so that no text that a tool prints gets into its facts. The
//! transcript is the agent's own file; what is read there is somebody's words and never a fact.

mod entry;
mod record;
mod trace;
mod transcript;

pub use entry::{Entry, LONGEST_TEXT, TestRun, What, bounded};
pub use record::Record;
pub use trace::{Neighbour, Trace};
pub use transcript::{Speaker, Tail, Turn, last_turns};
