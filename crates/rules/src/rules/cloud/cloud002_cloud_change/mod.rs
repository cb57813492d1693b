//! CLOUD002: cloud resources are changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CLOUD002",
    name: "cloud-change",
    summary: "cloud resources are changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::CloudChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("changes {}", seen.target("cloud resources")))
            .fix("change it through infrastructure code"),
    )
}
