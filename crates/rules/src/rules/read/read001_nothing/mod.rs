//! READ001: a call without effects is granted.

use hookgate_effects::Kind;

use hookgate_shell::Span;

use crate::{Check, Facts, Hit, Kinds, Remedy, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "READ001",
    name: "nothing",
    summary: "a call without effects is granted",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(check),
};

fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    // These two are questions to the person: to allow them is to answer them.
    let question = facts
        .event
        .tool()
        .is_none_or(|tool| matches!(tool.name.as_str(), "AskUserQuestion" | "ExitPlanMode"));
    let known = facts.effects.calls.iter().all(|call| call.listed);
    let unsure =
        facts.effects.effects.iter().any(|effect| matches!(effect.kind, Kind::Unknown(_) | Kind::Hijack));
    if known && !unsure && !question {
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
