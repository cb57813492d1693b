//! GIT001: uncommitted work is thrown away.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT001",
    name: "discard-work",
    summary: "uncommitted work is thrown away",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDiscard]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("throws away uncommitted changes in {}", seen.target("the work tree")))
            .fix("`git stash` first"),
    )
}
