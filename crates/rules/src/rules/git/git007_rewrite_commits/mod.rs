//! GIT007: local commits are rewritten.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT007",
    name: "rewrite-commits",
    summary: "local commits are rewritten",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitRewrite]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("rewrites commits on {}", seen.target("the current branch")))
            .fix("add a new commit instead"),
    )
}
