//! FILE001: a whole root, home, project or temporary directory is deleted or moved.

use hookgate_effects::{Kind, Manner, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE001",
    name: "delete-root",
    summary: "a whole root, home, project or temporary directory is deleted or moved",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete, Kind::Move, Kind::Destroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // Files that lie directly in a temporary directory are what it is for.
    let tree = seen.effect.recursive || (seen.wide() && seen.place() != Some(Place::Temporary));
    let takes_all = tree || seen.effect.kind != Kind::Delete;
    // `git rm -r .` takes what commits keep, and what they don't is for the rule of discarded work.
    let kept = seen.happens(Manner::KEPT) && seen.place() == Some(Place::Project);
    (takes_all && seen.is_root() && !kept && !stays(seen)).then(|| {
        seen.hit(say!("{} {}", seen.verb(), seen.target("everything")))
            .fix("name the directories inside the project that you want to delete")
            .forbidden()
    })
}

/// Are things only moved about inside of the project, each under another name or into a directory of it?
fn stays(seen: &Seen<'_>) -> bool {
    let pattern = seen.path().is_some_and(|path| path.pattern && path.place == Place::Project);
    let mut written = seen.of_call().filter(|other| other.effect.kind == Kind::Write).peekable();
    seen.effect.kind == Kind::Move
        && pattern
        && written.peek().is_some()
        && written.all(|other| other.place().is_some_and(|place| place == Place::Project))
}
