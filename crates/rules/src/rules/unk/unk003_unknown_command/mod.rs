//! UNK003: a computed command runs.

use hookgate_effects::{Kind, Unknown};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK003",
    name: "unknown-command",
    summary: "a computed command runs",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Command)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("runs {}", seen.target("a computed command"))).fix("write the command out literally"))
}
