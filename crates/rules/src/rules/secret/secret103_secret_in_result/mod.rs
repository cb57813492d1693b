//! SECRET103: a tool's result holds a secret.

use crate::{Check, Kinds, Rule};

// What is found is found by the engine, which also takes it out of the result.
pub(crate) const RULE: Rule = Rule {
    code: "SECRET103",
    name: "secret-in-result",
    summary: "a tool's result holds a secret",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(|_, _| {}),
};
