//! FILE015: a project directory that no tool can regenerate is deleted.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen, made_again};

pub(crate) const RULE: Rule = Rule {
    code: "FILE015",
    name: "delete-project-tree",
    summary: "a project directory that no tool can regenerate is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // git itself refuses where work would be lost.
    let by_git = seen.call().is_some_and(|call| call.program == "git");
    let path =
        seen.path().filter(|_| seen.effect.recursive && seen.place() == Some(Place::Project) && !by_git)?;
    let below = path.path.strip_prefix(seen.facts.places.project.as_str()).unwrap_or(&path.path);
    (!made_again::is_made_again(below) && !path.pattern).then(|| {
        seen.hit(say!("deletes {}", seen.target("a directory of the project")))
            .fix("use `git rm -r` for tracked files; move others to a temporary directory")
    })
}
