//! What each event of Claude Code can carry.

use crate::capabilities::{STOPPED, WATCHED};
use crate::{
    Capabilities, ContextForm, DenyForm, EventName, NoticeForm, PermissionMode, RewriteForm, Support,
};

/// An unknown event is taken to be one that a top-level block stops. No mode changes what an event can carry.
pub(super) fn of(event: &EventName, _mode: Option<&PermissionMode>) -> Capabilities {
    match event {
        EventName::PreToolUse => Capabilities {
            ask: Support::Native,
            allow: true,
            halt: true,
            context: ContextForm::Model,
            rewrite: RewriteForm::Always,
            ..STOPPED
        },
        EventName::PermissionRequest => Capabilities {
            ask: Support::Native,
            allow: true,
            halt: true,
            rewrite: RewriteForm::WithAllow,
            ..STOPPED
        },
        EventName::PostToolUse => Capabilities {
            deny: DenyForm::Feedback,
            halt: true,
            context: ContextForm::Model,
            output: true,
            ..STOPPED
        },
        // `continue: false` is ignored here (2.1.330): the turn goes on.
        EventName::PostToolUseFailure => {
            Capabilities { deny: DenyForm::Feedback, context: ContextForm::Model, ..STOPPED }
        }
        EventName::PostToolBatch => Capabilities { halt: true, context: ContextForm::Model, ..STOPPED },
        EventName::UserPromptSubmit | EventName::UserPromptExpansion => {
            Capabilities { context: ContextForm::Model, ..STOPPED }
        }
        EventName::Stop | EventName::SubagentStop => {
            Capabilities { deny: DenyForm::HoldsBack, halt: true, context: ContextForm::HoldsBack, ..WATCHED }
        }
        EventName::TeammateIdle => Capabilities { deny: DenyForm::HoldsBack, halt: true, ..WATCHED },
        EventName::TaskCompleted => Capabilities { halt: true, ..STOPPED },
        EventName::PreModelSwitch => Capabilities { ask: Support::Native, allow: true, ..STOPPED },
        EventName::Elicitation => Capabilities { ask: Support::Native, ..STOPPED },
        EventName::PreCompact => {
            Capabilities { context: ContextForm::Instructions, notice: NoticeForm::BesideBlock, ..STOPPED }
        }
        EventName::ConfigChange | EventName::WorktreeCreate => {
            Capabilities { notice: NoticeForm::None, ..STOPPED }
        }
        EventName::TaskCreated | EventName::ElicitationResult | EventName::Unknown(_) => STOPPED,
        EventName::SessionStart | EventName::SubagentStart | EventName::PostModelSwitch => {
            Capabilities { context: ContextForm::Model, ..WATCHED }
        }
        EventName::PostCompact => Capabilities { notice: NoticeForm::Plain, ..WATCHED },
        EventName::Notification | EventName::StopFailure => {
            Capabilities { notice: NoticeForm::None, ..WATCHED }
        }
        EventName::PermissionDenied
        | EventName::SessionEnd
        | EventName::WorktreeRemove
        | EventName::InstructionsLoaded
        | EventName::CwdChanged
        | EventName::FileChanged
        | EventName::DirectoryAdded
        | EventName::MessageDisplay
        // It takes `additionalContext`, which then reaches no model (2.1.330).
        | EventName::Setup
        | EventName::Interrupt => WATCHED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decision;

    #[test]
    fn a_decision_becomes_the_nearest_one_that_the_event_carries() {
        use Decision::{Allow, Ask, Deny, Halt, Pass};
        for (name, expected) in [
            (EventName::PreToolUse, [Allow, Ask, Deny, Halt]),
            (EventName::PermissionRequest, [Allow, Ask, Deny, Halt]),
            (EventName::PreModelSwitch, [Allow, Ask, Deny, Deny]),
            (EventName::PostToolUse, [Pass, Deny, Deny, Halt]),
            (EventName::PostToolUseFailure, [Pass, Deny, Deny, Deny]),
            (EventName::UserPromptSubmit, [Pass, Deny, Deny, Deny]),
            (EventName::Stop, [Pass, Pass, Deny, Halt]),
            (EventName::TaskCreated, [Pass, Deny, Deny, Deny]),
            (EventName::Elicitation, [Pass, Ask, Deny, Deny]),
            (EventName::SessionStart, [Pass, Pass, Pass, Pass]),
            (EventName::Notification, [Pass, Pass, Pass, Pass]),
            (EventName::Unknown("New".to_owned()), [Pass, Deny, Deny, Deny]),
        ] {
            let capabilities = of(&name, None);
            assert_eq!(
                [Allow, Ask, Deny, Halt].map(|decision| capabilities.carry(decision)),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn nothing_is_loosened_where_the_event_can_be_stopped() {
        for name in EventName::ALL {
            let capabilities = of(name, None);
            if capabilities.deny != DenyForm::Notice {
                assert!(capabilities.carry(Decision::Deny) == Decision::Deny, "{name}");
                assert!(capabilities.carry(Decision::Halt) >= Decision::Deny, "{name}");
            }
            for decision in [Decision::Pass, Decision::Handoff] {
                assert_eq!(capabilities.carry(decision), decision);
            }
        }
    }
}
