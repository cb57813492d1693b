//! FILE014: files outside the project are written or moved.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE014",
    name: "change-outside",
    summary: "files outside the project are written or moved",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append, Kind::Move, Kind::Link]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let outside = matches!(seen.place(), Some(Place::Home | Place::Elsewhere)) && !seen.is_root();
    outside.then(|| {
        seen.hit(say!("{} {}, outside the project", seen.verb(), seen.target("a file")))
            .fix("work inside the project or a temporary directory")
    })
}
