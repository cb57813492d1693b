//! GIT005: a branch or tag is deleted on the remote.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT005",
    name: "delete-remote-branch",
    summary: "a branch or tag is deleted on the remote",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDeleteRemote]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("deletes {} on the remote", seen.target("a branch or tag")))
            .fix("ask the user to delete it"),
    )
}
