//! GATE004: a process or service of the gate is ended.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE004",
    name: "stop-gate",
    summary: "a process or service of the gate is ended",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill, Kind::Service]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let gate = seen.name().is_some_and(|name| name.contains("hookgate"));
    gate.then(|| seen.hit("ends a process or service of the gate").fix("leave it running").forbidden())
}
