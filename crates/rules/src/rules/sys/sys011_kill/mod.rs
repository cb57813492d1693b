//! SYS011: processes are ended.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS011",
    name: "kill",
    summary: "processes are ended",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("ends {}", seen.target("processes")))
            .fix("end it by the number that it was started with"),
    )
}
