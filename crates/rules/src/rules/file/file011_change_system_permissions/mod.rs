//! FILE011: permissions of system or home directories are changed.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE011",
    name: "change-system-permissions",
    summary: "permissions of system or home directories are changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Permission]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let system = seen.place() == Some(Place::System);
    let whole = seen.effect.recursive && seen.is_root() && seen.place() != Some(Place::Project);
    (system || whole || seen.is_program_directory()).then(|| {
        seen.hit(say!("changes the permissions of {}", seen.target("system files")))
            .fix("change only the file inside the project that needs it")
    })
}
