//! GIT014: commits are pushed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT014",
    name: "push",
    summary: "commits are pushed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitPush]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("pushes {}", seen.target("commits to the remote"))).fix("leave the push to the user"))
}
