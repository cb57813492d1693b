//! SECRET002: a secret is sent away.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET002",
    name: "exfiltrate",
    summary: "a secret is sent away",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Exfiltrate]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("sends a secret to {}", seen.target("the network")))
            .fix("send nothing that holds a secret")
            .forbidden(),
    )
}
