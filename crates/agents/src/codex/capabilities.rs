//! What each event of Codex can carry.

use crate::capabilities::{STOPPED, WATCHED};
use crate::{
    Capabilities, ContextForm, DenyForm, EventName, NoticeForm, PermissionMode, RewriteForm, Support,
};

/// An unknown event is taken to be one that a top-level block stops.
pub(super) fn of(event: &EventName, mode: Option<&PermissionMode>) -> Capabilities {
    match event {
        // Where no prompt is ever shown, the allow that carries a new input skips none.
        EventName::PreToolUse if mode == Some(&PermissionMode::BypassPermissions) => {
            Capabilities { rewrite: RewriteForm::Always, ..of(event, None) }
        }
        // An ask, a bare allow and `continue: false` are errors here, and the call runs.
        EventName::PreToolUse => {
            Capabilities { context: ContextForm::Model, rewrite: RewriteForm::WithAllow, ..STOPPED }
        }
        // The prompt is about to be shown: that is the question.
        EventName::PermissionRequest => Capabilities { ask: Support::Native, allow: true, ..STOPPED },
        EventName::PostToolUse => {
            Capabilities { deny: DenyForm::Feedback, context: ContextForm::Model, ..STOPPED }
        }
        EventName::UserPromptSubmit => Capabilities { context: ContextForm::Model, ..STOPPED },
        EventName::Stop | EventName::SubagentStop => {
            Capabilities { deny: DenyForm::HoldsBack, halt: true, ..WATCHED }
        }
        EventName::SessionStart => Capabilities { halt: true, context: ContextForm::Model, ..WATCHED },
        EventName::SubagentStart => Capabilities { context: ContextForm::Model, ..WATCHED },
        EventName::PreCompact | EventName::PostCompact => WATCHED,
        // Their answers have no known form.
        EventName::SessionEnd | EventName::Interrupt => Capabilities { notice: NoticeForm::None, ..WATCHED },
        _ => STOPPED,
    }
}
