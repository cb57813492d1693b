//! EXEC001: code from the network runs without being read first.

use hookgate_effects::{Kind, Target};
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
        Some(Target::Name(_)) => return true,
        // An address is not a registry.
        Some(Target::Host(_)) => return false,
        _ => {}
    }
    seen.call().is_some_and(|call| {
        // Without a name, or with a dash in the place of one, the code is what comes through a pipe.
        let piped = call.arguments.iter().any(|argument| argument.text.as_deref() == Some("-"));
        let names = call.arguments.iter().any(|argument| {
            argument.text.as_deref().is_none_or(|text| !text.starts_with('-') && !text.is_empty())
        });
        names && !piped && call.acts_as("manager")
    })
}
