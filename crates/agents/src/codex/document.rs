//! The one JSON document that Codex reads. It throws an answer with a key that it doesn't know away, and the call runs: so
//! there is no key here but those that were seen to be honoured, and none of them is ever `null`.

use serde::Serialize;

use crate::Map;

/// The document.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Document<'a> {
    #[serde(rename = "continue", skip_serializing_if = "Option::is_none")]
    pub(crate) goes_on: Option<bool>,
    #[serde(rename = "stopReason", skip_serializing_if = "Option::is_none")]
    pub(crate) stop_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    #[serde(rename = "hookSpecificOutput", skip_serializing_if = "Option::is_none")]
    pub(crate) specific: Option<Specific<'a>>,
    #[serde(rename = "systemMessage", skip_serializing_if = "Option::is_none")]
    pub(crate) system_message: Option<String>,
}

/// The only top-level decision.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Block {
    Block,
}

/// What is particular to an event.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Specific<'a> {
    pub(crate) hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) permission_decision: Option<Permission>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) permission_decision_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_input: Option<&'a Map>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<Request>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) additional_context: Option<String>,
}

/// What `PreToolUse` may decide.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Permission {
    Allow,
    Deny,
}

/// What `PermissionRequest` may decide.
#[derive(Debug, Serialize)]
#[serde(tag = "behavior", rename_all = "lowercase")]
pub(crate) enum Request {
    Allow,
    Deny { message: String },
}

impl Document<'_> {
    /// A top-level block.
    pub(crate) fn block(reason: String) -> Self {
        Self { decision: Some(Block::Block), reason: Some(reason), ..Self::default() }
    }

    /// The bytes: nothing for a document that says nothing.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // Serializing strings and maps into memory can't fail.
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        if bytes == b"{}" { Vec::new() } else { bytes }
    }
}
