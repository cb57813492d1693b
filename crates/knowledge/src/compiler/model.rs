//! What the files say, before it is written.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::likeness::Base;
use crate::facet::Facet;
use crate::kind::Kind;
use crate::manner::Manner;
use crate::part::Part;
use crate::role::Role;

/// What a file, or one subcommand in it, says.
#[derive(Clone, Debug, Default)]
pub(super) struct Specification {
    pub(super) options: Vec<OptionLine>,
    /// What it starts from.
    pub(super) base: Option<Base>,
    /// `None` where the file has no such key.
    pub(super) unlisted: Option<Unlisted>,
    /// `None` where the file has no such key.
    pub(super) operands: Option<Vec<Operand>>,
    /// `None` where the file has no such key.
    pub(super) effects: Option<Vec<Effect>>,
    pub(super) subcommands: BTreeMap<String, Subcommand>,
    /// `[subs]`: path to what is said of it.
    pub(super) short: BTreeMap<String, Rc<Short>>,
    pub(super) default: Option<Box<Specification>>,
    pub(super) handler: Option<String>,
    pub(super) facets: Vec<(Facet, Saying)>,
}

/// What an option is that nobody lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unlisted {
    Unknown,
    Doubt,
    Operand,
}

/// What entries of `[subs]` share.
#[derive(Debug, Default)]
pub(super) struct Short {
    pub(super) options: Rc<Vec<OptionLine>>,
    pub(super) effects: Vec<Effect>,
}

/// The value of a facet.
#[derive(Clone, Debug)]
pub(super) enum Saying {
    Flag,
    Text(String),
    Texts(Vec<String>),
}

/// `[sub.x]`
#[derive(Clone, Debug, Default)]
pub(super) struct Subcommand {
    pub(super) aliases: Vec<String>,
    pub(super) specification: Specification,
}

/// One line of `options`.
#[derive(Clone, Debug, Default)]
pub(super) struct OptionLine {
    pub(super) names: Vec<String>,
    /// How the value is taken, and what it is.
    pub(super) value: Option<(ValueForm, Role)>,
    /// Bits of `format::mark`.
    pub(super) marks: u8,
    pub(super) changes: Vec<Change>,
}

/// How a value is written; the numbers are those of the compiled base.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueForm {
    Required = 1,
    Optional = 2,
    Attached = 3,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Nothing,
    RemoveAll,
    Remove(Kind),
    Add(Kind),
    How(Manner),
    Says(Part),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) role: Role,
    pub(super) count: Count,
    pub(super) effect: Option<Kind>,
    pub(super) says: Option<Part>,
}

/// How many words an operand stands for; the numbers are those of the compiled base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    One = 0,
    Optional = 1,
    Some = 2,
    Any = 3,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) kind: Kind,
    pub(super) target: Option<String>,
}
