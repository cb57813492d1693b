//! SYS007: the machine is used up.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS007",
    name: "exhaust",
    summary: "the machine is used up",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Exhaust]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("uses up the machine").fix("set an end to it").forbidden())
}
