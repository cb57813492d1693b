//! GATE004: a hookgate process or service is stopped.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE004",
    name: "stop-gate",
    summary: "a hookgate process or service is stopped",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill, Kind::Service]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let name = seen.name()?;
    // -1 is every process of the user.
    let gate = name == "-1" || name.contains("hookgate");
    gate.then(|| seen.hit("stops a hookgate process or service").fix("leave it running").forbidden())
}
