//! READ005: fetching a literal URL is granted.

use hookgate_effects::{Certainty, Kind, Manner, Target};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ005",
    name: "fetch",
    summary: "fetching a literal URL is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Download]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let host = matches!(seen.effect.target, Some(Target::Host(_)));
    // A computed argument can be part of the address, and carry out what it holds.
    let written = !seen.happens(Manner::COMPUTED);
    (host && written && seen.effect.certainty == Certainty::Certain)
        .then(|| seen.cover("fetches a literal URL"))
        .flatten()
}
