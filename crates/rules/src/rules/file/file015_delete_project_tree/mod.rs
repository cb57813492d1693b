//! FILE015: a project directory that no tool can regenerate is deleted.

use hookgate_effects::{Kind, Manner, Place, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen, regenerated};

pub(crate) const RULE: Rule = Rule {
    code: "FILE015",
    name: "delete-project-tree",
    summary: "a project directory that no tool can regenerate is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let whole = seen.effect.recursive && seen.place() == Some(Place::Project);
    let path = seen.path().filter(|_| whole && !seen.happens(Manner::CAREFUL))?;
    let below = path.path.strip_prefix(seen.places().project.as_str()).unwrap_or(&path.path);
    if path.pattern || regenerated::is_git_lock(below) {
        return None;
    }
    let hit = seen
        .hit(say!("deletes {}", seen.target("a directory of the project")))
        .fix("use `git rm -r DIRECTORY` if git tracks it; otherwise move it to a temporary directory");
    // What git keeps its history in, and a secret, no work tree gives back. A cache may have a token in it, which a login renews.
    let secret = seen.has(Traits::SECRET) && !regenerated::is_named_cache(below);
    let only_copy = secret || below.split('/').any(|part| part == ".git");
    Some(if only_copy { hit } else { hit.unless_git_keeps_it(regenerated::is_regenerated(below)) })
}
