//! Where in a text the interpreter is.

use std::rc::Rc;
use std::sync::Arc;

use crate::effect::{Certainty, Output};
use crate::field::{Data, Field};
use hookgate_shell::Span;

/// What holds for a part of the text, and for all that it runs: it is passed down, and never comes back up.
#[derive(Clone)]
pub(crate) struct Scope {
    /// The call whose effects these are.
    pub(crate) call: Option<usize>,
    /// Its place in the event's text.
    pub(crate) span: Span,
    /// How sure it is that this runs.
    pub(crate) certainty: Certainty,
    /// How many carriers and nested texts there are around this.
    pub(crate) depth: u32,
    /// How many loops there are around this.
    pub(crate) loops: u32,
    /// Where `return`, `break` and `continue` lead, if they lead anywhere, and whether a jump is sure to be taken.
    pub(crate) jumps: Jumps,
    /// How many background jobs and pipes there are around this, inside a function.
    pub(crate) forks: u32,
    /// What is on standard input.
    pub(crate) input: Rc<Data>,
    /// Who reads standard output.
    pub(crate) reader: Output,
    /// Standard error goes where standard output goes (`2>&1`).
    pub(crate) errors_join: bool,
    /// The redirections that were applied last made a descriptor stand for a standard output.
    pub(crate) joins_here: bool,
    /// Nothing of the values that are read here is shown (see [`crate::effect::Call::hidden`]).
    pub(crate) hidden: bool,
    /// Of an environment that is printed, only variables with certain names go on, none of which names a secret.
    pub(crate) chosen: bool,
    /// The text that is being read.
    pub(crate) text: Rc<str>,
    /// How places in it relate to the event's text.
    pub(crate) mapping: Mapping,
    /// What the event's text wrote is being tried. Each such file is tried once, not again by each call inside of it.
    pub(crate) tries_written: bool,
    /// It is part of a longer one, as what is typed into a terminal is.
    pub(crate) fragment: bool,
    /// `NAME=value` before the command that is being run.
    pub(crate) environment: Arc<Vec<(String, Option<String>)>>,
}

/// Which jumps of the shell are in their place here. One that isn't fails, and what stands behind it runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Jumps {
    /// A function or a sourced text is running: `return` ends it.
    pub(crate) from_function: bool,
    /// A loop of the same function is running: `break` and `continue` end it.
    pub(crate) from_loop: bool,
    /// A redirection around this may fail, and nothing inside of it runs then.
    pub(crate) redirected: bool,
}

impl Scope {
    /// That of an event's whole text.
    pub(crate) fn whole() -> Scope {
        Scope {
            call: None,
            span: Span::default(),
            certainty: Certainty::Certain,
            depth: 0,
            loops: 0,
            jumps: Jumps::default(),
            forks: 0,
            input: Rc::new(Data::Nothing),
            reader: Output::Agent,
            errors_join: false,
            joins_here: false,
            hidden: false,
            chosen: false,
            text: Rc::from(""),
            mapping: Mapping::At(0),
            tries_written: false,
            fragment: false,
            environment: Arc::default(),
        }
    }
}

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
