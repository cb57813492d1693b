//! GATE002: the agents' hook settings are changed.

use hookgate_effects::Traits;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE002",
    name: "change-agent-settings",
    summary: "the agents' hook settings are changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let settings = seen.changes(Traits::AGENT_SETTINGS, &seen.facts.places.agent_settings);
    settings.then(|| {
        seen.hit(format!("{} {}, where the agent's hooks are set up", seen.verb(), seen.target("a file")))
            .fix("ask the person to change the agent's settings")
            .forbidden()
    })
}
