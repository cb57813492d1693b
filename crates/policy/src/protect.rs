//! `[[protect]]`: files and tables of files that an agent may not weaken.

use hookgate_lint::Linter;

use crate::level::Level;
use crate::pattern::PathPattern;
use crate::source::LayerKind;

/// What an agent may not weaken, and what it gets if it tries.
#[derive(Clone, Debug, PartialEq)]
pub struct Protect {
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// Files, and tables of files.
    pub paths: Vec<ProtectedPath>,
    /// The settings of these linters, as far as they exist.
    pub linters: Vec<Linter>,
    /// What a change gets: warn, ask or deny.
    pub level: Level,
    /// May a change pass that surely only makes the settings stricter?
    pub stricter: bool,
}

/// A file that may not be weakened, or one of its tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtectedPath {
    /// Which files.
    pub pattern: PathPattern,
    /// The table, with dots (`tool.ruff`); empty for all of the file.
    pub table: String,
}

impl Protect {
    /// Nothing is protected yet.
    pub(crate) fn new(layer: LayerKind) -> Protect {
        Protect { layer, paths: Vec::new(), linters: Vec::new(), level: Level::Deny, stricter: true }
    }
}
