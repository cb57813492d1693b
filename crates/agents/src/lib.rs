//! The agents' protocols: stdin bytes to an [`Event`], a [`Verdict`] to the [`Answer`] the agent honours.
//!
//! One module per agent. Nothing here decides anything: what an event can't carry is degraded by the table of
//! [`Capabilities`].

mod capabilities;
mod claude_code;
mod event;
mod name;
mod permission;
mod verdict;

pub use capabilities::{Capabilities, ContextForm, DenyForm, NoticeForm, Support};
pub use claude_code::{
    Decoded, HookOutput, HookReply, Problem, decode, failure_answer, read_hook_output, respond,
};
pub use event::{Agent, Body, Event, Map, PermissionMode, ToolCall, Value};
pub use name::{EventClass, EventName};
pub use permission::{
    PermissionBehavior, PermissionDestination, PermissionRule, PermissionUpdate, SettableMode,
};
pub use verdict::{Answer, Decision, ElicitationAction, Extras, Verdict};
