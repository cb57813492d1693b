//! Claude Code, as measured with 2.1.330.

mod capabilities;
mod document;
mod hook_output;
mod respond;
mod terminal;
mod tool_output;
mod tools;

pub use hook_output::{HookOutput, HookReply, read_hook_output};

use crate::{EventName, FailureSupport, Map, Outcome, PermissionMode, Profile, Value, decode};

pub(crate) const PROFILE: Profile = Profile {
    name: "claude-code",
    title: "Claude Code",
    aliases: &["claude"],
    version: "2.1.330",
    events: EVENTS,
    tools: tools::TOOLS,
    programs: &["claude"],
    marks: &["CLAUDECODE", "CLAUDE_CODE_SESSION_ID"],
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    mark_alone: Some(("CLAUDE_CODE_SESSION_ATTENDED", "0")),
    // It refuses by itself what it would otherwise ask about.
    modes_alone: &[PermissionMode::DontAsk],
    failure: FailureSupport::Settable { since: (2, 1, 295) },
    limits: &[
        "In `-p` and in the mode `dontAsk` no one can answer a question: the call is refused.",
        "An interactive session runs no hooks in a folder until the person trusts it.",
        "A registered `WorktreeCreate` hook makes the worktree: the client makes none itself. So it is registered only where the policy \
         names a path for every worktree, or refuses it.",
        "A replaced output of a built-in tool has to have that tool's form: hookgate gives it the fields that the policy leaves out, and \
         tells the user where it can't.",
        "`permissionDecision: \"defer\"` is honoured in `-p` and only where a message has one call, which a hook can't know; elsewhere the \
         call goes on. hookgate asks or refuses instead.",
        "`suppressOutput` has no effect, and an answer with `async` decides nothing, so hookgate gives neither.",
    ],
    event: decode::event,
    outcome,
    capabilities: capabilities::of,
    respond: respond::respond,
};

/// The events, in the client's own order.
const EVENTS: &[EventName] = &[
    EventName::PreToolUse,
    EventName::PostToolUse,
    EventName::PostToolUseFailure,
    EventName::PostToolBatch,
    EventName::Notification,
    EventName::UserPromptSubmit,
    EventName::UserPromptExpansion,
    EventName::SessionStart,
    EventName::SessionEnd,
    EventName::Stop,
    EventName::StopFailure,
    EventName::SubagentStart,
    EventName::SubagentStop,
    EventName::PreCompact,
    EventName::PostCompact,
    EventName::PreModelSwitch,
    EventName::PostModelSwitch,
    EventName::PermissionRequest,
    EventName::PermissionDenied,
    EventName::Setup,
    EventName::TeammateIdle,
    EventName::TaskCreated,
    EventName::TaskCompleted,
    EventName::Elicitation,
    EventName::ElicitationResult,
    EventName::ConfigChange,
    EventName::WorktreeCreate,
    EventName::WorktreeRemove,
    EventName::InstructionsLoaded,
    EventName::CwdChanged,
    EventName::FileChanged,
    EventName::DirectoryAdded,
    EventName::MessageDisplay,
];

/// A command that ran and failed says so in the first line of its error; anything else may be an interruption.
fn outcome(event: &EventName, fields: &Map) -> Option<Outcome> {
    match event {
        EventName::PostToolUse => Some(Outcome::Ran),
        EventName::PostToolUseFailure => {
            let text = |key: &str| fields.get(key).and_then(Value::as_str);
            let interrupted = fields.get("is_interrupt").and_then(Value::as_bool) == Some(true);
            let ran = !interrupted && text("error").is_some_and(|error| error.starts_with("Exit code "));
            Some(if ran { Outcome::Failed } else { Outcome::Unclear })
        }
        _ => None,
    }
}
