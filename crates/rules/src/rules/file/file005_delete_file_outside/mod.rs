//! FILE005: a single file outside the project is deleted.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE005",
    name: "delete-file-outside",
    summary: "a single file outside the project is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let outside = matches!(seen.place(), Some(Place::Home | Place::Elsewhere));
    (outside && !seen.wide()).then(|| {
        seen.hit(say!("deletes {}, outside the project", seen.target("a file")))
            .fix("move it to a temporary directory instead")
    })
}
