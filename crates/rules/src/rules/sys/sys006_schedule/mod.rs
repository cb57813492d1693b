//! SYS006: something is set to run later.

use hookgate_effects::Kind;

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
        seen.hit(format!("makes {} run later by itself", seen.target("something")))
            .fix("run it now, or show the person the line"),
    )
}
