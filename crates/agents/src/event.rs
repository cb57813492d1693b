//! One hook call in the shape that every agent is decoded into.

use crate::{Capabilities, EventClass, EventName, Profile, Support, ToolCall};

/// A JSON object in the order in which the agent sent it.
pub type Map = serde_json::Map<String, Value>;
/// A JSON value.
pub type Value = serde_json::Value;

/// How the agent treats calls that no rule of its own decides.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the agents' own")]
pub enum PermissionMode {
    Default,
    Plan,
    AcceptEdits,
    Auto,
    DontAsk,
    BypassPermissions,
    /// A mode that this build has never heard of.
    Unknown(String),
}

impl PermissionMode {
    /// The agent's name of the mode.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Default => "default",
            Self::Plan => "plan",
            Self::AcceptEdits => "acceptEdits",
            Self::Auto => "auto",
            Self::DontAsk => "dontAsk",
            Self::BypassPermissions => "bypassPermissions",
            Self::Unknown(name) => name,
        }
    }
}

impl From<&str> for PermissionMode {
    fn from(name: &str) -> Self {
        match name {
            // The mode that Claude Code labels Manual is sent as `default`.
            "default" | "manual" => Self::Default,
            "plan" => Self::Plan,
            "acceptEdits" => Self::AcceptEdits,
            "auto" => Self::Auto,
            "dontAsk" => Self::DontAsk,
            "bypassPermissions" => Self::BypassPermissions,
            _ => Self::Unknown(name.to_owned()),
        }
    }
}

/// What became of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The tool ran.
    Ran,
    /// The tool ran and reported an error.
    Failed,
    /// The call failed, and perhaps never ran: a refused question ends the same way.
    Unclear,
}

/// One hook call: the few fields that hookgate itself uses, typed, and everything else as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Who fired it.
    pub agent: &'static Profile,
    /// Which event it is.
    pub name: EventName,
    /// The session's id; empty if the agent sent none.
    pub session_id: String,
    /// The transcript's path; empty if the agent sent none.
    pub transcript_path: String,
    /// The working directory; empty if the agent sent none.
    pub cwd: String,
    /// The permission mode, on the events that carry it.
    pub permission_mode: Option<PermissionMode>,
    /// The subagent's id: only set inside a subagent.
    pub agent_id: Option<String>,
    /// The subagent's type, or the main thread's in an `--agent` session.
    pub agent_type: Option<String>,
    /// The tool call that the event is about.
    pub call: Option<ToolCall>,
    /// What became of the call, on the events that come after it.
    pub outcome: Option<Outcome>,
    /// Every other field, under the agent's own name.
    pub fields: Map,
}

impl Event {
    /// An event of Claude Code with nothing but its name.
    #[must_use]
    pub fn new(name: EventName) -> Self {
        Self::of(&crate::CLAUDE_CODE, name)
    }

    /// An event of that agent with nothing but its name.
    #[must_use]
    pub fn of(agent: &'static Profile, name: EventName) -> Self {
        Self {
            agent,
            name,
            session_id: String::new(),
            transcript_path: String::new(),
            cwd: String::new(),
            permission_mode: None,
            agent_id: None,
            agent_type: None,
            call: None,
            outcome: None,
            fields: Map::new(),
        }
    }

    /// The tool call that the event is about.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolCall> {
        self.call.as_ref()
    }

    /// The event with another input of its tool.
    #[must_use]
    pub fn with_input(&self, input: &Map) -> Self {
        let mut new = self.clone();
        if let Some(call) = &mut new.call {
            call.input.clone_from(input);
        }
        new
    }

    /// A field that is a string, by the agent's own name.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Value::as_str)
    }

    /// What the user wrote: the prompt of `UserPromptSubmit`, or the text that `UserPromptExpansion` expands.
    #[must_use]
    pub fn prompt(&self) -> Option<&str> {
        let is_prompt = matches!(self.name, EventName::UserPromptSubmit | EventName::UserPromptExpansion);
        is_prompt.then(|| self.text("prompt").unwrap_or(""))
    }

    /// The agent's last message, on the events that carry it.
    #[must_use]
    pub fn last_assistant_message(&self) -> Option<&str> {
        self.text("last_assistant_message")
    }

    /// Is the agent still going because a stop was held back before? Only `Stop` and `SubagentStop` say so.
    #[must_use]
    pub fn stop_hook_active(&self) -> bool {
        matches!(self.name, EventName::Stop | EventName::SubagentStop)
            && self.fields.get("stop_hook_active") == Some(&Value::Bool(true))
    }

    /// What its agent can carry on this event, in its mode.
    #[must_use]
    pub fn capabilities(&self) -> Capabilities {
        self.agent.capabilities(&self.name, self.permission_mode.as_ref())
    }

    /// Could a person answer a question about this event? `variable` reads the environment.
    ///
    /// Where the agent has no question at this place, or its mode or its own mark says that no one is there, the answer
    /// is no: agents let the call run, refuse it in silence or wait for ever.
    #[must_use]
    pub fn attended(&self, variable: impl Fn(&str) -> Option<String>) -> bool {
        let has_no_question =
            self.name.class() == EventClass::ToolCall && self.capabilities().ask == Support::Denial;
        let is_alone =
            self.permission_mode.as_ref().is_some_and(|mode| self.agent.modes_alone.contains(mode));
        let says_alone =
            self.agent.mark_alone.is_some_and(|(name, value)| variable(name).as_deref() == Some(value));
        !has_no_question && !is_alone && !says_alone
    }
}
