//! GATE001: the gate's own policy, state or binary is changed.

use hookgate_effects::Traits;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE001",
    name: "change-gate",
    summary: "the gate's own policy, state or binary is changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let own = seen.changes(Traits::GATE, &seen.facts.places.gate);
    own.then(|| {
        seen.hit(format!("{} {}, which belongs to the gate itself", seen.verb(), seen.target("a file")))
            .fix("leave the gate's policy, state and binary to the person")
            .forbidden()
    })
}
