//! SECRET006: the clipboard is read or written.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET006",
    name: "clipboard",
    summary: "the clipboard is read or written",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Clipboard]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit("reads or writes the clipboard").fix("pass the text through a file"))
}
