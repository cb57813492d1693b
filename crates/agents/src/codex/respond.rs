//! A [`Verdict`] to the bytes that Codex honours.

use crate::placed::Placed;
use crate::{Answer, Decision, Event, EventName, NoticeForm, Verdict};

use super::document::{Document, Permission, Request, Specific};

pub(super) fn respond(event: &Event, verdict: &Verdict) -> Answer {
    let capabilities = event.capabilities();
    let verdict = verdict.carriable(event);
    let placed = Placed::new(event, &verdict, capabilities, true);
    let mut document = match event.name {
        EventName::PreToolUse => Document { specific: call(event, &verdict, &placed), ..Document::default() },
        EventName::PermissionRequest => Document { specific: request(event, &placed), ..Document::default() },
        _ => other(event, &placed),
    };
    document.system_message = placed.notice.clone().filter(|_| capabilities.notice == NoticeForm::Message);
    let refusal = if placed.denies() { placed.refusal() } else { String::new() };
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
