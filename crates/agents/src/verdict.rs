//! What was decided, in no agent's form yet, and the bytes that say it.

use crate::{Map, PermissionUpdate, Value};

/// What happens to the call.
///
/// The order is the lattice of the join; [`Decision::Handoff`] is no rank in it (the engine takes
/// grants away and keeps denials) and is only ever the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// No opinion: the agent continues as if there were no hook.
    #[default]
    Pass,
    /// The agent's own permission rules decide: nothing is granted.
    Handoff,
    /// Runs without asking the person.
    Allow,
    /// A person is asked.
    Ask,
    /// Refused, with a reason for the model.
    Deny,
    /// Refused, and the turn ends.
    Halt,
}

impl Decision {
    /// The decision's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Handoff => "handoff",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::Halt => "halt",
        }
    }
}

/// Fields that only some events can carry. What an event can't carry is dropped by its encoder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// `updatedPermissions` of a `PermissionRequest` allow.
    pub updated_permissions: Vec<PermissionUpdate>,
    /// `interrupt` of a `PermissionRequest` denial.
    pub interrupt: bool,
    /// `updatedToolOutput` of `PostToolUse`.
    pub tool_output: Option<Value>,
    /// `updatedMCPToolOutput` of `PostToolUse`.
    pub mcp_tool_output: Option<Value>,
    /// `classifierContext` of `PostToolUse`.
    pub classifier_context: Option<String>,
    /// `initialUserMessage` of `SessionStart`.
    pub initial_user_message: Option<String>,
    /// `sessionTitle` of `SessionStart` and `UserPromptSubmit`.
    pub session_title: Option<String>,
    /// `watchPaths` of `SessionStart`, `CwdChanged` and `FileChanged`: absolute; others are dropped.
    pub watch_paths: Option<Vec<String>>,
    /// `reloadSkills` of `SessionStart`.
    pub reload_skills: bool,
    /// `suppressOriginalPrompt` of `UserPromptSubmit` and `UserPromptExpansion`.
    pub suppress_original_prompt: bool,
    /// `retry` of `PermissionDenied`.
    pub retry: bool,
    /// `action` and `content` of Elicitation and `ElicitationResult`.
    pub elicitation: Option<(ElicitationAction, Option<Map>)>,
    /// `displayContent` of `MessageDisplay`.
    pub display_content: Option<String>,
    /// `WorktreeCreate`'s path, printed plain.
    pub worktree_path: Option<String>,
    /// `PreCompact`'s additional instructions, printed plain.
    pub compact_instructions: Option<String>,
    /// `terminalSequence`, on every event that prints JSON; dropped unless it is one of the allowed ones.
    pub terminal_sequence: Option<String>,
}

impl Extras {
    /// Takes over every field that is not set yet.
    pub fn fill_from(&mut self, other: &Self) {
        fn fill<T: Clone>(own: &mut Option<T>, other: Option<&T>) {
            if own.is_none() {
                *own = other.cloned();
            }
        }
        if self.updated_permissions.is_empty() {
            self.updated_permissions.clone_from(&other.updated_permissions);
        }
        self.interrupt |= other.interrupt;
        fill(&mut self.tool_output, other.tool_output.as_ref());
        fill(&mut self.mcp_tool_output, other.mcp_tool_output.as_ref());
        fill(&mut self.classifier_context, other.classifier_context.as_ref());
        fill(&mut self.initial_user_message, other.initial_user_message.as_ref());
        fill(&mut self.session_title, other.session_title.as_ref());
        fill(&mut self.watch_paths, other.watch_paths.as_ref());
        self.reload_skills |= other.reload_skills;
        self.suppress_original_prompt |= other.suppress_original_prompt;
        self.retry |= other.retry;
        fill(&mut self.elicitation, other.elicitation.as_ref());
        fill(&mut self.display_content, other.display_content.as_ref());
        fill(&mut self.worktree_path, other.worktree_path.as_ref());
        fill(&mut self.compact_instructions, other.compact_instructions.as_ref());
        fill(&mut self.terminal_sequence, other.terminal_sequence.as_ref());
    }
}

/// What is said to an MCP server that asks the user for input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the agent's own")]
pub enum ElicitationAction {
    Accept,
    Decline,
    Cancel,
}

/// The verdict as the encoder needs it: a decision and the texts that go with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// What happens.
    pub decision: Decision,
    /// Why, one text per finding: for the model on a denial of a tool call, for the person on an ask.
    pub reasons: Vec<String>,
    /// Facts for the model (`additionalContext`).
    pub context: Vec<String>,
    /// Notices for the person (`systemMessage`).
    pub notices: Vec<String>,
    /// The complete new tool input.
    pub rewrite: Option<Map>,
    /// Fields of single events.
    pub extras: Extras,
}

/// The bytes and the exit code that say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Nothing, or one document.
    pub stdout: Vec<u8>,
    /// Text beside exit code 2; otherwise empty.
    pub stderr: Vec<u8>,
    /// 0; 2 only where a denial could not be delivered otherwise.
    pub exit: u8,
    /// Why something is refused, held back or put before a person: what [`Answer::fallback`] says. Empty otherwise.
    pub refusal: String,
}

impl Answer {
    /// What to answer where stdout can't be written: what must not happen by itself is refused by exit code 2 with
    /// the reason on stderr, because exit code 0 and an empty stdout would let it happen.
    #[must_use]
    pub fn fallback(&self) -> Self {
        if self.refusal.is_empty() {
            return Self::default();
        }
        Self { stderr: self.refusal.clone().into_bytes(), exit: 2, ..Self::default() }
    }
}
