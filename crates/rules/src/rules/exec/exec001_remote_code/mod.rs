//! EXEC001: code from the network runs without being read first.

use hookgate_effects::{Kind, Manner, Target};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC001",
    name: "remote-code",
    summary: "code from the network runs without being read first",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteCode]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (!is_package(seen)).then(|| {
        seen.hit(say!("runs code from {} without reading it first", seen.target("the network")))
            .fix("download it to a file, read it, and run it as a separate step")
    })
}

/// Does a package manager fetch the code from its registry, by name?
pub(crate) fn is_package(seen: &Seen<'_>) -> bool {
    match seen.effect.target {
        Some(Target::Name(_)) => true,
        // An address is not a registry.
        Some(Target::Host(_)) => false,
        _ => seen.happens(Manner::BY_NAME),
    }
}
