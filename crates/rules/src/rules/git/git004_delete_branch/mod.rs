//! GIT004: a branch or tag that may contain unmerged work is deleted.

use hookgate_effects::Kind;
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
    })
}

/// Only a branch has a deletion that checks first.
fn fix(seen: &Seen<'_>) -> &'static str {
    match seen.call().and_then(|call| call.subcommand.first()).map(String::as_str) {
        Some("branch") => "use `git branch -d`, which refuses to delete unmerged work",
        _ => "keep it, or ask the user to delete it",
    }
}

/// Is the branch only put elsewhere (`checkout -B`, `branch -f`)? It keeps its log then, and with it the way back.
fn moves(seen: &Seen<'_>) -> bool {
    let Some(name) = seen.call().and_then(|call| call.subcommand.first()) else { return false };
    let deletes = |argument: &str| match argument.strip_prefix('-') {
        Some(long) if long.starts_with('-') => long.starts_with("-del"),
        Some(letters) => letters.contains(['d', 'D', 'M', 'C']),
        None => false,
    };
    match name.as_str() {
        "checkout" | "switch" => true,
        "branch" => !seen.argument(deletes),
        _ => false,
    }
}
