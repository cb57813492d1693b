//! How long the programs took that an event was answered with.

/// What one run took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Time {
    /// The tool.
    pub tool: String,
    /// What it ran for.
    pub phase: &'static str,
    /// Milliseconds.
    pub millis: u64,
}
