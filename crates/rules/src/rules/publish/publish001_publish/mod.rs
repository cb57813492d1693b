//! PUBLISH001: a package, image or release is published.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "PUBLISH001",
    name: "publish",
    summary: "a package, image or release is published",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Publish]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("publishes {}", seen.target("a package, image or release")))
            .fix(seen.tried_first("ask the user to publish it")),
    )
}
