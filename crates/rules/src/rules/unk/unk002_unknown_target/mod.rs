//! UNK002: something harmful is done to a target that is computed.

use hookgate_effects::{Kind, Unknown};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK002",
    name: "unknown-target",
    summary: "something harmful is done to a target that is computed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Target)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("does harm to {}", seen.target("something that is computed")))
            .fix("write the target out"),
    )
}
