//! GIT001: uncommitted work is thrown away.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT001",
    name: "discard-work",
    summary: "uncommitted work is thrown away",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDiscard]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // One side of a conflict is taken: both sides are commits.
    let resolves = seen.argument(|argument| matches!(argument, "--ours" | "--theirs"));
    (!resolves).then(|| {
        seen.hit(format!("throws away uncommitted changes in {}", seen.target("the work tree")))
            .fix("`git stash` first")
    })
}
