//! UNK001: a program runs that hookgate doesn't know.

use hookgate_effects::{Kind, Unknown};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK001",
    name: "unknown-program",
    summary: "a program runs that hookgate doesn't know",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Program)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("runs {}, which hookgate doesn't know", seen.target("a program")))
            .fix("use a program that hookgate knows, or one of your own tools"),
    )
}
