//! FILE003: a system file is deleted or moved away.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE003",
    name: "delete-system-file",
    summary: "a system file is deleted or moved away",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Delete, Kind::Destroy, Kind::Move]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let system = seen.place() == Some(Place::System) && !seen.is_root();
    (system && !seen.wide()).then(|| {
        seen.hit(say!("{} {}, which belongs to the system", seen.verb(), seen.target("a file")))
            .fix("copy the file into the project and work on the copy")
    })
}
