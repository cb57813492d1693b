//! SYS005: every process is killed.

use hookgate_effects::{Kind, Target};

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
    // A program text that goes through all processes and kills what it likes; `kill $PID` kills one.
    let picks = matches!(&seen.effect.target, Some(Target::Unresolved(text)) if text.starts_with("a process that it picks"));
    if picks {
        let hit = seen.hit("kills processes that it picks from all that run");
        return Some(hit.fix("kill the one process by its PID"));
    }
    everything.then(|| seen.hit("kills every process").fix("kill the one process by its PID").forbidden())
}
