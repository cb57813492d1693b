//! AGENT004: another agent is started in a way that may disable its safeguards.

use hookgate_effects::{Kind, Unknown};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "AGENT004",
    name: "doubtful-agent",
    summary: "another agent is started with options that hookgate doesn't know",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Agent]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let unknown = |other: Seen<'_>| other.effect.kind == Kind::Unknown(Unknown::Program);
    // What starts an agent among other things (a multiplexer, a task tracker) has options of its own.
    let agent = seen.call().is_some_and(|call| call.acts_as("agent"));
    (agent && seen.of_call().any(unknown)).then(|| {
        seen.hit("starts another agent with an option or a variable that may disable its safeguards")
            .fix("start it with its plain options only")
    })
}
