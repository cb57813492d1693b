//! A new input that an agent can't take.

use std::borrow::Cow;

use crate::text::limited;
use crate::{Decision, Event, EventClass, Map, RewriteForm, Support, Value, Verdict};

/// The most that a reason shows of a new input, in UTF-16 code units.
const SHOWN: usize = 2_000;

impl Verdict {
    /// The verdict without a new input that the event's agent would not take.
    ///
    /// The original never runs in its place: the call is refused, and the reason names what to run. Where a person is about to
    /// be asked about the original anyway, only a grant is refused, since it was for the new input.
    #[must_use]
    pub fn carriable(&self, event: &Event) -> Cow<'_, Self> {
        let Some(input) = self.rewrite.as_ref().filter(|_| event.name.class() == EventClass::ToolCall) else {
            return Cow::Borrowed(self);
        };
        let capabilities = event.capabilities();
        let is_taken = match capabilities.rewrite {
            RewriteForm::Always => true,
            RewriteForm::WithAllow => self.decision == Decision::Allow,
            RewriteForm::Never => false,
        };
        if is_taken && self.decision < Decision::Deny {
            return Cow::Borrowed(self);
        }
        let mut new = self.clone();
        new.rewrite = None;
        let is_asked_anyway = capabilities.ask == Support::Native && self.decision != Decision::Allow;
        let is_refused = matches!(self.decision, Decision::Handoff | Decision::Deny | Decision::Halt);
        if !is_refused && !is_asked_anyway {
            new.decision = Decision::Deny;
            new.reasons.push(format!(
                "{} can't replace this call. Send it again as: {}",
                event.agent.title,
                shown(event, input)
            ));
        }
        Cow::Owned(new)
    }
}

/// The command, or the whole input of another tool, as one line of JSON.
fn shown(event: &Event, input: &Map) -> String {
    let new = event.with_input(input);
    let text = new.call.as_ref().and_then(|call| call.shell_text());
    let text =
        text.map_or_else(|| Value::Object(input.clone()).to_string(), |text| Value::from(text).to_string());
    limited(&text, SHOWN).unwrap_or_default()
}
