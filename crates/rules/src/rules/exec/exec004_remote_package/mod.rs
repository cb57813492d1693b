//! EXEC004: a package is fetched and run in one step.

use hookgate_effects::Kind;
use hookgate_text::say;

use super::exec001_remote_code::is_package;
use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC004",
    name: "remote-package",
    summary: "a package is fetched and run in one step",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteCode]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    is_package(seen).then(|| {
        seen.hit(say!("fetches {} from a registry and runs it", seen.target("a package")))
            .fix("add it to the project with a pinned version, then run it")
    })
}
