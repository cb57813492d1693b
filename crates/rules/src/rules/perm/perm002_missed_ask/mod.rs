//! PERM002: a call breaks one of the agent's ask rules without the agent noticing.

use hookgate_clients::List;

use super::perm001_missed_deny::broken;
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "PERM002",
    name: "missed-ask",
    summary: "a call breaks one of the agent's ask rules without the agent noticing",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    broken(scene, List::Ask, hits);
}
