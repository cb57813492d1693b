//! SYS004: a disk or device is written.

use hookgate_effects::{Kind, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS004",
    name: "device",
    summary: "a disk or device is written",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES.and(Kinds::of(&[Kind::Device])),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // A plain file that is treated as a disk is an ordinary write; its own kind says so.
    let device = match seen.place() {
        Some(place) => place == Place::Device || (seen.effect.kind == Kind::Device && seen.outside()),
        None => seen.effect.kind == Kind::Device && !works_on_files(seen),
    };
    device.then(|| {
        seen.hit(say!("writes to {}", seen.target("a disk or device")))
            .fix("work on an image file inside the project")
            .forbidden()
    })
}

/// Does the same call write files, and only inside the project and the temporary directories?
fn works_on_files(seen: &Seen<'_>) -> bool {
    let mut written = seen.of_call().filter(|other| Kinds::CHANGES.contains(other.effect.kind)).peekable();
    written.peek().is_some() && written.all(|other| other.path().is_some() && !other.outside())
}
