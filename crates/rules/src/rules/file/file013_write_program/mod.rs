//! FILE013: a program is put on the user's `PATH`.

use hookgate_effects::{Kind, Place, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE013",
    name: "write-program",
    summary: "a program is put on the user's `PATH`",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append, Kind::Link]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let own = seen.has(Traits::PROGRAMS) && matches!(seen.place(), Some(Place::Home | Place::Elsewhere));
    own.then(|| {
        seen.hit(say!("puts a program on the `PATH` at {}", seen.target("a directory of programs")))
            .fix("keep it in the project and run it by its path")
    })
}
