//! INFRA001: infrastructure or its state is destroyed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "INFRA001",
    name: "infrastructure-destroy",
    summary: "infrastructure or its state is destroyed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::InfrastructureDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("destroys {}", seen.target("infrastructure, or what its state records")))
            .fix("show the user what would change, and let them run it"),
    )
}
