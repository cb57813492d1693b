//! GATE003: hookgate is told to loosen its rules.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE003",
    name: "loosen-gate",
    summary: "hookgate is told to loosen its rules",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Gate]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit("loosens or silences hookgate")
            .fix("ask the user to run it in their own terminal")
            .forbidden(),
    )
}
