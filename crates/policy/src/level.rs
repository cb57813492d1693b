//! What a rule that hits asks for.

/// What a rule that hit asks for. Its one order is [`Level::strictness`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// Not judged.
    #[default]
    Off,
    /// Recorded only.
    Note,
    /// A grant for the effects that the rule covers.
    Allow,
    /// Context for the agent, no decision.
    Warn,
    /// A person is asked.
    Ask,
    /// Refused.
    Deny,
    /// Refused, and the turn ends.
    Halt,
}

impl Level {
    /// The levels in the order of strictness (law 9): a grant is looser than silence.
    pub const STRICTNESS: [Level; 7] =
        [Level::Allow, Level::Off, Level::Note, Level::Warn, Level::Ask, Level::Deny, Level::Halt];

    /// The level of that name; `pass` is another name for `off`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Level> {
        Level::STRICTNESS.into_iter().find(|level| level.name() == name)
    }

    /// The level's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Note => "note",
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Ask => "ask",
            Level::Deny => "deny",
            Level::Halt => "halt",
        }
    }

    /// Its rank in the order of strictness.
    #[must_use]
    pub const fn strictness(self) -> u8 {
        match self {
            Level::Allow => 0,
            Level::Off => 1,
            Level::Note => 2,
            Level::Warn => 3,
            Level::Ask => 4,
            Level::Deny => 5,
            Level::Halt => 6,
        }
    }

    /// Does it stop a call: is a person asked, or the call refused?
    #[must_use]
    pub const fn stops(self) -> bool {
        matches!(self, Level::Ask | Level::Deny | Level::Halt)
    }

    /// Does it refuse a call?
    #[must_use]
    pub const fn refuses(self) -> bool {
        matches!(self, Level::Deny | Level::Halt)
    }

    /// The stricter of two.
    #[must_use]
    pub const fn stricter(self, other: Level) -> Level {
        if self.strictness() >= other.strictness() { self } else { other }
    }
}
