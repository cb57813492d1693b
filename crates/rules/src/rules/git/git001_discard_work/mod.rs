//! GIT001: uncommitted work is discarded.

use hookgate_effects::{Kind, Manner, Place};
use hookgate_text::say;

use crate::{Check, Deed, Hit, Kinds, Rule, Seen, regenerated};

pub(crate) const RULE: Rule = Rule {
    code: "GIT001",
    name: "discard-work",
    summary: "uncommitted work is discarded",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDiscard]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // One side of a conflict is taken: both sides are commits.
    let resolves = seen.happens(Manner::RESOLVES);
    (!resolves && !is_fresh(seen)).then(|| {
        seen.hit(say!("discards uncommitted changes in {}", seen.target("the work tree")))
            .fix(fix(seen))
            .unless_git_keeps_it(only_generated(seen))
    })
}

/// A commit keeps what git tracks; what `clean` deletes has to be looked at first. A stash is shared between the sessions
/// of a repository, so it's no safe place.
fn fix(seen: &Seen<'_>) -> &'static str {
    if seen.happens(Manner::UNTRACKED) {
        "list the files with `git clean -n`, and delete only those you created, by name"
    } else {
        "commit the changes on a branch of their own first"
    }
}

/// Does the same text make the repository, by a clone or in a temporary directory? Nobody has worked in it.
fn is_fresh(seen: &Seen<'_>) -> bool {
    let (Some(index), Some(directory)) = (seen.effect.call, seen.call().and_then(Deed::directory)) else {
        return false;
    };
    let makes = |other: &Seen<'_>| {
        other.happens(Manner::FRESH)
            || (other.happens(Manner::BEGINS) && other.place() == Some(Place::Temporary))
    };
    let within = |path: &str| {
        directory.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    seen.all().any(|other| {
        let before = other.effect.kind == Kind::Write && other.effect.call.is_some_and(|call| call < index);
        let path = other.path().filter(|path| !path.pattern && !path.path.is_empty());
        before && makes(&other) && path.is_some_and(|path| within(&path.path))
    })
}

/// Are the files that are put back all such as a tool writes?
fn only_generated(seen: &Seen<'_>) -> bool {
    let mut written = seen.of_call().filter(|other| other.effect.kind == Kind::Write).peekable();
    written.peek().is_some()
        && written.all(|other| {
            // What stands above the project says nothing about what is in it.
            let path = other.path().filter(|path| !path.pattern);
            let below = path.and_then(|path| path.path.strip_prefix(seen.places().project.as_str()));
            below.is_some_and(regenerated::is_regenerated)
        })
}
