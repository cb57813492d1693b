//! FILE006: project files are deleted.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE006",
    name: "delete-project-files",
    summary: "project files are deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.place() == Some(Place::Project)).then(|| {
        seen.hit(say!("deletes {}", seen.target("files of the project")))
            .fix("move it to a temporary directory instead")
    })
}
