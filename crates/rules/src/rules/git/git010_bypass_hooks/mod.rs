//! GIT010: git hooks or signatures are skipped for commits that leave this machine.

use hookgate_effects::{Kind, Manner};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT010",
    name: "bypass-hooks",
    summary: "git hooks or signatures are skipped for commits that leave this machine",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitBypass]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (!is_local(seen)).then(|| {
        seen.hit("skips the repository's hooks or signatures")
            .fix("run it without the option, and fix what the hook reports")
    })
}

/// Is it a commit that skips its hooks and stays here? It can still be amended.
pub(crate) fn is_local(seen: &Seen<'_>) -> bool {
    let leaves = seen.all().any(|other| PUSHES.contains(other.effect.kind));
    seen.happens(Manner::AMENDABLE) && !leaves && !seen.happens(Manner::UNSIGNED)
}

const PUSHES: Kinds = Kinds::of(&[Kind::GitPush, Kind::GitLeasePush, Kind::GitForcePush]);
