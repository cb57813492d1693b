//! NET005: something is fetched from the network.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET005",
    name: "download",
    summary: "something is fetched from the network",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Download]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("fetches from {}", seen.target("the network"))).fix("ask the user first"))
}
