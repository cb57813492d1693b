//! How something is done, where that matters to who judges it.

/// A set of manners: the constants below. Files say them as `manner = ["unseen"]`, and of options as `=> ~unseen`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner(u32);

macro_rules! manners {
    ($($(#[doc = $text:literal])+ $manner:ident = $name:literal,)+) => {
        /// The places of the manners in a set.
        #[expect(clippy::upper_case_acronyms, non_camel_case_types, reason = "they are called as the constants are")]
        enum Index { $($manner,)+ }

        impl Manner {
            $($(#[doc = $text])+ pub const $manner: Manner = Manner(1 << Index::$manner as u32);)+

            /// Every manner with its name.
            pub const ALL: &'static [(Manner, &'static str)] = &[$((Manner::$manner, $name),)+];
        }
    };
}

manners! {
    /// Nobody is shown what changes before it does (`-auto-approve`).
    UNSEEN = "unseen",
    /// All of a repository's history.
    WHOLE = "whole",
    /// Commits that can still be amended.
    AMENDABLE = "amendable",
    /// Without a signature.
    UNSIGNED = "unsigned",
    /// One of several versions is taken, and each of them is a commit.
    RESOLVES = "resolves",
    /// Files that git doesn't keep are taken.
    UNTRACKED = "untracked",
    /// A branch is put elsewhere; its log knows where it was.
    MOVES = "moves",
    /// What has a log of its own goes, and the log with it.
    DELETES = "deletes",
    /// The program refuses where something would be lost.
    CAREFUL = "careful",
    /// In a repository that the same text makes.
    FRESH = "fresh",
    /// What only tests use.
    FOR_TESTS = "for-tests",
    /// Somebody logs in.
    LOGIN = "login",
    /// A package, by its name.
    BY_NAME = "by-name",
    /// Part of the call's words is computed.
    COMPUTED = "computed",
    /// Encoded data stands in the name of a host.
    ENCODED = "encoded",
    /// Everybody may write.
    EVERYONE = "everyone",
    /// A mode is said, and it doesn't let everybody write.
    OWN_MODE = "own-mode",
    /// A program takes its own key or settings from the file, and shows nothing of it.
    USED = "used",
    /// Nothing that is secret of what the file holds is shown.
    PUBLIC = "public",
    /// The settings that it takes are shown.
    SHOWS = "shows",
    /// A repository begins, where files may lie already.
    BEGINS = "begins",
    /// A store of data goes, with all that it holds.
    STORE = "store",
    /// Something that all work in a repository shares.
    SHARED = "shared",
    /// A shell of this machine is handed to the other end.
    HANDED = "handed",
    /// Of what it names, only files that commits keep go.
    KEPT = "kept",
    /// A directory is made, and nothing in it.
    DIRECTORY = "directory",
    /// What a linter finds is marked to be ignored, and not corrected.
    SUPPRESSES = "suppresses",
    /// To a host on which the repository has no remote.
    ELSEWHERE = "elsewhere",
    /// A repository keeps it from then on.
    STAGED = "staged",
}

impl Manner {
    /// Does the set hold all of `other`?
    #[must_use]
    pub const fn contains(self, other: Manner) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets.
    #[must_use]
    pub const fn and(self, other: Manner) -> Manner {
        Manner(self.0 | other.0)
    }

    /// This set, less the other.
    #[must_use]
    pub const fn without(self, other: Manner) -> Manner {
        Manner(self.0 & !other.0)
    }

    /// This one, if `holds`; otherwise the empty set.
    #[must_use]
    pub fn only_if(self, holds: bool) -> Manner {
        if holds { self } else { Manner::default() }
    }

    /// The manner of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Manner> {
        Manner::ALL.iter().find(|(_, known)| *known == name).map(|(manner, _)| *manner)
    }

    /// The place of a single manner in [`Manner::ALL`].
    pub(crate) fn index(self) -> u8 {
        u8::try_from(self.0.trailing_zeros()).unwrap_or(u8::MAX)
    }

    /// The manner at that place.
    pub(crate) fn from_index(index: u8) -> Option<Manner> {
        Manner::ALL.get(usize::from(index)).map(|(manner, _)| *manner)
    }
}

impl FromIterator<Manner> for Manner {
    fn from_iter<I: IntoIterator<Item = Manner>>(manners: I) -> Manner {
        manners.into_iter().fold(Manner::default(), Manner::and)
    }
}
