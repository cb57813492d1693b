//! GIT002: a push overwrites history on the remote.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT002",
    name: "force-push",
    summary: "a push overwrites history on the remote",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitForcePush]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("overwrites the history of {} on the remote", seen.target("the branch")))
            .fix("use `git push --force-with-lease`"),
    )
}
