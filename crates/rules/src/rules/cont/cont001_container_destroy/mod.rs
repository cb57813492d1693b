//! CONT001: containers, images or volumes are deleted.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CONT001",
    name: "container-destroy",
    summary: "containers, images or volumes are deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ContainerDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("deletes {}", seen.target("containers, images or volumes")))
            .fix("stop it instead, or delete a single one by name"),
    )
}
