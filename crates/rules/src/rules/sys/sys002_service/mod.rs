//! SYS002: services are started, stopped or changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS002",
    name: "service",
    summary: "services are started, stopped or changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Service]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("starts, stops or changes {}", seen.target("a system service")))
            .fix("run your own process instead, or ask the user"),
    )
}
