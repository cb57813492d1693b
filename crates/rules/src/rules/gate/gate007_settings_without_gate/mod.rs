//! GATE007: the agent's settings no longer run hookgate.

use crate::{Check, Kinds, Rule};

// What is found is found by the engine, which can read the settings.
pub(crate) const RULE: Rule = Rule {
    code: "GATE007",
    name: "settings-without-gate",
    summary: "the agent's settings no longer run hookgate",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(|_, _| {}),
};
