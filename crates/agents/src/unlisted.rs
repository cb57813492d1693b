//! An agent that is not listed: every call is judged, and the answer is the one denial that was found to hold, unchanged, in
//! six agents (Codex, Copilot, Droid, Gemini, Kimi, Qwen). Nothing else is said, because an answer that an agent doesn't
//! understand lets the call run.

use serde_json::json;

use crate::capabilities::{STOPPED, WATCHED};
use crate::placed::Placed;
use crate::{
    Answer, Capabilities, DenyForm, Event, EventName, FailureSupport, Map, NoticeForm, Outcome,
    PermissionMode, Profile, Verdict, decode,
};

pub(crate) const PROFILE: Profile = Profile {
    name: "other",
    title: "this agent",
    aliases: &[],
    version: "",
    events: EventName::ALL,
    tools: &[],
    programs: &[
        "gemini",
        "copilot",
        "opencode",
        "cursor-agent",
        "droid",
        "qwen",
        "kimi",
        "aider",
        "amp",
        "cline",
    ],
    marks: &["GEMINI_CLI", "CURSOR_AGENT", "COPILOT_AGENT"],
    project_variable: None,
    mark_alone: None,
    modes_alone: &[],
    failure: FailureSupport::Unknown,
    limits: &["Only a denial is answered: an ask is a denial, an allow, a warning and a notice are nothing."],
    event,
    outcome,
    capabilities,
    respond,
};

/// Other names of events. An unknown event with a tool call is taken to come before it.
fn event(agent: &'static Profile, name: EventName, fields: Map) -> Event {
    let name = match name {
        EventName::Unknown(name) => match name.as_str() {
            "BeforeTool" | "preToolUse" => EventName::PreToolUse,
            "AfterTool" | "postToolUse" => EventName::PostToolUse,
            "BeforeAgent" | "userPromptSubmitted" => EventName::UserPromptSubmit,
            "AfterAgent" | "agentStop" => EventName::Stop,
            _ if fields.contains_key("tool_name") => EventName::PreToolUse,
            _ => EventName::Unknown(name),
        },
        known => known,
    };
    decode::event(agent, name, fields)
}

fn outcome(event: &EventName, _: &Map) -> Option<Outcome> {
    (*event == EventName::PostToolUse).then_some(Outcome::Unclear)
}

fn capabilities(event: &EventName, _: Option<&PermissionMode>) -> Capabilities {
    let capabilities = match event {
        EventName::Stop | EventName::SubagentStop => Capabilities { deny: DenyForm::HoldsBack, ..WATCHED },
        EventName::PostToolUse => Capabilities { deny: DenyForm::Feedback, ..STOPPED },
        EventName::PreToolUse | EventName::PermissionRequest | EventName::UserPromptSubmit => STOPPED,
        _ => WATCHED,
    };
    Capabilities { notice: NoticeForm::None, ..capabilities }
}

fn respond(event: &Event, verdict: &Verdict) -> Answer {
    let verdict = verdict.carriable(event);
    let placed = Placed::new(event, &verdict, event.capabilities(), true);
    if !placed.denies() {
        return Answer::default();
    }
    let reason = placed.refusal();
    let mut document = json!({ "decision": "block", "reason": reason });
    if event.name == EventName::PreToolUse
        && let Some(fields) = document.as_object_mut()
    {
        let specific = json!({
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        });
        fields.insert("hookSpecificOutput".to_owned(), specific);
    }
    Answer { stdout: document.to_string().into_bytes(), refusal: reason, ..Answer::default() }
}
