//! GATE005: another program takes hookgate's place.

use hookgate_effects::{Kind, Place, Traits};
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE005",
    name: "shadow-gate",
    summary: "another program takes hookgate's place",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append, Kind::Link]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let path = seen.path()?;
    let named = path.path.rsplit('/').next().is_some_and(|name| name == "hookgate" || name == "hookgate.exe");
    // A directory or file of that name inside the project is nobody's program, unless it is on the PATH.
    let can_shadow = path.traits.contains(Traits::PROGRAMS) || path.place > Place::Project;
    (named && can_shadow).then(|| {
        seen.hit(say!("puts another program in hookgate's place at {}", Quoted::new(&path.path)))
            .fix("choose another name")
            .forbidden()
    })
}
