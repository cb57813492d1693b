//! CONF002: an edit adds a mark that turns a linter off.

use hookgate_effects::Kind;

use crate::{Check, Kinds, Rule, protected};

pub(crate) const RULE: Rule = Rule {
    code: "CONF002",
    name: "add-suppression",
    summary: "an edit adds a comment or attribute that turns a linter off",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write]),
    check: Check::Text(protected::suppressed),
};
