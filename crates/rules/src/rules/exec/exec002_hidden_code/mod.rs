//! EXEC002: code that is encoded or assembled runs.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC002",
    name: "hidden-code",
    summary: "code that is encoded or assembled runs",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::HiddenCode]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("runs code that is hidden by encoding it").fix("write the command in plain text"))
}
