//! SYS001: a change is made with elevated privileges.

use hookgate_effects::{Kind, Place, Target};
use hookgate_text::{Message, say};

use crate::{Check, Deed, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SYS001",
    name: "privilege",
    summary: "a change is made with elevated privileges",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Privilege]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for seen in scene.seen().filter(|seen| seen.effect.kind == Kind::Privilege) {
        if changes_something(scene, seen.effect.call) {
            let carried = carried(scene, seen.effect.call);
            hits.push(
                seen.hit(say!("runs {} with elevated privileges", carried))
                    .fix("run it without, or give the user the command to run"),
            );
        }
    }
}

/// Does what the call runs change anything, or can't it be told?
fn changes_something(scene: &Scene<'_>, privileged: Option<usize>) -> bool {
    let Some(privileged) = privileged else { return true };
    if !scene.calls().any(|call| call.carrier() == Some(privileged)) {
        return true;
    }
    let below = |mut call: usize| {
        // A carrier stands before what it runs, so this ends.
        while let Some(carrier) = scene.call(call).and_then(Deed::carrier) {
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
    scene.seen().any(|seen| {
        let temporary = seen.place() <= Some(Place::Temporary);
        let harmless = match seen.effect.kind {
            Kind::Read | Kind::Download | Kind::RemoteRead | Kind::DatabaseRead | Kind::Privilege => true,
            kind => {
                Kinds::CHANGES.contains(kind)
                    && temporary
                    && matches!(seen.effect.target, Some(Target::Path(_)))
            }
        };
        !harmless && seen.effect.call.is_some_and(below)
    })
}

/// The program that it runs.
fn carried(scene: &Scene<'_>, privileged: Option<usize>) -> Message {
    let call = scene.calls().find(|call| call.carrier().is_some() && call.carrier() == privileged);
    call.map_or_else(|| "a shell".into(), Deed::shown)
}
