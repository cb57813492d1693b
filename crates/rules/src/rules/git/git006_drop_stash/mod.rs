//! GIT006: stashed work is dropped.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT006",
    name: "drop-stash",
    summary: "stashed work is dropped",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDropStash]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("drops stashed work").fix("turn the stash into a branch instead: `git stash branch NAME`"))
}
