//! UNK002: something harmful is done to a computed target.

use hookgate_effects::{Effect, Kind, Unknown};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK002",
    name: "unknown-target",
    summary: "something harmful is done to a computed target",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Target)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let done = done_to(seen);
    (!done.is_some_and(is_small)).then(|| {
        let verb = done.map_or("harms", |effect| seen.instead(effect).verb());
        seen.hit(say!("{} {}", verb, seen.target("a computed target"))).fix("write the target out literally")
    })
}

/// The effect itself, which stands beside the unknown.
pub(crate) fn done_to<'a>(seen: &Seen<'a>) -> Option<&'a Effect> {
    seen.all().map(|other| other.effect).find(|effect| {
        !matches!(effect.kind, Kind::Unknown(_))
            && effect.span == seen.effect.span
            && effect.target == seen.effect.target
    })
}

/// Does it reach single files only, and leave their content or make room for it?
pub(crate) fn is_small(effect: &Effect) -> bool {
    let single =
        matches!(effect.kind, Kind::Delete | Kind::Move | Kind::Link | Kind::Permission | Kind::Ownership);
    single && !effect.recursive
}
