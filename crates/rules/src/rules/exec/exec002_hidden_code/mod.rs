//! EXEC002: encoded or obfuscated code runs.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC002",
    name: "hidden-code",
    summary: "encoded or obfuscated code runs",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::HiddenCode]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("runs encoded code").fix("write the command in plain text"))
}
