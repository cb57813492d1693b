//! NET002: a port is opened.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET002",
    name: "listen",
    summary: "a port is opened",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Listen]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("listens on the network: {}", seen.target("a port or tunnel")))
            .fix("bind to the loopback address"),
    )
}
