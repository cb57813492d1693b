//! CLOUD001: cloud resources are deleted.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CLOUD001",
    name: "cloud-destroy",
    summary: "cloud resources are deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::CloudDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("deletes {}", seen.target("cloud resources, or takes them offline")))
            .fix("take a snapshot first, and let the user delete it"),
    )
}
