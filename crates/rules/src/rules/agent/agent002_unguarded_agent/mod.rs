//! AGENT002: another agent is started without its permission checks.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "AGENT002",
    name: "unguarded-agent",
    summary: "another agent is started without its permission checks",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Agent]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.of_call().any(|other| other.effect.kind == Kind::Gate).then(|| {
        seen.hit("starts another agent without its permission checks or hooks")
            .fix("start it with the user's own settings and permissions")
            .forbidden()
    })
}
