//! The agents' protocols: stdin bytes to an [`Event`], a [`Verdict`] to the [`Answer`] the agent honours.
//!
//! One folder per agent, which makes its [`Profile`]. Nothing here decides anything: what an event can't carry is degraded by
//! the table of [`Capabilities`].

mod capabilities;
mod carriable;
mod claude_code;
mod codex;
mod decode;
mod edited;
mod event;
mod failure;
mod name;
mod permission;
mod placed;
mod profile;
mod repair;
mod text;
mod tool;
mod unlisted;
mod verdict;

pub use capabilities::{Capabilities, ContextForm, DenyForm, NoticeForm, RewriteForm, Support};
pub use claude_code::{HookOutput, HookReply, read_hook_output};
pub use decode::{Decoded, Problem};
pub use edited::{Cell, OLD_TEXT};
pub use event::{Event, Map, Outcome, PermissionMode, Value};
pub use failure::failure_answer;
pub use name::{EventClass, EventName};
pub use permission::{
    PermissionBehavior, PermissionDestination, PermissionRule, PermissionUpdate, SettableMode,
};
pub use profile::{CLAUDE_CODE, CODEX, FailureSupport, Profile, UNLISTED};
pub use tool::{Command, Row, Shell, Tool, ToolCall};
pub use verdict::{Answer, Decision, ElicitationAction, Extras, Verdict};

/// The answer that says the verdict, in the form that the event's agent honours.
///
/// What the event can't carry is degraded as its [`Capabilities`] say: nothing is granted that was not said, and no text is
/// lost as long as the event has a place for it.
#[must_use]
pub fn respond(event: &Event, verdict: &Verdict) -> Answer {
    (event.agent.respond)(event, verdict)
}
