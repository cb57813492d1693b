//! FILE004: whole directories outside the project are deleted.

use hookgate_effects::{Kind, Place};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE004",
    name: "delete-outside",
    summary: "whole directories outside the project are deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete, Kind::Destroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let outside = matches!(seen.place(), Some(Place::Home | Place::Elsewhere)) && !seen.is_root();
    (outside && seen.wide()).then(|| {
        seen.hit(format!("{} {}, outside the project", seen.verb(), seen.target("files")))
            .fix("list what would go and let the person decide, or move it to a temporary directory")
    })
}
