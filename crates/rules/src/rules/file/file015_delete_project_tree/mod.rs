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
    // Of the project as a whole, and of a repository of git, rules of their own speak.
    let others = seen.is_root() || below == "/.git" || below.ends_with("/.git");
    if path.pattern || others || regenerated::is_git_lock(below) {
        return None;
    }
    let of_git = below.contains("/.git/");
    let hit = seen.hit(say!("deletes {}", seen.target("a directory of the project"))).fix(if of_git {
        "use git's own command for it, such as `git rebase --quit`"
    } else {
        "use `git rm -r DIRECTORY` if git tracks it; otherwise move it to a temporary directory"
    });
    // A secret is what no work tree gives back. A cache may have a token in it, which a login renews.
    let secret = seen.has(Traits::SECRET) && !regenerated::is_named_cache(below);
    Some(if secret || of_git { hit } else { hit.unless_git_keeps_it(regenerated::is_regenerated(below)) })
}
