//! UNK005: a single file at a computed path is deleted, moved or changed.

use hookgate_effects::{Kind, Unknown};
use hookgate_text::say;

use super::unk002_unknown_target::{done_to, is_small};
use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK005",
    name: "unknown-file",
    summary: "a single file at a computed path is deleted, moved or changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Target)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let effect = done_to(seen).filter(|effect| is_small(effect))?;
    let verb = seen.instead(effect).verb();
    Some(seen.hit(say!("{} {}", verb, seen.target("a file"))).fix("write the path out literally"))
}
