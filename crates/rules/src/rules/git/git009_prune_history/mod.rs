//! GIT009: lost commits are made unrecoverable.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT009",
    name: "prune-history",
    summary: "lost commits are made unrecoverable",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitPrune]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("makes commits that no branch holds unrecoverable").fix("use plain `git gc`"))
}
