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
    // A branch that is put elsewhere (`checkout -B`) keeps its log, and with it the way back.
    let moves = seen
        .call()
        .and_then(|call| call.subcommand.first())
        .is_some_and(|name| matches!(name.as_str(), "checkout" | "switch"));
    (!moves).then(|| {
        seen.hit(format!(
            "deletes {}, which may hold work that is merged nowhere",
            seen.target("a branch or tag")
        ))
        .fix("use `git branch -d`, which refuses for unmerged work")
    })
}
