//! EXEC001: code from the network runs unseen.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC001",
    name: "remote-code",
    summary: "code from the network runs unseen",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteCode]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!("runs code from {} that nobody has seen", seen.target("the network")))
            .fix("download it to a file, read it, then run it"),
    )
}
