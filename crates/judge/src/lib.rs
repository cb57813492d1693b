//! Judging by a model: what it is asked, how its answer is read whatever it looks like, and what becomes of that.
//!
//! Pure: a [`Model`] is whoever answers. A model's text never reaches an agent as it is; what blocks is decided here, and only
//! by a verdict of *not met* whose quote occurs in the evidence, said twice.

mod answer;
mod ladder;
mod prompt;
mod provider;

pub use answer::{Unreadable, Verdict, VerdictKind, read_answer};
pub use ladder::{Cost, Failure, Judgement, Model, Outcome, Reply, Sample, judge};
pub use prompt::{Evidence, PROMPT_VERSION, Prompt, Question, prompt};
pub use provider::{Call, Wire, body, read_body};
