//! GIT004: a branch or tag that may contain unmerged work is deleted.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT004",
    name: "delete-branch",
    summary: "a branch or tag that may contain unmerged work is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDeleteRef]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (!moves(seen)).then(|| {
        seen.hit(say!("deletes {}, which may contain unmerged work", seen.target("a branch or tag")))
            .fix(fix(seen))
            .unless_git_keeps_it(false)
    })
}

/// Only a branch has a deletion that checks first.
fn fix(seen: &Seen<'_>) -> &'static str {
    if seen.happens(Manner::MOVES) {
        "use `git branch -d NAME`, which refuses to delete unmerged work"
    } else {
        "keep it, or ask the user to delete it"
    }
}

/// Is the branch only put elsewhere (`checkout -B`, `branch -f`)? It keeps its log then, and with it the way back.
fn moves(seen: &Seen<'_>) -> bool {
    seen.happens(Manner::MOVES) && !seen.happens(Manner::DELETES)
}
