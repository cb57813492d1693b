//! How a condition is asked about what isn't known.

/// For whom a condition is asked, and which way round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Only what surely holds does; otherwise what may hold does.
    pub(super) certain: bool,
    /// Something gets looser if the whole condition holds: it is a grant's or an exception's.
    loosens: bool,
}

impl Asked {
    /// By a rule that restricts.
    pub(super) const TO_RESTRICT: Asked = Asked { certain: false, loosens: false };
    /// By a grant or an exception.
    pub(super) const TO_LOOSEN: Asked = Asked { certain: true, loosens: true };

    /// Inside of a `not`.
    pub(super) fn negated(self) -> Asked {
        Asked { certain: !self.certain, ..self }
    }

    /// Does a text match that can't be seen? Nearly every call writes some: a rule that restricts would be about all of them, so only
    /// what loosens takes it for a match, where that withholds.
    pub(super) fn unseen(self) -> bool {
        self.loosens && !self.certain
    }
}
