//! Where a policy comes from.

/// Where a policy comes from. The order is that of authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LayerKind {
    /// Beside the project's file, not committed.
    Local,
    /// In the repository.
    Project,
    /// The person's own.
    User,
    /// The machine's, by whoever administers it.
    Managed,
}

impl LayerKind {
    /// Does the file lie in the repository, where the agent and strangers can write?
    #[must_use]
    pub fn is_in_repository(self) -> bool {
        matches!(self, LayerKind::Local | LayerKind::Project)
    }

    /// The name that messages use.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LayerKind::Local => "local",
            LayerKind::Project => "project",
            LayerKind::User => "user",
            LayerKind::Managed => "managed",
        }
    }
}

/// A policy file's text.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Which layer it is.
    pub kind: LayerKind,
    /// The file, as messages name it.
    pub path: &'a str,
    /// What is in it.
    pub text: &'a str,
    /// A person trusts this very content. Managed and user files always are.
    pub trusted: bool,
}
