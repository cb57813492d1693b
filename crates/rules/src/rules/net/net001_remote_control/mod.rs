//! NET001: a shell is connected to the network.

use hookgate_effects::{Call, Kind};
use hookgate_text::say;

use crate::{Check, Facts, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET001",
    name: "remote-control",
    summary: "a shell is connected to the network",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Listen, Kind::Upload, Kind::Download, Kind::RemoteShell]),
    check: Check::Whole(check),
};

fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let calls = &facts.effects.calls;
    let is_shell = |call: &Call| call.acts_as("shell");
    for (index, effect) in facts.effects.effects.iter().enumerate() {
        if !RULE.kinds.contains(effect.kind) {
            continue;
        }
        let call = effect.call.and_then(|at| calls.get(at));
        let connected = match effect.kind {
            // A client such as `ssh` runs the shell over there; these, and redirections, run it here.
            Kind::RemoteShell => call.is_none_or(|call| is_shell(call) || call.acts_as("connector")),
            _ => call.is_some_and(|call| {
                is_shell(call) || calls.iter().any(|other| other.carrier == effect.call && is_shell(other))
            }),
        };
        if connected {
            let seen = Seen { facts, index, effect };
            hits.push(
                seen.hit(say!("connects a shell to {}", seen.target("the network")))
                    .fix("use `ssh` to reach the other machine")
                    .forbidden(),
            );
            return;
        }
    }
}
