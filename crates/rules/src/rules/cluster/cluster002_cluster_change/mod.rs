//! CLUSTER002: cluster resources are changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CLUSTER002",
    name: "cluster-change",
    summary: "cluster resources are changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ClusterChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("changes {}", seen.target("resources in the cluster")))
            .fix("show the user what would change first"),
    )
}
