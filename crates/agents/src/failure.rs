//! The answer of a gate that could not judge.

use serde_json::json;

use crate::text::{LIMIT, limited};
use crate::{Answer, Decision, Event, EventClass, EventName, Profile, Verdict, respond};

/// What a denial says that came without a reason: an agent would make up one of its own, or let the call run.
pub(crate) const NO_REASON: &str = "denied by hookgate's policy, without a reason";

/// The answer of a gate that could not judge: by the event's class, and for a tool call by `on_error`
/// ([`Decision::Pass`], [`Decision::Ask`] or [`Decision::Deny`]), with `text` saying what is wrong.
///
/// Without an event's name, everything but a pass blocks by the one form that most events understand.
#[must_use]
pub fn failure_answer(
    agent: &'static Profile,
    name: Option<&EventName>,
    on_error: Decision,
    text: &str,
) -> Answer {
    let texts = vec![text.to_owned()];
    let Some(name) = name else {
        if matches!(on_error, Decision::Pass | Decision::Handoff | Decision::Allow) {
            return Answer::default();
        }
        let refusal = limited(text, LIMIT).unwrap_or_else(|| NO_REASON.to_owned());
        let document = json!({ "decision": "block", "reason": refusal });
        return Answer { stdout: document.to_string().into_bytes(), refusal, ..Answer::default() };
    };
    let verdict = match (name.class(), on_error) {
        (EventClass::ToolCall, Decision::Ask | Decision::Deny | Decision::Halt) => {
            Verdict { decision: on_error, reasons: texts, ..Verdict::default() }
        }
        (EventClass::ToolCall, _) | (EventClass::StopLike, _) => {
            Verdict { notices: texts, ..Verdict::default() }
        }
        (EventClass::Gate | EventClass::Observation, _) => return Answer::default(),
    };
    respond(&Event::of(agent, name.clone()), &verdict)
}
