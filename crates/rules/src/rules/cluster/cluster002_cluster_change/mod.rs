//! CLUSTER002: something in a cluster is changed.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CLUSTER002",
    name: "cluster-change",
    summary: "something in a cluster is changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ClusterChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("changes {}", seen.target("something in the cluster")))
            .fix("use `kubectl diff` first"),
    )
}
