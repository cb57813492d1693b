//! FILE012: the owner of system files or a whole home is changed.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE012",
    name: "change-owner",
    summary: "the owner of system files or a whole home is changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Ownership]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let foreign = matches!(seen.place(), Some(Place::System | Place::Elsewhere | Place::Device));
    let whole = seen.is_root() && seen.place() != Some(Place::Project);
    (foreign || whole || seen.is_program_directory()).then(|| {
        seen.hit(say!("changes the owner of {}", seen.target("files")))
            .fix("change only the single file that needs it")
    })
}
