//! NET004: something is sent to the network.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET004",
    name: "upload",
    summary: "something is sent to the network",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Upload]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("sends data to {}", seen.target("the network"))).fix("ask the user first"))
}
