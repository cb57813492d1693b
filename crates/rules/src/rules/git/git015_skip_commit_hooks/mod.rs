//! GIT015: a commit skips the repository's hooks.

use hookgate_effects::Kind;

use super::git010_bypass_hooks::is_local;
use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT015",
    name: "skip-commit-hooks",
    summary: "a commit skips the repository's hooks",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitBypass]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    is_local(seen).then(|| {
        seen.hit("commits without the repository's hooks").fix(
            "commit without what turns them off, or run the hooks before the push with `git commit --amend --no-edit`",
        )
    })
}
