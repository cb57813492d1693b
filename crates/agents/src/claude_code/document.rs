//! Everything that Claude Code reads from a hook's stdout, as types that hold nothing it would refuse.
//!
//! The client throws a whole answer away, denial included, when one field has a wrong type or value.
//! So the variants of [`Specific`] are the only ones that exist, each under the event that may send it, and a
//! value that is absent is left out, never `null`.

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::{ElicitationAction, Map, PermissionUpdate, Value};

/// One JSON answer.
#[derive(Debug, Default)]
pub(super) struct Document<'a> {
    /// `continue: false` with its `stopReason`.
    pub(super) stop: Option<String>,
    /// `decision: "block"` with its `reason`.
    pub(super) block: Option<String>,
    /// `systemMessage`.
    pub(super) system_message: Option<String>,
    /// `terminalSequence`.
    pub(super) terminal_sequence: Option<&'a str>,
    /// `hookSpecificOutput`.
    pub(super) specific: Option<Specific<'a>>,
}

impl Document<'_> {
    /// Nothing, if there is nothing to say: an answer of the form `{}` would do nothing either.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let is_empty = self.stop.is_none()
            && self.block.is_none()
            && self.system_message.is_none()
            && self.terminal_sequence.is_none()
            && self.specific.is_none();
        if is_empty {
            return Vec::new();
        }
        // Serialising strings, flags and JSON values into memory has no way to fail.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(reason) = &self.stop {
            map.serialize_entry("continue", &false)?;
            map.serialize_entry("stopReason", reason)?;
        }
        if let Some(reason) = &self.block {
            map.serialize_entry("decision", "block")?;
            map.serialize_entry("reason", reason)?;
        }
        if let Some(specific) = &self.specific {
            map.serialize_entry("hookSpecificOutput", specific)?;
        }
        if let Some(message) = &self.system_message {
            map.serialize_entry("systemMessage", message)?;
        }
        if let Some(sequence) = self.terminal_sequence {
            map.serialize_entry("terminalSequence", sequence)?;
        }
        map.end()
    }
}

/// `hookSpecificOutput`: what only this event takes.
#[derive(Debug, Serialize)]
#[serde(tag = "hookEventName", rename_all_fields = "camelCase")]
pub(super) enum Specific<'a> {
    PreToolUse {
        #[serde(flatten)]
        permission: Option<Permission<ToolDecision>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        updated_input: Option<&'a Map>,
        #[serde(skip_serializing_if = "Option::is_none")]
        additional_context: Option<String>,
    },
    PreModelSwitch {
        #[serde(flatten)]
        permission: Permission<SwitchDecision>,
    },
    PermissionRequest {
        decision: RequestDecision<'a>,
    },
    PermissionDenied {
        retry: bool,
    },
    PostToolUse {
        #[serde(skip_serializing_if = "Option::is_none")]
        additional_context: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        updated_tool_output: Option<&'a Value>,
        #[serde(rename = "updatedMCPToolOutput", skip_serializing_if = "Option::is_none")]
        updated_mcp_tool_output: Option<&'a Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        classifier_context: Option<String>,
    },
    UserPromptSubmit {
        #[serde(skip_serializing_if = "Option::is_none")]
        additional_context: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_title: Option<String>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        suppress_original_prompt: bool,
    },
    UserPromptExpansion {
        #[serde(skip_serializing_if = "Option::is_none")]
        additional_context: Option<String>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        suppress_original_prompt: bool,
    },
    SessionStart {
        #[serde(skip_serializing_if = "Option::is_none")]
        additional_context: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        initial_user_message: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        session_title: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        watch_paths: Vec<&'a str>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        reload_skills: bool,
    },
    CwdChanged {
        watch_paths: Vec<&'a str>,
    },
    FileChanged {
        watch_paths: Vec<&'a str>,
    },
    Elicitation {
        action: ElicitationAction,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a Map>,
    },
    ElicitationResult {
        action: ElicitationAction,
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'a Map>,
    },
    MessageDisplay {
        display_content: &'a str,
    },
    SubagentStart {
        additional_context: String,
    },
    PostToolUseFailure {
        additional_context: String,
    },
    PostToolBatch {
        additional_context: String,
    },
    PostModelSwitch {
        additional_context: String,
    },
    Stop {
        additional_context: String,
    },
    SubagentStop {
        additional_context: String,
    },
}

/// `permissionDecision` and its reason.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Permission<Kind> {
    pub(super) permission_decision: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) permission_decision_reason: Option<String>,
}

/// What `PreToolUse` may decide.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ToolDecision {
    Allow,
    Ask,
    Deny,
}

/// What `PreModelSwitch` may decide.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SwitchDecision {
    Allow,
    Ask,
    Deny,
}

/// `decision` of `PermissionRequest`.
#[derive(Debug, Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(super) enum RequestDecision<'a> {
    Allow {
        #[serde(skip_serializing_if = "Option::is_none")]
        updated_input: Option<&'a Map>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        updated_permissions: &'a [PermissionUpdate],
    },
    Deny {
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        interrupt: bool,
    },
}
