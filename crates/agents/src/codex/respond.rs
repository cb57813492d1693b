//! A [`Verdict`] to the bytes that Codex honours.

use std::borrow::Cow;

use crate::placed::Placed;
use crate::text::limited;
use crate::{Answer, Decision, Event, EventClass, EventName, NoticeForm, RewriteForm, Value, Verdict};

use super::document::{Document, Permission, Request, Specific};

/// The most that the reason shows of a replaced input, in UTF-16 code units.
const SHOWN: usize = 2_000;

pub(super) fn respond(event: &Event, verdict: &Verdict) -> Answer {
    let capabilities = event.capabilities();
    let verdict = named_rewrite(event, verdict);
    let placed = Placed::new(event, &verdict, capabilities, true);
    let mut document = match event.name {
        EventName::PreToolUse => Document { specific: call(event, &verdict, &placed), ..Document::default() },
        EventName::PermissionRequest => Document { specific: request(event, &placed), ..Document::default() },
        _ => other(event, &placed),
    };
    document.system_message = placed.notice.clone().filter(|_| capabilities.notice == NoticeForm::Message);
    let refusal = match event.name.class() {
        EventClass::ToolCall if placed.denies() => placed.refusal(),
        _ => String::new(),
    };
    Answer { stdout: document.to_bytes(), refusal, ..Answer::default() }
}

fn call<'a>(event: &'a Event, verdict: &'a Verdict, placed: &Placed) -> Option<Specific<'a>> {
    let mut specific = Specific {
        hook_event_name: event.name.as_str(),
        additional_context: placed.context.clone(),
        ..Specific::default()
    };
    if placed.denies() {
        specific.permission_decision = Some(Permission::Deny);
        specific.permission_decision_reason = Some(placed.refusal());
    } else if let Some(input) = &verdict.rewrite {
        // What can't be said so has become a denial.
        specific.permission_decision = Some(Permission::Allow);
        specific.updated_input = Some(input);
    } else if placed.context.is_none() {
        return None;
    }
    Some(specific)
}

fn request<'a>(event: &'a Event, placed: &Placed) -> Option<Specific<'a>> {
    let decision = match placed.decision {
        Decision::Deny | Decision::Halt => Request::Deny { message: placed.refusal() },
        Decision::Allow => Request::Allow,
        Decision::Pass | Decision::Handoff | Decision::Ask => return None,
    };
    Some(Specific { hook_event_name: event.name.as_str(), decision: Some(decision), ..Specific::default() })
}

/// The events that a top-level field decides.
fn other<'a>(event: &'a Event, placed: &Placed) -> Document<'a> {
    let mut document = match placed.decision {
        Decision::Halt => {
            Document { goes_on: Some(false), stop_reason: Some(placed.refusal()), ..Document::default() }
        }
        Decision::Deny => Document::block(placed.refusal()),
        _ => Document::default(),
    };
    document.specific = placed.context.clone().map(|context| Specific {
        hook_event_name: event.name.as_str(),
        additional_context: Some(context),
        ..Specific::default()
    });
    document
}

/// The verdict without a new input that the agent would not take: the call is refused, and the reason names what to run. The
/// original never runs in its place.
pub(crate) fn named_rewrite<'v>(event: &Event, verdict: &'v Verdict) -> Cow<'v, Verdict> {
    let Some(input) = verdict.rewrite.as_ref().filter(|_| event.name.class() == EventClass::ToolCall) else {
        return Cow::Borrowed(verdict);
    };
    let is_taken = match event.capabilities().rewrite {
        RewriteForm::Always => true,
        RewriteForm::WithAllow => verdict.decision == Decision::Allow,
        RewriteForm::Never => false,
    };
    if is_taken && verdict.decision < Decision::Deny {
        return Cow::Borrowed(verdict);
    }
    let mut named = verdict.clone();
    named.rewrite = None;
    // A handed-off call runs as it is, by the agent's own rules.
    if verdict.decision < Decision::Deny && verdict.decision != Decision::Handoff {
        named.decision = Decision::Deny;
        let new = event.call.as_ref().and_then(|call| {
            let mut call = call.clone();
            call.input.clone_from(input);
            call.shell_text().map(|text| Value::from(text).to_string())
        });
        let new = new.unwrap_or_else(|| Value::Object(input.clone()).to_string());
        let new = limited(&new, SHOWN).unwrap_or_default();
        named.reasons.push(format!("{} can't replace this call. Send it again as: {new}", event.agent.title));
    }
    Cow::Owned(named)
}
