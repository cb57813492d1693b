//! NET001: a shell is connected to the network.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::{Check, Deed, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "NET001",
    name: "remote-control",
    summary: "a shell is connected to the network",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Listen, Kind::Upload, Kind::Download, Kind::RemoteShell]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let is_shell = |call: Deed<'_>| call.acts_as("shell");
    for seen in scene.seen().filter(|seen| RULE.kinds.contains(seen.effect.kind)) {
        let call = seen.call();
        let connected = match seen.effect.kind {
            // A client such as `ssh` runs the shell over there; these, and redirections, run it here.
            Kind::RemoteShell => {
                seen.happens(Manner::HANDED)
                    || call.is_none_or(|call| is_shell(call) || call.acts_as("connector"))
            }
            // A manager of packages fetches what it starts the shell with.
            _ => call.filter(|call| !call.acts_as("manager")).is_some_and(|call| {
                is_shell(call)
                    || scene.calls().any(|other| other.carrier() == seen.effect.call && is_shell(other))
            }),
        };
        if connected {
            hits.push(
                seen.hit(say!("connects a shell to {}", seen.target("the network")))
                    .fix("use `ssh` to reach the other machine")
                    .forbidden(),
            );
            return;
        }
    }
}
