//! SYS006: something is set to run later.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS006",
    name: "schedule",
    summary: "something is set to run later",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Schedule]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("schedules {} to run later", seen.target("a command")))
            .fix("run it now, or give the user the line to add"),
    )
}
