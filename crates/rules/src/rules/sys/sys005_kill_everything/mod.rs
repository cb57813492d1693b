//! SYS005: every process is killed.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS005",
    name: "kill-everything",
    summary: "every process is killed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let everything = matches!(seen.name(), Some("-1" | "1" | "." | ".*" | "*" | ""))
        || signals_all(seen)
        || of_a_user(seen);
    everything.then(|| seen.hit("kills every process").fix("kill the one process by its PID").forbidden())
}

/// `kill -9 -1`: a signal, and then minus one for the process. Alone, `-1` is a signal.
fn signals_all(seen: &Seen<'_>) -> bool {
    seen.call()
        .filter(|call| call.program == "kill" && call.arguments.len() > 1)
        .is_some_and(|call| call.arguments.last().and_then(|argument| argument.text.as_deref()) == Some("-1"))
}

/// `pkill -u NAME`, `killall -u NAME` without a pattern: all that the user runs.
fn of_a_user(seen: &Seen<'_>) -> bool {
    const OPTIONS: &[&str] = &["-u", "-U", "--user", "--uid", "--euid"];
    seen.name().is_none()
        && seen
            .call()
            .filter(|call| matches!(call.program.as_str(), "pkill" | "killall" | "skill"))
            .is_some_and(|call| {
                let mut texts = call.arguments.iter().filter_map(|argument| argument.text.as_deref());
                texts.any(|text| OPTIONS.contains(&text))
            })
}
