//! AGENT002: another agent is started without its permission checks.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "AGENT002",
    name: "unguarded-agent",
    summary: "another agent is started without its permission checks",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Agent]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let unguarded = |argument: &str| UNGUARDED.contains(&argument.split('=').next().unwrap_or_default());
    let mode =
        |argument: &str| matches!(argument, "bypassPermissions" | "--permission-mode=bypassPermissions");
    seen.argument(|argument| unguarded(argument) || mode(argument)).then(|| {
        seen.hit("starts another agent without its permission checks")
            .fix("start it with its permissions on")
            .forbidden()
    })
}

/// The options, agent by agent: Claude Code, Codex, Gemini and Qwen, Copilot, Cursor, Amp, Droid, Kimi.
const UNGUARDED: [&str; 11] = [
    "--dangerously-skip-permissions",
    "--allow-dangerously-skip-permissions",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    "--yolo",
    "--allow-all-tools",
    "--allow-all",
    "--dangerously-allow-all",
    "--skip-permissions-unsafe",
    "--force-allow-all",
    "--no-sandbox",
];
