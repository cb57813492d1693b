//! CONT003: containers are run or changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CONT003",
    name: "container-change",
    summary: "containers are run or changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ContainerChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("runs or changes {}", seen.target("a container"))).fix("ask the user first"))
}
