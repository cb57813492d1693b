//! GATE006: the gate is uninstalled.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE006",
    name: "uninstall-gate",
    summary: "the gate is uninstalled",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Uninstall, Kind::Install, Kind::InstallGlobal]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let gate =
        seen.name().is_some_and(|name| name.split(['@', '/', '=', ':']).any(|part| part == "hookgate"));
    gate.then(|| {
        seen.hit("removes or replaces the gate's own package")
            .fix("ask the person to do it in their own terminal")
            .forbidden()
    })
}
