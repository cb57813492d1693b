//! INFRA002: infrastructure is changed without a reviewed plan.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "INFRA002",
    name: "apply-unseen",
    summary: "infrastructure is changed without a reviewed plan",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::InfrastructureChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.happens(Manner::UNSEEN).then(|| {
        seen.hit(say!("changes {} without a reviewed plan", seen.target("infrastructure")))
            .fix(seen.tried_first("show the user the plan first, and apply exactly that"))
    })
}
