//! READ008: fetching from public registries is granted.

use hookgate_effects::{Certainty, Kind, Manner, Target};
use hookgate_knowledge::shipped;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ008",
    name: "fetch-public",
    summary: "fetching from public registries is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Download]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let Some(Target::Host(host)) = &seen.effect.target else { return None };
    // A computed part of the address would tell the service what it holds.
    let written = !seen.happens(Manner::COMPUTED);
    let public = shipped().table("commands/places/public-services").contains(host);
    (public && written && seen.effect.certainty == Certainty::Certain)
        .then(|| seen.cover("fetches from a public registry"))
        .flatten()
}
