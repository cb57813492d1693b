//! SESS001: what was denied in the session is tried again.

use crate::{Check, Kinds, Rule};

// What is found is found by the engine, which remembers what was denied.
pub(crate) const RULE: Rule = Rule {
    code: "SESS001",
    name: "tried-again",
    summary: "what was denied in the session is tried again",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(|_, _| {}),
};
