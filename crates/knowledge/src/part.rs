//! What a call says to people.

macro_rules! parts {
    ($($(#[doc = $text:literal])+ $part:ident = $name:literal,)+) => {
        /// A part of what a call says. The names stand behind `says:` in knowledge files.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Part {
            $($(#[doc = $text])+ $part,)+
        }

        impl Part {
            /// Every part with its name; a compiled table holds positions in this list.
            pub const ALL: &'static [(Part, &'static str)] = &[$((Part::$part, $name),)+];
        }
    };
}

parts! {
    /// A commit's message, or a paragraph of it.
    Message = "message",
    /// A line at the end of a commit's message: `Signed-off-by: ...`.
    Trailer = "trailer",
    /// A message that exists already is used again, with a mark of git's own.
    Reused = "reused",
    /// The message of that revision is used again as it is.
    Repeated = "repeated",
    /// A commit is signed off.
    SignOff = "sign-off",
    /// A commit is signed.
    Signature = "signature",
    /// The title of a pull request.
    PullTitle = "pull-title",
    /// What it is about exists already: it is changed.
    Existing = "existing",
    /// The body of a pull request.
    PullBody = "pull-body",
    /// The branch into which a pull request goes.
    Base = "base",
    /// A label.
    Label = "label",
    /// The title of an issue.
    IssueTitle = "issue-title",
    /// The body of an issue.
    IssueBody = "issue-body",
    /// A person or the program writes the text.
    Filled = "filled",
    /// A path that is staged; its text is the absolute path.
    Staged = "staged",
    /// The name of a new branch.
    NewBranch = "new-branch",
    /// A commit takes other changes than those that are staged, or needs none: all of them, named files, an older commit again.
    Unstaged = "unstaged",
    /// The message of a merge, or a paragraph of it.
    MergeMessage = "merge-message",
    /// The message of a tag or a note, or a paragraph of it.
    Annotation = "annotation",
    /// The remote that a call talks to, by its name or address.
    Remote = "remote",
    /// The name of a remote that is added.
    NewRemote = "new-remote",
    /// Tags are pushed.
    Tags = "tags",
    /// Only files that git knows already are staged.
    Known = "known",
    /// The directory of the repository, where the call names it; its text is the absolute path.
    Repository = "repository",
}

impl Part {
    /// The part of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Part> {
        Part::ALL.iter().find(|(_, known)| *known == name).map(|(part, _)| *part)
    }
}
