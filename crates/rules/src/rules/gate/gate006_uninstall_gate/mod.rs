//! GATE006: hookgate or another guard is uninstalled.

use hookgate_effects::{GUARDS, Kind};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE006",
    name: "uninstall-gate",
    summary: "hookgate or another guard is uninstalled",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Uninstall, Kind::Install, Kind::InstallGlobal]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let parts = || seen.name().into_iter().flat_map(|name| name.split(['@', '/', '=', ':', '.']));
    // Another guard may be installed, but not taken away.
    let guard = |part: &str| GUARDS.contains(&part.strip_suffix("-cli").unwrap_or(part));
    let gate =
        parts().any(|part| part == "hookgate") || (seen.effect.kind == Kind::Uninstall && parts().any(guard));
    gate.then(|| {
        seen.hit("removes or replaces the package of hookgate or another guard")
            .fix("ask the user to do it in their own terminal")
            .forbidden()
    })
}
