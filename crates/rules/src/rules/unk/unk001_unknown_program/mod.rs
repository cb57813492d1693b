//! UNK001: nothing is known about a program that runs.

use hookgate_effects::{Kind, Unknown};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK001",
    name: "unknown-program",
    summary: "nothing is known about a program that runs",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Program)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("runs {}, of which nothing is known", seen.target("a program")))
            .fix("use a known program, or a tool of the agent"),
    )
}
