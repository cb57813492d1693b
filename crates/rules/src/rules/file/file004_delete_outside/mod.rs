//! FILE004: whole directories outside the project are deleted.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen, regenerated};

pub(crate) const RULE: Rule = Rule {
    code: "FILE004",
    name: "delete-outside",
    summary: "whole directories outside the project are deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete, Kind::Destroy, Kind::Move]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let outside = matches!(seen.place(), Some(Place::Home | Place::Elsewhere)) && !seen.is_root();
    let goes =
        if seen.effect.kind == Kind::Move { is_thrown_away(seen) } else { seen.wide() && !is_named(seen) };
    (outside && goes && !is_expendable(seen)).then(|| {
        seen.hit(say!("{} {}, outside the project", seen.verb(), seen.target("files")))
            .fix("list what would be deleted and let the user decide")
    })
}

/// Does the same call move it into a temporary directory, which is emptied without asking?
fn is_thrown_away(seen: &Seen<'_>) -> bool {
    seen.effect.call.is_some()
        && seen
            .of_call()
            .any(|other| other.effect.kind == Kind::Write && other.place() == Some(Place::Temporary))
}

/// Is it below a directory for temporary files or a cache in somebody's home?
fn is_expendable(seen: &Seen<'_>) -> bool {
    let Some(path) = seen.path().filter(|path| path.place == Place::Home) else { return false };
    let own = path.path.strip_prefix(seen.places().home.as_str()).filter(|rest| rest.starts_with('/'));
    let people = || ["/home/", "/Users/"].iter().find_map(|start| path.path.strip_prefix(start));
    let theirs = || people().and_then(|below| Some(below.split_once('/')?.1));
    let scratch = || own.or_else(people).is_some_and(regenerated::is_scratch);
    (!path.pattern && scratch()) || own.or_else(theirs).is_some_and(regenerated::is_cache)
}

/// Are they old copies or logs of one file (`app.conf.bak.*`)? They are as good as named.
fn is_named(seen: &Seen<'_>) -> bool {
    let Some(path) = seen.path().filter(|path| path.pattern && !seen.effect.recursive) else { return false };
    let glob = |c: char| matches!(c, '*' | '?' | '[');
    let (directory, name) = path.path.rsplit_once('/').unwrap_or_default();
    let (stem, _) = name.split_once(glob).unwrap_or((name, ""));
    let copies =
        [".backup.", ".bak.", ".old.", ".log.", ".tmp."].iter().find_map(|end| stem.strip_suffix(end));
    !directory.contains(glob) && copies.is_some_and(|name| !name.is_empty())
}
