//! `OpenAI` Codex, as measured with 0.169.0.

mod capabilities;
mod document;
mod respond;
mod tools;

use crate::{EventName, FailureSupport, Map, Outcome, PermissionMode, Profile, decode};

pub(crate) const PROFILE: Profile = Profile {
    name: "codex",
    title: "OpenAI Codex",
    aliases: &["codex-cli", "openai-codex"],
    version: "0.169.0",
    events: EVENTS,
    tools: tools::TOOLS,
    programs: &["codex"],
    marks: &["CODEX_SANDBOX"],
    project_variable: None,
    mark_alone: None,
    modes_alone: &[PermissionMode::DontAsk, PermissionMode::BypassPermissions],
    failure: FailureSupport::Runs,
    limits: &[
        "A hook can't ask: an ask before a tool call is a denial. Codex's own prompt is the question of `PermissionRequest`.",
        "A hook can't let a call skip Codex's prompt before the call; it can answer the prompt itself.",
        "A command is replaced only together with an allow, or in the mode `bypassPermissions`; otherwise it is refused, and the reason names the one to run.",
        "Codex doesn't say in which directory a command runs. So a shell call is never allowed, and relative paths in it are judged as if it ran in the session's directory.",
        "Typing into a shell that is already running fires no hook.",
        "Codex runs the call where the hook's program is missing, crashes or takes too long, and has no setting against it.",
        "Hooks that the person has not trusted in Codex are skipped without a word.",
        "A held back stop can repeat without end, so hookgate holds each one back once.",
    ],
    event: decode::event,
    outcome,
    capabilities: capabilities::of,
    respond: respond::respond,
};

const EVENTS: &[EventName] = &[
    EventName::PreToolUse,
    EventName::PermissionRequest,
    EventName::PostToolUse,
    EventName::PreCompact,
    EventName::PostCompact,
    EventName::SessionStart,
    EventName::SessionEnd,
    EventName::UserPromptSubmit,
    EventName::SubagentStart,
    EventName::SubagentStop,
    EventName::Stop,
    EventName::Interrupt,
];

fn outcome(event: &EventName, _: &Map) -> Option<Outcome> {
    (*event == EventName::PostToolUse).then_some(Outcome::Ran)
}
