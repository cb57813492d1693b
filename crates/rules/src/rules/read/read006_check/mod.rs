//! READ006: checking the project's sources without changing them is granted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ006",
    name: "check",
    summary: "checking the project's sources without changing them is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Lint]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.cover("checks sources without changing them")
}
