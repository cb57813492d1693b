//! INFRA003: infrastructure is changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "INFRA003",
    name: "apply",
    summary: "infrastructure is changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::InfrastructureChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("changes {}", seen.target("infrastructure"))).fix("show the user the plan first"))
}
