//! AGENT003: what an agent loads is changed.

use hookgate_effects::Traits;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "AGENT003",
    name: "change-what-an-agent-loads",
    summary: "what an agent loads is changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.changes(Traits::AGENT_LOADS, &[]).then(|| {
        seen.hit(say!("{} {}, which an agent loads", seen.verb(), seen.target("a file")))
            .fix("let the user review the new server, command, skill or agent")
    })
}
