//! CLUSTER001: cluster resources are deleted.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CLUSTER001",
    name: "cluster-destroy",
    summary: "cluster resources are deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ClusterDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("deletes {} from the cluster", seen.target("resources")))
            .fix(seen.tried_first("list it, and ask the user to delete it")),
    )
}
