//! PERM001: a call breaks one of the agent's deny rules without the agent noticing.

use hookgate_clients::List;
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Remedy, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "PERM001",
    name: "missed-deny",
    summary: "a call breaks one of the agent's deny rules without the agent noticing",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    broken(scene, List::Deny, hits);
}

/// One hit for each rule of the list that the call breaks.
pub(super) fn broken(scene: &Scene<'_>, list: List, hits: &mut Vec<Hit>) {
    hits.extend(scene.missed().iter().filter(|missed| missed.list == list).map(|missed| {
        Hit {
            message: say!(
                "{}, against the {} rule {} in {}, which {} doesn't apply here",
                missed.how,
                missed.list.name(),
                Quoted::new(&missed.rule),
                Quoted::new(&missed.file),
                scene.agent()
            ),
            fix: None,
            remedy: Remedy::Forbidden,
            span: missed.span,
            effects: missed.effects.clone(),
            level: None,
            unless_kept: None,
            replacement: None,
        }
        .fix("ask the user, who wrote the rule")
    }));
}
