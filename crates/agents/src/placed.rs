//! The texts of a verdict at the places that an event has for them, whatever the agent.

use crate::failure::NO_REASON;
use crate::text::{LIMIT, join};
use crate::{Capabilities, ContextForm, Decision, Event, Verdict};

/// A verdict as the event can carry it.
pub(crate) struct Placed {
    pub(crate) decision: Decision,
    reason: Option<String>,
    pub(crate) context: Option<String>,
    pub(crate) notice: Option<String>,
}

impl Placed {
    /// `shows_reasons` is false where a refusal has no place for its reason: it becomes a notice.
    pub(crate) fn new(
        event: &Event,
        verdict: &Verdict,
        capabilities: Capabilities,
        shows_reasons: bool,
    ) -> Self {
        let decision = capabilities.carry(verdict.decision);
        let is_refused = matches!(decision, Decision::Deny | Decision::Halt);
        let mut reasons = slices(&verdict.reasons);
        let mut context = slices(&verdict.context);
        let mut notices = Vec::new();
        if decision == Decision::Pass && verdict.decision >= Decision::Ask {
            notices.append(&mut reasons);
        }
        let context_is_carried = match capabilities.context {
            ContextForm::Model => true,
            ContextForm::HoldsBack => decision != Decision::Halt && !event.stop_hook_active(),
            ContextForm::Instructions => !is_refused,
            ContextForm::None => false,
        };
        if !context_is_carried {
            if is_refused {
                reasons.append(&mut context);
            } else {
                notices.append(&mut context);
            }
        }
        if is_refused && !shows_reasons {
            notices.append(&mut reasons);
        }
        notices.extend(slices(&verdict.notices));
        Self {
            decision,
            reason: join(reasons.into_iter(), "\n\n", LIMIT),
            context: join(context.into_iter(), "\n\n", LIMIT),
            notice: join(notices.into_iter(), "\n", LIMIT),
        }
    }

    pub(crate) fn denies(&self) -> bool {
        matches!(self.decision, Decision::Deny | Decision::Halt)
    }

    /// The reason, if there is one.
    pub(crate) fn reason(&self) -> Option<String> {
        self.reason.clone()
    }

    /// The reason of a refusal, which is never empty.
    pub(crate) fn refusal(&self) -> String {
        self.reason.clone().unwrap_or_else(|| NO_REASON.to_owned())
    }
}

fn slices(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
