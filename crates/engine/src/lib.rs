//! The decision: one function joins all findings, one place asks the machine.

mod finding;
mod host;
mod join;
mod redact;
mod text;

pub use finding::{Finding, Source};
pub use host::Host;
pub use join::{Standing, join};
pub use redact::redact;
