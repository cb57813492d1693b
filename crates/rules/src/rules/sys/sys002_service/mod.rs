//! SYS002: services are started, stopped or changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS002",
    name: "service",
    summary: "services are started, stopped or changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Service]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (!starts_own(seen)).then(|| {
        seen.hit(say!("starts, stops or changes {}", seen.target("a system service")))
            .fix("run your own process instead, or ask the user")
    })
}

/// Is a service only started, and one that runs without any rights but the person's own (`brew services start`)?
fn starts_own(seen: &Seen<'_>) -> bool {
    let Some(call) = seen.call() else { return false };
    let words: Vec<&str> = call.arguments.iter().filter_map(|argument| argument.text.as_deref()).collect();
    let starts = words.iter().any(|word| matches!(*word, "start" | "restart"));
    let own = match call.program.as_str() {
        "brew" | "pg_ctl" => true,
        "systemctl" => words.contains(&"--user"),
        _ => false,
    };
    let unprivileged = call
        .carrier
        .and_then(|carrier| seen.facts.effects.calls.get(carrier))
        .is_none_or(|carrier| !matches!(carrier.program.as_str(), "sudo" | "doas" | "su" | "ssh"));
    own && starts && unprivileged && words.len() == call.arguments.len()
}
