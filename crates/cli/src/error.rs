//! Why a command that a person ran could not do its work.

use std::io;
use std::path::Path;

use hookgate_secrets::mask;
use hookgate_text::escaped;

/// Why a command could not do its work: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct CommandError(String);

impl CommandError {
    /// What the person has to do differently.
    pub(crate) fn usage(text: impl Into<String>) -> CommandError {
        CommandError(text.into())
    }

    /// A file that could not be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> CommandError {
        let path = path.display().to_string();
        let shown = mask(&path);
        CommandError(format!("{}: {error}", escaped(shown.as_deref().unwrap_or(&path))))
    }
}
