//! GATE002: the agent's hook settings are changed.

use hookgate_effects::Traits;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE002",
    name: "change-agent-settings",
    summary: "the agent's hook settings are changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let settings = seen.changes(Traits::AGENT_SETTINGS, &seen.places().agent_settings);
    settings.then(|| {
        seen.hit(say!("{} {}, where the agent's hooks are configured", seen.verb(), seen.target("a file")))
            .fix("ask the user to change the agent's settings")
            .forbidden()
    })
}
