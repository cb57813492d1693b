//! Where in a text the interpreter is.

use crate::field::Field;
use hookgate_shell::Span;

/// Where a text that is being read stands in the event's text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mapping {
    /// Letter by letter, beginning at this byte.
    At(u32),
    /// Nowhere, or not letter by letter: everything in it is at this place.
    Within(Span),
}

impl Mapping {
    /// The place in the event's text.
    pub(crate) fn place(self, span: Span) -> Span {
        match self {
            Mapping::At(offset) => {
                Span { start: span.start.saturating_add(offset), end: span.end.saturating_add(offset) }
            }
            Mapping::Within(span) => span,
        }
    }
}

/// For how long a variable is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lasts {
    /// For one call, and what that runs.
    ForCall,
    /// For all that follows.
    FromHere,
}

/// A variable of the call that is being run.
#[derive(Clone, Debug)]
pub(crate) struct Deferred {
    /// Its name.
    pub(crate) name: String,
    /// Its value.
    pub(crate) value: Field,
    /// Something has been reached already.
    pub(crate) reached: bool,
}
