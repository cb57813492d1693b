//! Hooks in a settings file: hookgate's own and those of others.

use serde_json::Value;

/// One hook that hookgate registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The event, by the agent's name.
    pub event: String,
    /// The program: an absolute path, or the bare name in files that others share.
    pub command: String,
    /// What follows it.
    pub arguments: Vec<String>,
    /// Seconds after which the agent gives up on it.
    pub timeout: u64,
    /// The agent refuses the call where the hook can't run.
    pub block_on_failure: bool,
}

/// A hook that is not hookgate's.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    /// The event, by the agent's name.
    pub event: String,
    /// The matcher of its group.
    pub matcher: Option<String>,
    /// What it says.
    pub value: Value,
}

/// Why a settings file can't be edited.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// Not JSON.
    #[error("the settings aren't valid JSON ({0}); fix them first")]
    Syntax(String),
    /// JSON of another shape.
    #[error("`{0}` in the settings is not {1}, so the agent would ignore the file; fix it first")]
    Shape(String, &'static str),
}
