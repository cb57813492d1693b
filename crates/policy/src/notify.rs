//! `[[notify]]`: what a person hears of beside the answer, and how.

use crate::event_set::EventSet;
use crate::hook::HookProgram;
use crate::rule::Condition;
use crate::source::LayerKind;

/// A notification that is sent on some events or decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Notify {
    /// The layer that it comes from.
    pub layer: LayerKind,
    /// The events that it is sent on.
    pub on: EventSet,
    /// The decisions that it is sent on.
    pub decisions: NotifyDecisions,
    /// What must hold for it to be sent.
    pub when: Condition,
    /// How it is sent.
    pub by: NotifyBy,
    /// The text to send instead of hookgate's own.
    pub text: Option<String>,
}

/// The decisions that a notification is sent on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotifyDecisions {
    /// A person is asked.
    pub ask: bool,
    /// Something was refused.
    pub deny: bool,
}

/// How a notification is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotifyBy {
    /// A control sequence that the terminal turns into a notification.
    Terminal(TerminalForm),
    /// The terminal's bell.
    Bell,
    /// The desktop's own notifications.
    Desktop,
    /// A program of the person's, which reads the notification as JSON.
    Program(HookProgram),
    /// An address that the notification is posted to as JSON.
    Webhook(String),
}

/// Which control sequence the terminal understands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TerminalForm {
    /// OSC 9: iTerm2, Ghostty, `WezTerm`, Windows Terminal, kitty.
    #[default]
    Osc9,
    /// OSC 777: urxvt, foot, Ghostty, `WezTerm`, terminals of VTE.
    Osc777,
    /// OSC 99: kitty, foot.
    Osc99,
}
