//! Drives the real agents against loopback mocks of their model APIs, with hookgate behind their hooks.
//!
//! Nothing here needs credentials: the client is a public package, and the only network it sees is a mock on the
//! loopback interface. A scenario scripts what the model says, and checks what the model was told and what ran.

pub mod alternatives;
mod beside;
mod carried;
mod client;
mod comparison;
mod endings;
mod files;
mod installing;
mod messages_api;
mod models;
pub mod opinions;
pub mod permissions;
mod scenarios;
mod session;
pub mod six_hooks;
mod taken_away;
mod worktrees;

pub use client::{ClientError, claude_code};
pub use comparison::compare;
pub use messages_api::{MessagesApi, Seen, Turn};
pub use scenarios::{Scenario, scenarios};
pub use session::{Lab, MODEL_API, Outcome, Session};
