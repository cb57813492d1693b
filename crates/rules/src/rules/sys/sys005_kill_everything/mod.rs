//! SYS005: every process is killed.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS005",
    name: "kill-everything",
    summary: "every process is killed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let everything = matches!(seen.name(), Some("-1" | "1" | "." | ".*" | "*" | ""));
    everything.then(|| seen.hit("kills every process").fix("kill the one process by its PID").forbidden())
}
