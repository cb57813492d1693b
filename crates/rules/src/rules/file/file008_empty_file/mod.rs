//! FILE008: a file's content is destroyed.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen, regenerated};

pub(crate) const RULE: Rule = Rule {
    code: "FILE008",
    name: "empty-file",
    summary: "a file's content is destroyed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Destroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let lasting = matches!(seen.place(), Some(Place::Project | Place::Home | Place::Elsewhere));
    let already_told = seen.is_root() || (seen.outside() && seen.wide());
    let again = seen.place() == Some(Place::Project)
        && seen.path().is_some_and(|path| regenerated::is_written_again(&path.path));
    (lasting && !already_told && !again).then(|| {
        seen.hit(say!("destroys the content of {}", seen.target("a file"))).fix("write to a new file instead")
    })
}
