//! What is asked once per session (`ask.once`): a question is noted when it is put, and the call's outcome shows that a
//! person said yes. Then the same question about the same call is not put again.
//!
//! The agent never reports a no: a question without an outcome is simply put again.

use hookgate_agents::{Body, Decision, Event, EventName, Map, PermissionMode};
use hookgate_effects::Effects;
use hookgate_policy::{Level, Policy, digest};

use crate::{Finding, Host, describe};

/// Accepts what a person already said yes to. The session's state is opened only where something is about to be asked that
/// the policy asks once.
pub(crate) fn accept(
    event: &Event,
    policy: &Policy,
    host: &dyn Host,
    effects: &Effects,
    findings: &mut [Finding],
) {
    if !policy.remembers_answers() || !findings.iter().any(|finding| is_remembered(finding, policy)) {
        return;
    }
    let Some(question) = question(event, effects) else { return };
    let accepted = host.consented(&event.session_id, &question);
    for finding in findings.iter_mut().filter(|finding| is_remembered(finding, policy)) {
        if accepted.contains(&finding.code) {
            finding.exception = Some("a person said yes to this call in this session".to_owned());
        }
    }
}

/// Notes a question that is put now.
pub(crate) fn note(
    event: &Event,
    policy: &Policy,
    host: &dyn Host,
    effects: &Effects,
    findings: &[Finding],
    decision: Decision,
    attended: bool,
) {
    if decision != Decision::Ask || event.name != EventName::PreToolUse || !attended || !asks_a_person(event)
    {
        return;
    }
    let asked = findings.iter().filter(|finding| is_remembered(finding, policy));
    let mut codes: Vec<String> = asked.map(|finding| finding.code.clone()).collect();
    codes.sort();
    codes.dedup();
    let call = event.tool().and_then(|call| call.id.as_deref());
    if let (false, Some(call), Some(question)) = (codes.is_empty(), call, question(event, effects)) {
        host.note_question(&event.session_id, call, &question, &codes);
    }
}

/// The outcome of a call that ran: if it was asked about, a person said yes.
pub(crate) fn settle(event: &Event, policy: &Policy, host: &dyn Host, attended: bool) {
    if !policy.remembers_answers() || event.session_id.is_empty() || !attended || !asks_a_person(event) {
        return;
    }
    let ran = match &event.body {
        Body::ToolResult { .. } => true,
        // A command that ran and failed; an interruption may as well be the no.
        Body::ToolFailure { error, interrupted, .. } => !interrupted && error.starts_with("Exit code "),
        _ => false,
    };
    let call = event.tool().and_then(|call| call.id.as_deref());
    if let (true, Some(call)) = (ran, call) {
        host.settle_question(&event.session_id, call);
    }
}

fn is_remembered(finding: &Finding, policy: &Policy) -> bool {
    finding.applies()
        && finding.level == Level::Ask
        && !finding.guards_gate()
        && policy.asks_once(&finding.code)
}

/// Is it surely a person who answers a question in this mode? In others the client may answer by itself.
fn asks_a_person(event: &Event) -> bool {
    matches!(
        event.permission_mode,
        Some(PermissionMode::Default | PermissionMode::AcceptEdits | PermissionMode::Plan)
    )
}

/// A name for what is asked: this call in this session and directory, with what it would do. What the model says about its
/// call is no part of it.
fn question(event: &Event, effects: &Effects) -> Option<String> {
    let tool = event.tool().filter(|_| !event.session_id.is_empty())?;
    let mut whole = format!("{}\0{}\0{}\0", event.session_id, event.cwd, tool.name);
    let input: Map = tool
        .input
        .iter()
        .filter(|(key, _)| *key != "description")
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    whole.push_str(&serde_json::Value::Object(input).to_string());
    for effect in &effects.effects {
        whole.push('\0');
        whole.push_str(&describe(effect));
    }
    digest(&whole).get(..32).map(str::to_owned)
}
