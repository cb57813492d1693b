//! GIT003: a push replaces history on the remote, after a check.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT003",
    name: "lease-push",
    summary: "a push replaces history on the remote, after a check",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitLeasePush]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!(
            "replaces the history of {} on the remote unless someone pushed since the last fetch",
            seen.target("the branch")
        ))
        .fix("push a new commit instead"),
    )
}
