//! What each event can carry, and what becomes of a verdict that it can't.

use crate::Decision;

/// What an agent's event can carry in a permission mode.
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
    pub rewrite: RewriteForm,
    /// Can it replace what the tool returned before the model reads it?
    pub output: bool,
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

/// Can an event replace the tool's input?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewriteForm {
    /// With every decision that lets the call run.
    Always,
    /// Beside an allow only.
    WithAllow,
    /// No.
    Never,
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
pub(crate) const WATCHED: Capabilities = Capabilities {
    deny: DenyForm::Notice,
    ask: Support::Notice,
    allow: false,
    halt: false,
    context: ContextForm::None,
    rewrite: RewriteForm::Never,
    output: false,
    notice: NoticeForm::Message,
};

/// An event that can be stopped, with a reason, and nothing else.
pub(crate) const STOPPED: Capabilities =
    Capabilities { deny: DenyForm::Refuses, ask: Support::Denial, ..WATCHED };

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
