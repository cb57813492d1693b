//! SYS010: packages or programs are removed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS010",
    name: "uninstall",
    summary: "packages or programs are removed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Uninstall]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("removes {}", seen.target("packages"))).fix("leave it installed, or ask the user"))
}
