//! NET003: a command runs on another machine.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET003",
    name: "remote-shell",
    summary: "a command runs on another machine",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteShell]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("runs a command on {}", seen.target("another machine")))
            .fix("give the user the command to run"),
    )
}
