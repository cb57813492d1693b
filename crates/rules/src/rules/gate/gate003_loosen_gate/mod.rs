//! GATE003: loosens hookgate's rules.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE003",
    name: "loosen-gate",
    summary: "loosens hookgate's rules",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Gate]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let message = if seen.of_call().any(|other| other.effect.kind == Kind::Agent) {
        "starts an agent that hookgate may not guard"
    } else {
        "loosens or silences hookgate"
    };
    Some(seen.hit(message).fix("ask the user to run it in their own terminal").forbidden())
}
