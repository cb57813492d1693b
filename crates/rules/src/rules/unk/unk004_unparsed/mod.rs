//! UNK004: the text can't be parsed.

use hookgate_effects::{Kind, Unknown};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK004",
    name: "unparsed",
    summary: "the text can't be parsed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Unparsed)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("can't be parsed").fix("write it as plain bash, one step at a time"))
}
