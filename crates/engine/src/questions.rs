//! What is asked once per session (`ask.once`): a question is noted when it is put, and the call's outcome shows that a
//! person said yes. Then the same question about the same call is not put again.
//!
//! The agent never reports a no: a question without an outcome is simply put again.

use hookgate_agents::{Decision, Event, EventName, Map, Outcome, PermissionMode, ToolCall};
use hookgate_policy::{Level, Policy, digest};

use crate::input::At;
use crate::pass::Pass;
use crate::{Excuse, Finding, Note, describe};

/// Accepts what a person already said yes to. The session's state is opened only where something is about to be asked that
/// the policy asks once.
pub(crate) fn accept(at: &At<'_>, question: Option<&str>, findings: &mut [Finding]) {
    let remembered = |finding: &Finding| is_remembered(finding, at.policy);
    let Some(question) = question.filter(|_| findings.iter().any(remembered)) else { return };
    let accepted = at.host.consented(&at.event.session_id, question);
    for finding in findings.iter_mut().filter(|finding| remembered(finding)) {
        if accepted.contains(&finding.code) {
            finding.exception = Some("a person agreed to this call in this session".to_owned());
            finding.excuse = Some(Excuse::Answer);
        }
    }
}

/// A question that is put now; noted for each input that the call may run with.
pub(crate) fn asked(
    at: &At<'_>,
    question: Option<String>,
    findings: &[Finding],
    decision: Decision,
    rewrite: Option<&Map>,
) -> Vec<Note> {
    let Some((question, codes)) = question.zip(asked_now(at, findings, decision)) else { return Vec::new() };
    let Some((tool, feeder)) = at.event.tool().zip(at.host.feeder()) else { return Vec::new() };
    let inputs = std::iter::once(&tool.input).chain(rewrite);
    let calls = inputs.filter_map(|input| call_with(tool, input, &feeder));
    calls.map(|call| Note::Asked { call, question: question.clone(), codes: codes.clone() }).collect()
}

/// The codes that a person is asked about now and that are remembered.
fn asked_now(at: &At<'_>, findings: &[Finding], decision: Decision) -> Option<Vec<String>> {
    let event = at.event;
    if decision != Decision::Ask
        || event.name != EventName::PreToolUse
        || !at.attended
        || !asks_a_person(event)
    {
        return None;
    }
    let asked = findings.iter().filter(|finding| is_remembered(finding, at.policy));
    let mut codes: Vec<String> = asked.map(|finding| finding.code.clone()).collect();
    codes.sort();
    codes.dedup();
    (!codes.is_empty()).then_some(codes)
}

/// A name for a call with that input: an outcome that reports another input under the same id is none of this call, nor is one
/// that comes from another process than the question did, whoever says so. `None` where the agent names no calls.
fn call_with(tool: &ToolCall, input: &Map, feeder: &str) -> Option<String> {
    let id = tool.id.as_deref()?;
    let whole = format!("{}\0{}\0{feeder}", tool.name, said_apart(input));
    Some(format!("{id} {}", digest(&whole).get(..32)?))
}

/// An input without what the model says about its call.
fn said_apart(input: &Map) -> serde_json::Value {
    let parts = input.iter().filter(|(key, _)| *key != "description");
    serde_json::Value::Object(parts.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// The outcome of a call that ran: if it was asked about, a person said yes.
pub(crate) fn ran(at: &At<'_>) -> Option<Note> {
    let event = at.event;
    if !at.policy.remembers_answers() || event.session_id.is_empty() || !at.attended || !asks_a_person(event)
    {
        return None;
    }
    let ran = matches!(event.outcome, Some(Outcome::Ran | Outcome::Failed));
    let tool = event.tool()?;
    let call = call_with(tool, &tool.input, &at.host.feeder().filter(|_| ran)?)?;
    ran.then_some(Note::Ran { call })
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

/// A name for what is asked: this call in this session and directory, with what it and its new input would do. What the model
/// says about its call is no part of it. `None` where nothing of it is asked once.
pub(crate) fn name(at: &At<'_>, first: &Pass<'_>, second: Option<&Pass<'_>>) -> Option<String> {
    let passes = || std::iter::once(first).chain(second);
    let mut findings = passes().flat_map(|pass| &pass.findings);
    if !at.policy.remembers_answers() || !findings.any(|finding| is_remembered(finding, at.policy)) {
        return None;
    }
    let event = at.event;
    let tool = event.tool().filter(|_| !event.session_id.is_empty())?;
    let mut whole = format!("{}\0{}\0{}\0", event.session_id, event.cwd, tool.name);
    whole.push_str(&said_apart(&tool.input).to_string());
    for effect in passes().flat_map(|pass| &pass.effects.effects) {
        whole.push('\0');
        whole.push_str(&describe(effect));
    }
    digest(&whole).get(..32).map(str::to_owned)
}
