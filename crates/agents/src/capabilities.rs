//! What each event can carry, and what becomes of a verdict that it can't.

use crate::{Decision, EventName};

/// What an event of Claude Code can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// What a denial does.
    pub deny: DenyForm,
    /// What an ask becomes.
    pub ask: Support,
    /// Can the event grant what it is about? Where not, an allow is a pass.
    pub allow: bool,
    /// Can it end the turn? Where not, a halt is a denial.
    pub halt: bool,
    /// Where facts for the model go.
    pub context: ContextForm,
    /// Can it replace the tool's input?
    pub rewrite: bool,
    /// Where notices for the person go.
    pub notice: NoticeForm,
}

/// What a denial of an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenyForm {
    /// What the event is about does not happen.
    Refuses,
    /// The agent has to go on: it may not stop, or not go idle.
    HoldsBack,
    /// It has happened; the model reads the reason.
    Feedback,
    /// Nothing: the reason becomes a notice.
    Notice,
}

/// What an ask becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// A person is asked.
    Native,
    /// A denial: nobody can be asked here, and the event can be stopped.
    Denial,
    /// A notice: the event itself puts the person in charge, or can't be stopped.
    Notice,
}

/// Where facts for the model go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextForm {
    /// `additionalContext`.
    Model,
    /// `additionalContext`, which makes the agent go on; a notice once it does so because of a Stop hook.
    HoldsBack,
    /// Plain text for the summary's author.
    Instructions,
    /// To the reasons of a denial, else to the notices.
    None,
}

/// Where notices for the person go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeForm {
    /// `systemMessage`.
    Message,
    /// `systemMessage` beside a block; otherwise stdout is taken literally, and they are dropped.
    BesideBlock,
    /// Plain text, which the client shows.
    Plain,
    /// Nowhere: the client discards them.
    None,
}

/// An event that can only be watched.
const WATCHED: Capabilities = Capabilities {
    deny: DenyForm::Notice,
    ask: Support::Notice,
    allow: false,
    halt: false,
    context: ContextForm::None,
    rewrite: false,
    notice: NoticeForm::Message,
};

/// An event that can be stopped, with a reason, and nothing else.
const STOPPED: Capabilities = Capabilities { deny: DenyForm::Refuses, ask: Support::Denial, ..WATCHED };

impl EventName {
    /// What the event can carry. An unknown event is taken to be one that a top-level block stops.
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        match self {
            Self::PreToolUse => Capabilities {
                ask: Support::Native,
                allow: true,
                halt: true,
                context: ContextForm::Model,
                rewrite: true,
                ..STOPPED
            },
            Self::PermissionRequest => {
                Capabilities { ask: Support::Native, allow: true, halt: true, rewrite: true, ..STOPPED }
            }
            Self::PostToolUse | Self::PostToolUseFailure => {
                Capabilities { deny: DenyForm::Feedback, halt: true, context: ContextForm::Model, ..STOPPED }
            }
            Self::PostToolBatch => Capabilities { halt: true, context: ContextForm::Model, ..STOPPED },
            Self::UserPromptSubmit | Self::UserPromptExpansion => {
                Capabilities { context: ContextForm::Model, ..STOPPED }
            }
            Self::Stop | Self::SubagentStop => Capabilities {
                deny: DenyForm::HoldsBack,
                halt: true,
                context: ContextForm::HoldsBack,
                ..WATCHED
            },
            Self::TeammateIdle => Capabilities { deny: DenyForm::HoldsBack, halt: true, ..WATCHED },
            Self::TaskCompleted => Capabilities { halt: true, ..STOPPED },
            Self::PreModelSwitch => Capabilities { ask: Support::Native, allow: true, ..STOPPED },
            Self::Elicitation => Capabilities { ask: Support::Native, ..STOPPED },
            Self::PreCompact => Capabilities {
                context: ContextForm::Instructions,
                notice: NoticeForm::BesideBlock,
                ..STOPPED
            },
            Self::ConfigChange | Self::WorktreeCreate => Capabilities { notice: NoticeForm::None, ..STOPPED },
            Self::TaskCreated | Self::ElicitationResult | Self::Unknown(_) => STOPPED,
            Self::SessionStart | Self::Setup | Self::SubagentStart | Self::PostModelSwitch => {
                Capabilities { context: ContextForm::Model, ..WATCHED }
            }
            Self::PostCompact => Capabilities { notice: NoticeForm::Plain, ..WATCHED },
            Self::Notification | Self::StopFailure => Capabilities { notice: NoticeForm::None, ..WATCHED },
            Self::PermissionDenied
            | Self::SessionEnd
            | Self::WorktreeRemove
            | Self::InstructionsLoaded
            | Self::CwdChanged
            | Self::FileChanged
            | Self::DirectoryAdded
            | Self::MessageDisplay => WATCHED,
        }
    }
}

impl Capabilities {
    /// What becomes of a decision: itself, or the nearest one that the event can carry. `Pass` for a denial or
    /// an ask means that its reasons become notices.
    #[must_use]
    pub fn carry(&self, decision: Decision) -> Decision {
        match decision {
            Decision::Halt if self.halt => Decision::Halt,
            Decision::Halt | Decision::Deny => self.denial(),
            Decision::Ask => match self.ask {
                Support::Native => Decision::Ask,
                Support::Denial => self.denial(),
                Support::Notice => Decision::Pass,
            },
            Decision::Allow if !self.allow => Decision::Pass,
            Decision::Pass | Decision::Handoff | Decision::Allow => decision,
        }
    }

    fn denial(&self) -> Decision {
        if self.deny == DenyForm::Notice { Decision::Pass } else { Decision::Deny }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_becomes_the_nearest_one_that_the_event_carries() {
        use Decision::{Allow, Ask, Deny, Halt, Pass};
        for (name, expected) in [
            (EventName::PreToolUse, [Allow, Ask, Deny, Halt]),
            (EventName::PermissionRequest, [Allow, Ask, Deny, Halt]),
            (EventName::PreModelSwitch, [Allow, Ask, Deny, Deny]),
            (EventName::PostToolUse, [Pass, Deny, Deny, Halt]),
            (EventName::UserPromptSubmit, [Pass, Deny, Deny, Deny]),
            (EventName::Stop, [Pass, Pass, Deny, Halt]),
            (EventName::TaskCreated, [Pass, Deny, Deny, Deny]),
            (EventName::Elicitation, [Pass, Ask, Deny, Deny]),
            (EventName::SessionStart, [Pass, Pass, Pass, Pass]),
            (EventName::Notification, [Pass, Pass, Pass, Pass]),
            (EventName::Unknown("New".to_owned()), [Pass, Deny, Deny, Deny]),
        ] {
            let capabilities = name.capabilities();
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
            let capabilities = name.capabilities();
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
