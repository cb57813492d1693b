//! SYS005: every process is ended.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS005",
    name: "kill-everything",
    summary: "every process is ended",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let everything = matches!(seen.name(), Some("-1" | "1" | "." | ".*" | "*" | ""));
    everything.then(|| seen.hit("ends every process").fix("end the one process by its number").forbidden())
}
