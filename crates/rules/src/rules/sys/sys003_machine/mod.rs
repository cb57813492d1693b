//! SYS003: the machine itself is changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS003",
    name: "machine",
    summary: "the machine itself is changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::System]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("changes the machine: {}", seen.target("power, kernel, mounts, users or network")))
            .fix("give the user the command to run")
            .forbidden(),
    )
}
