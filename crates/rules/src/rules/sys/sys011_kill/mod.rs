//! SYS011: processes are killed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS011",
    name: "kill",
    summary: "processes are killed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("kills {}", seen.target("processes")))
            .fix("kill the process that you started, by its PID"),
    )
}
