//! UNK003: the command that runs is computed.

use hookgate_effects::{Kind, Unknown};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK003",
    name: "unknown-command",
    summary: "the command that runs is computed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Command)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(format!("runs {}", seen.target("a command that is computed"))).fix("write the command out"))
}
