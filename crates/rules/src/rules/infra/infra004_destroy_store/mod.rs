//! INFRA004: a store of data is removed with all that it holds.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "INFRA004",
    name: "destroy-store",
    summary: "a store of data is removed with all that it holds",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::CloudDestroy, Kind::ClusterDestroy, Kind::ContainerDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.happens(Manner::STORE).then(|| {
        seen.hit(say!(
            "deletes {} with everything stored in it",
            seen.target("a cloud resource, volume or namespace")
        ))
        .fix("make a backup first, and let the user delete it")
    })
}
