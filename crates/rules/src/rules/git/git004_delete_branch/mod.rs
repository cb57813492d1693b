//! GIT004: a branch or tag that may hold unmerged work is deleted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT004",
    name: "delete-branch",
    summary: "a branch or tag that may hold unmerged work is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDeleteRef]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!(
            "deletes {}, which may hold work that is merged nowhere",
            seen.target("a branch or tag")
        ))
        .fix("use `git branch -d`, which refuses for unmerged work"),
    )
}
