//! GIT012: files inside `.git` are changed directly.

use hookgate_effects::{Kind, Place, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen, regenerated};

pub(crate) const RULE: Rule = Rule {
    code: "GIT012",
    name: "write-git-directory",
    summary: "files inside `.git` are changed directly",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let path = seen.path()?;
    // Repositories in temporary directories are made for a test and thrown away.
    let lasting = seen.has(Traits::GIT) && path.place != Place::Temporary;
    let unlocks = seen.effect.kind == Kind::Delete && !path.pattern && regenerated::is_git_lock(&path.path);
    (lasting && !unlocks && !seen.has(Traits::GIT_HOOK) && is_git_own(&path.path)).then(|| {
        seen.hit(say!("{} {}, which git manages", seen.verb(), seen.target("a file")))
            .fix("use git's own commands instead")
    })
}

/// Does git itself keep this file, or is it another tool's in the same directory?
fn is_git_own(path: &str) -> bool {
    const OWN: [&str; 15] = [
        "HEAD",
        "index",
        "config",
        "objects",
        "refs",
        "logs",
        "info",
        "hooks",
        "modules",
        "worktrees",
        "packed-refs",
        "shallow",
        "FETCH_HEAD",
        "ORIG_HEAD",
        "MERGE_HEAD",
    ];
    let Some((_, inside)) = path.rsplit_once("/.git/") else { return true };
    let first = inside.split('/').next().unwrap_or_default();
    let first = first.strip_suffix(".lock").unwrap_or(first);
    first.contains(['*', '?', '[']) || OWN.contains(&first)
}
