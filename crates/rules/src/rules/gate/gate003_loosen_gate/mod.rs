//! GATE003: the gate is told to loosen.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE003",
    name: "loosen-gate",
    summary: "the gate is told to loosen",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Gate]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit("loosens or silences the gate")
            .fix("ask the person to run it in their own terminal")
            .forbidden(),
    )
}
