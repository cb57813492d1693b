//! FILE007: system files are written.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE007",
    name: "write-system-file",
    summary: "system files are written",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append, Kind::Link]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.place() == Some(Place::System)).then(|| {
        seen.hit(say!("{} {}, which belongs to the system", seen.verb(), seen.target("a file")))
            .fix("write it inside the project and let the user install it")
    })
}
