//! READ001: a call without effects is granted.

use hookgate_effects::Kind;

use hookgate_shell::Span;

use crate::{Check, Deed, Hit, Kinds, Remedy, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "READ001",
    name: "nothing",
    summary: "a call without effects is granted",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let known = scene.calls().all(Deed::listed);
    let unsure = scene.seen().any(|seen| matches!(seen.effect.kind, Kind::Unknown(_) | Kind::Hijack));
    if known && !unsure && !scene.asks_person() {
        hits.push(Hit {
            message: "every program in it is known".into(),
            fix: None,
            remedy: Remedy::Fixable,
            span: Span::default(),
            effects: Vec::new(),
            level: None,
            unless_kept: None,
            replacement: None,
        });
    }
}
