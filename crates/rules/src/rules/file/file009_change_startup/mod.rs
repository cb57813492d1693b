//! FILE009: a file that runs at login, or that programs read or run when they start, is changed.

use hookgate_effects::{Kind, Manner, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE009",
    name: "change-startup",
    summary: "a file that runs at login, or that programs read or run when they start, is changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

/// What puts something into a file; what is taken away from settings runs nothing.
const MAKES: Kinds = Kinds::of(&[Kind::Write, Kind::Append, Kind::Link]);

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let why = if seen.has(Traits::STARTUP) {
        "which runs at every login or shell start"
    } else if seen.has(Traits::SETTINGS)
        && MAKES.contains(seen.effect.kind)
        && !seen.happens(Manner::DIRECTORY)
    {
        "which a program reads or runs when it starts"
    } else {
        return None;
    };
    let hit = seen.hit(say!("{} {}, {}", seen.verb(), seen.target("a file"), why));
    Some(hit.fix("set it for one command only, or ask the user to add it"))
}
