//! REMOTE002: something on a remote service is changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "REMOTE002",
    name: "remote-change",
    summary: "something on a remote service is changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("changes {}", seen.target("something on a remote service")))
            .fix("show it to the user first"),
    )
}
