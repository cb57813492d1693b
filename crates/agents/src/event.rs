//! One hook call in the shape that every agent is decoded into.

use crate::{EventName, PermissionUpdate};

/// A JSON object in the order in which the agent sent it.
pub type Map = serde_json::Map<String, Value>;
/// A JSON value.
pub type Value = serde_json::Value;

/// The program that fired the hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    #[default]
    ClaudeCode,
}

/// How the agent treats calls that no rule of its own decides.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the agent's own")]
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
            // The mode that the client labels Manual is sent as `default`.
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

/// A tool call: what `PreToolUse` and its relatives are about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// The tool's canonical name, such as `Bash` or `mcp__github__create_issue`.
    pub name: String,
    /// The whole input, unknown keys included.
    pub input: Map,
    /// The call's id, where the event carries one.
    pub id: Option<String>,
    /// The MCP server's name and source, for MCP tools of newer clients.
    pub mcp_server: Option<(String, String)>,
}

impl ToolCall {
    /// A string of the input, if it is there and is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.input.get(key).and_then(Value::as_str)
    }
}

/// One hook call.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Who fired it.
    pub agent: Agent,
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
    /// What is particular to this event.
    pub body: Body,
    /// Every field that nothing above took: unknown ones, and known ones of an unexpected type.
    pub rest: Map,
}

impl Event {
    /// An event with nothing but its name.
    #[must_use]
    pub fn new(name: EventName) -> Self {
        Self {
            agent: Agent::default(),
            name,
            session_id: String::new(),
            transcript_path: String::new(),
            cwd: String::new(),
            permission_mode: None,
            agent_id: None,
            agent_type: None,
            body: Body::Other,
            rest: Map::new(),
        }
    }

    /// The tool call that the event is about.
    #[must_use]
    pub fn tool(&self) -> Option<&ToolCall> {
        match &self.body {
            Body::Tool(call)
            | Body::PermissionRequest { call, .. }
            | Body::ToolResult { call, .. }
            | Body::ToolFailure { call, .. }
            | Body::PermissionDenied { call, .. } => Some(call),
            _ => None,
        }
    }

    /// What the user wrote: the prompt of `UserPromptSubmit`, or the text that `UserPromptExpansion` expands.
    #[must_use]
    pub fn prompt(&self) -> Option<&str> {
        match &self.body {
            Body::Prompt { prompt, .. } | Body::PromptExpansion { prompt, .. } => Some(prompt),
            _ => None,
        }
    }

    /// The agent's last message, on the events that carry it.
    #[must_use]
    pub fn last_assistant_message(&self) -> Option<&str> {
        match &self.body {
            Body::Stop { last_assistant_message, .. } | Body::StopFailure { last_assistant_message, .. } => {
                last_assistant_message.as_deref()
            }
            _ => None,
        }
    }

    /// Is the agent still going because a stop was held back before? Only `Stop` and `SubagentStop` say so.
    #[must_use]
    pub fn stop_hook_active(&self) -> bool {
        matches!(self.body, Body::Stop { stop_hook_active: true, .. })
    }

    /// The id of the user's input that this event belongs to (clients from 2.1.196 on).
    #[must_use]
    pub fn prompt_id(&self) -> Option<&str> {
        self.rest.get("prompt_id").and_then(Value::as_str)
    }

    /// The model's effort level, such as `high` (clients from 2.1.133 on).
    #[must_use]
    pub fn effort(&self) -> Option<&str> {
        self.rest.get("effort")?.get("level").and_then(Value::as_str)
    }

    /// The session's scratch directory (clients from 2.1.257 on, sometimes).
    #[must_use]
    pub fn scratchpad_dir(&self) -> Option<&str> {
        self.rest.get("scratchpad_dir").and_then(Value::as_str)
    }
}

/// What is particular to an event. Texts that the agent did not send are empty; optional ones are `None`.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// `PreToolUse`.
    Tool(ToolCall),
    /// `PermissionRequest`. The call has no id here.
    PermissionRequest {
        /// The call.
        call: ToolCall,
        /// What the prompt would offer as "always allow"; suggestions of an unknown kind are left out.
        suggestions: Vec<PermissionUpdate>,
    },
    /// `PostToolUse`.
    ToolResult {
        /// The call.
        call: ToolCall,
        /// The tool's structured output; its shape depends on the tool.
        response: Value,
        /// How long the tool ran, in milliseconds.
        duration: Option<f64>,
    },
    /// `PostToolUseFailure`.
    ToolFailure {
        /// The call.
        call: ToolCall,
        /// The error's text; for Bash its first line is `Exit code N`.
        error: String,
        /// Did the user interrupt it?
        interrupted: bool,
        /// How long the tool ran, in milliseconds.
        duration: Option<f64>,
    },
    /// `PermissionDenied`.
    PermissionDenied {
        /// The call.
        call: ToolCall,
        /// The classifier's reason.
        reason: String,
    },
    /// `PostToolBatch`: the calls of one message, each with what the model will read.
    ToolBatch(Vec<(ToolCall, Option<Value>)>),
    /// Notification.
    Notification {
        /// The text.
        message: String,
        /// The title.
        title: Option<String>,
        /// The type, such as `permission_prompt`.
        kind: String,
    },
    /// `UserPromptSubmit`.
    Prompt {
        /// What the user wrote.
        prompt: String,
        /// The session's title.
        session_title: Option<String>,
        /// Who wrote it, such as `user` or `sdk`; not sent by 2.1.330.
        source: Option<String>,
    },
    /// `UserPromptExpansion`.
    PromptExpansion {
        /// `slash_command` or `mcp_prompt`.
        kind: String,
        /// The command's name.
        command: String,
        /// Its arguments, as written.
        arguments: String,
        /// Where the command comes from.
        source: Option<String>,
        /// What the user wrote.
        prompt: String,
    },
    /// `SessionStart`.
    SessionStart {
        /// `startup`, `resume`, `clear`, `compact` or `fork`.
        source: String,
        /// The model's id.
        model: Option<String>,
        /// The session's title.
        session_title: Option<String>,
        /// On resume and fork: the session's age, in seconds.
        seconds_since_last_response: Option<f64>,
        /// On resume and fork: the context's size.
        context_tokens: Option<f64>,
        /// On resume and fork: will the next request have to write the cache anew?
        prompt_cache_likely_expired: Option<bool>,
        /// On resume and fork: what that would cost, in US dollars.
        estimated_cache_write_usd: Option<f64>,
    },
    /// `SessionEnd`.
    SessionEnd {
        /// Why, such as `clear` or `logout`.
        reason: String,
    },
    /// Setup.
    Setup {
        /// `init` or `maintenance`.
        trigger: String,
    },
    /// Stop and `SubagentStop`.
    Stop {
        /// Is the agent still at work only because a Stop hook held it back?
        stop_hook_active: bool,
        /// What the agent said last.
        last_assistant_message: Option<String>,
        /// Tasks that are still running in the background.
        background_tasks: Vec<Value>,
        /// Scheduled prompts of this session.
        session_crons: Vec<Value>,
        /// `SubagentStop`: the subagent's own transcript.
        agent_transcript_path: Option<String>,
    },
    /// `StopFailure`.
    StopFailure {
        /// The kind of error, such as `rate_limit`.
        error: String,
        /// More about it.
        details: Option<String>,
        /// What the agent said last.
        last_assistant_message: Option<String>,
    },
    /// `PreCompact`.
    PreCompact {
        /// `manual` or `auto`.
        trigger: String,
        /// What the user wants kept.
        custom_instructions: Option<String>,
    },
    /// `PostCompact`.
    PostCompact {
        /// `manual` or `auto`.
        trigger: String,
        /// The summary that the conversation goes on with.
        summary: String,
    },
    /// `PreModelSwitch` and `PostModelSwitch`.
    ModelSwitch {
        /// The resolved id of the present model.
        from: String,
        /// The resolved id of the next one.
        to: String,
        /// What was asked for, if anything was.
        requested: Option<String>,
        /// `command`, `picker`, `sdk`; afterwards also `auto` and `resume`.
        source: String,
        /// The context's size.
        context_tokens: Option<f64>,
        /// Is the prompt cache warm?
        prompt_cache_warm: Option<bool>,
        /// The cache's lifetime: `5m` or `1h`.
        cache_ttl: Option<String>,
        /// What writing the cache anew would cost, in US dollars.
        estimated_cache_write_usd: Option<f64>,
        /// Where the price comes from: `configured`, `catalog` or `default`.
        pricing: Option<String>,
    },
    /// `TeammateIdle`.
    TeammateIdle {
        /// The teammate.
        teammate: String,
        /// Its team (deprecated by the agent).
        team: Option<String>,
    },
    /// `TaskCreated` and `TaskCompleted`.
    Task {
        /// The task's id.
        id: String,
        /// Its title.
        subject: String,
        /// Its text.
        description: Option<String>,
        /// The teammate that it belongs to.
        teammate: Option<String>,
        /// The team (deprecated by the agent).
        team: Option<String>,
    },
    /// Elicitation: an MCP server asks the user for input.
    Elicitation {
        /// The server.
        server: String,
        /// The question.
        message: String,
        /// `form` or `url`.
        mode: Option<String>,
        /// The page to visit.
        url: Option<String>,
        /// The question's id.
        id: Option<String>,
        /// What the form asks for, as a JSON schema.
        requested_schema: Option<Map>,
    },
    /// `ElicitationResult`: the user's answer.
    ElicitationResult {
        /// The server.
        server: String,
        /// The question's id.
        id: Option<String>,
        /// `form` or `url`.
        mode: Option<String>,
        /// `accept`, `decline` or `cancel`.
        action: String,
        /// What was filled in.
        content: Option<Map>,
    },
    /// `ConfigChange`.
    ConfigChange {
        /// Which settings, such as `project_settings`, or `skills`.
        source: String,
        /// The file.
        file_path: Option<String>,
    },
    /// `InstructionsLoaded`.
    InstructionsLoaded {
        /// The file.
        file_path: String,
        /// `User`, `Project`, `Local` or `Managed`.
        memory_type: String,
        /// Why, such as `session_start` or `include`.
        load_reason: String,
        /// The rule's path patterns.
        globs: Vec<String>,
        /// The file whose use loaded it.
        trigger_file_path: Option<String>,
        /// The file that includes it.
        parent_file_path: Option<String>,
    },
    /// `WorktreeCreate`.
    WorktreeCreate {
        /// The worktree's name.
        name: String,
    },
    /// `WorktreeRemove`.
    WorktreeRemove {
        /// The worktree.
        path: String,
    },
    /// `CwdChanged`.
    CwdChanged {
        /// The directory before.
        old: String,
        /// The directory now.
        new: String,
    },
    /// `FileChanged`.
    FileChanged {
        /// The file.
        path: String,
        /// `change`, `add` or `unlink`.
        change: String,
    },
    /// `DirectoryAdded`.
    DirectoryAdded {
        /// The directory.
        directory: String,
        /// `slash_command` or `register_repo_root`.
        source: String,
    },
    /// `MessageDisplay`: a piece of the agent's text on its way to the screen.
    MessageDisplay {
        /// The turn.
        turn_id: String,
        /// The message.
        message_id: String,
        /// The piece's number.
        index: u64,
        /// Is it the last piece?
        is_final: bool,
        /// The piece.
        delta: String,
    },
    /// `SubagentStart` (all that it has is in the event itself), and events that this build has never heard of.
    Other,
}
