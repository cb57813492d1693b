//! FILE002: system directories are deleted or emptied.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE002",
    name: "delete-system-tree",
    summary: "system directories are deleted or emptied",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete, Kind::Destroy, Kind::Move]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let system = seen.place() == Some(Place::System) && !seen.is_root();
    (system && seen.wide()).then(|| {
        seen.hit(say!("{} {}, which belongs to the system", seen.verb(), seen.target("files")))
            .fix("remove packages with their package manager, or ask the user")
            .forbidden()
    })
}
