//! GIT012: files inside `.git` are changed by hand.

use hookgate_effects::Traits;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT012",
    name: "write-git-directory",
    summary: "files inside `.git` are changed by hand",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let inside = seen.has(Traits::GIT) && !seen.has(Traits::GIT_HOOK);
    inside.then(|| {
        seen.hit(format!("{} {}, which belongs to git", seen.verb(), seen.target("a file")))
            .fix("use git's own commands")
    })
}
