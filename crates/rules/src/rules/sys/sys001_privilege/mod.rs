//! SYS001: a change is made with more privileges than the user's.

use hookgate_effects::{Call, Kind, Place, Target};
use hookgate_text::{Message, Quoted, say};

use crate::{Check, Facts, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS001",
    name: "privilege",
    summary: "a change is made with more privileges than the user's",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Privilege]),
    check: Check::Whole(check),
};

fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    for (index, effect) in facts.effects.effects.iter().enumerate() {
        if effect.kind == Kind::Privilege && changes_something(&facts.effects.calls, facts, effect.call) {
            let seen = Seen { facts, index, effect };
            hits.push(
                seen.hit(say!("runs {} with more privileges than the user's", carried(facts, effect.call)))
                    .fix("run it without, or give the user the command to run"),
            );
        }
    }
}

/// Does what the call runs change anything, or can't it be told?
fn changes_something(calls: &[Call], facts: &Facts<'_>, privileged: Option<usize>) -> bool {
    let Some(privileged) = privileged else { return true };
    if !calls.iter().any(|call| call.carrier == Some(privileged)) {
        return true;
    }
    let below = |mut call: usize| {
        // A carrier stands before what it runs, so this ends.
        while let Some(carrier) = calls.get(call).and_then(|call| call.carrier) {
            if carrier == privileged {
                return true;
            }
            if carrier >= call {
                return false;
            }
            call = carrier;
        }
        false
    };
    facts.effects.effects.iter().enumerate().any(|(index, effect)| {
        let temporary = Seen { facts, index, effect }.place() <= Some(Place::Temporary);
        let harmless = match effect.kind {
            Kind::Read | Kind::Download | Kind::RemoteRead | Kind::DatabaseRead | Kind::Privilege => true,
            kind => {
                Kinds::CHANGES.contains(kind) && temporary && matches!(effect.target, Some(Target::Path(_)))
            }
        };
        !harmless && effect.call.is_some_and(below)
    })
}

/// The program that it runs.
fn carried(facts: &Facts<'_>, privileged: Option<usize>) -> Message {
    let call = facts.effects.calls.iter().find(|call| call.carrier.is_some() && call.carrier == privileged);
    call.map_or_else(|| "a shell".into(), |call| say!("{}", Quoted::new(&call.word)))
}
