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
    // `kill $(pgrep hookgate)` names the gate where its number is looked for.
    let looked_for = || {
        seen.facts.effects.calls.iter().any(|call| {
            let mut words = call.arguments.iter().filter_map(|argument| argument.text.as_deref());
            call.program == "pgrep" && words.any(|word| word.contains("hookgate"))
        })
    };
    // What a substitution prints is a name with a glob in it.
    let known = seen.name().filter(|name| !name.contains('*'));
    let gate = known.map_or_else(looked_for, |name| name.contains("hookgate"));
    gate.then(|| seen.hit("stops a hookgate process or service").fix("leave it running").forbidden())
}
