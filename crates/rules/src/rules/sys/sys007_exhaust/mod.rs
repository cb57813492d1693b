//! SYS007: the machine's resources are exhausted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS007",
    name: "exhaust",
    summary: "the machine's resources are exhausted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Exhaust]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit("exhausts the machine's resources")
            .fix("limit it: `head -c 1M` for output, a counted loop for processes")
            .forbidden(),
    )
}
