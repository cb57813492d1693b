//! GIT009: unreachable commits are deleted for good.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT009",
    name: "prune-history",
    summary: "unreachable commits are deleted for good",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitPrune]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("deletes unreachable commits for good").fix("use plain `git gc`, which keeps recent ones"))
}
