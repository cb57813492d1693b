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
    // A table as a whole is edited or deleted as well as added to.
    let message = match seen.effect.target {
        Some(_) => say!("schedules {} to run later", seen.target("a command")),
        None => "changes what runs on a schedule".into(),
    };
    Some(seen.hit(message).fix("run it now, or show the user the change to make"))
}
