//! NET001: a shell is connected to the network.

use hookgate_effects::{Call, Kind};

use crate::{Check, Facts, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "NET001",
    name: "remote-control",
    summary: "a shell is connected to the network",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Listen, Kind::Upload, Kind::Download]),
    check: Check::Whole(check),
};

fn check(facts: &Facts<'_>, hits: &mut Vec<Hit>) {
    let calls = &facts.effects.calls;
    let is_shell = |call: &Call| SHELLS.contains(&call.program.as_str());
    for (index, effect) in facts.effects.effects.iter().enumerate() {
        let Some(at) = effect.call.filter(|_| RULE.kinds.contains(effect.kind)) else { continue };
        let itself = calls.get(at).is_some_and(is_shell);
        if itself || calls.iter().any(|call| call.carrier == Some(at) && is_shell(call)) {
            let seen = Seen { facts, index, effect };
            hits.push(
                seen.hit(format!("connects a shell to {}", seen.target("the network")))
                    .fix("use `ssh` to the other machine")
                    .forbidden(),
            );
            return;
        }
    }
}

const SHELLS: [&str; 12] =
    ["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "pwsh", "powershell"];
