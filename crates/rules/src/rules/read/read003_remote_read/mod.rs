//! READ003: reading from remote services with their own clients is granted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ003",
    name: "remote-read",
    summary: "reading from remote services with their own clients is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteRead]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.cover("reads from a remote service")
}
