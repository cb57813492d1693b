//! READ002: reading files is granted.

use hookgate_effects::{Kind, Place, Traits};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ002",
    name: "read-files",
    summary: "reading files is granted",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES.and(Kinds::of(&[Kind::Read])),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // Names, sizes and dates tell nothing of what a file holds, wherever it lies.
    if seen.lists() {
        return seen.cover("shows names, sizes and dates of files");
    }
    let path = seen.path()?;
    let read = seen.effect.kind == Kind::Read
        && path.place != Place::Device
        && !path.traits.contains(Traits::SECRET);
    (read || path.place == Place::Null)
        .then(|| seen.cover("reads files that aren't known to hold secrets"))
        .flatten()
}
