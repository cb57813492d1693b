//! Sets of effect kinds: what decides, in a few instructions, which rules an event can interest at all.

use hookgate_effects::Kind;

/// A set of [`Kind`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u128);

// Every kind has its bit.
const _: () = assert!(Kind::Unknown(hookgate_effects::Unknown::Unparsed).index() < 128);

impl Kinds {
    /// The empty set.
    pub const NONE: Kinds = Kinds(0);

    /// Everything that changes or takes away what is at a path.
    pub const CHANGES: Kinds = Kinds::of(&[
        Kind::Write,
        Kind::Append,
        Kind::Delete,
        Kind::Move,
        Kind::Link,
        Kind::Permission,
        Kind::Ownership,
        Kind::Destroy,
    ]);

    /// The set of these kinds.
    #[must_use]
    pub const fn of(kinds: &[Kind]) -> Kinds {
        let mut bits = 0;
        let mut rest = kinds;
        while let [first, others @ ..] = rest {
            bits |= 1 << first.index();
            rest = others;
        }
        Kinds(bits)
    }

    /// Is the kind in it?
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind.index()) != 0
    }

    /// Do the two share a kind?
    #[must_use]
    pub const fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Is nothing in it?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Both sets.
    #[must_use]
    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Its members, in the vocabulary's order, the unknowns last.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        use hookgate_effects::Unknown;
        let unknowns = [Unknown::Program, Unknown::Target, Unknown::Command, Unknown::Unparsed];
        Kind::ALL
            .iter()
            .map(|(kind, ..)| *kind)
            .chain(unknowns.into_iter().map(Kind::Unknown))
            .filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Kinds {
        Kinds(kinds.into_iter().fold(0, |bits, kind| bits | (1 << kind.index())))
    }
}
