//! AGENT001: another agent is started.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "AGENT001",
    name: "agent",
    summary: "another agent is started",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Agent]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(seen.hit(say!("starts {}", seen.target("another agent"))).fix("use your own subagents"))
}
