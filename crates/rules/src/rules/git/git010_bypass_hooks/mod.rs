//! GIT010: git hooks or signatures are skipped for commits that leave this machine.

use hookgate_effects::Kind;

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
    let commit = seen.call().and_then(|call| call.subcommand.first()).is_some_and(|name| name == "commit");
    let leaves = seen.facts.effects.effects.iter().any(|effect| PUSHES.contains(effect.kind));
    let unsigned = seen.argument(|argument| argument.starts_with("--no-gpg"));
    commit && !leaves && !unsigned
}

const PUSHES: Kinds = Kinds::of(&[Kind::GitPush, Kind::GitLeasePush, Kind::GitForcePush]);
