//! Changes of the agent's permission settings: what a prompt suggests, and what an answer may apply.

use serde::{Deserialize, Serialize};

use crate::Value;

/// One change of the agent's permission settings.
///
/// Claude Code throws a whole answer away if one of these has a wrong shape, so an answer takes them
/// only as this type: read them with [`PermissionUpdate::from_value`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PermissionUpdate {
    /// Adds rules to a list.
    AddRules {
        /// The rules.
        rules: Vec<PermissionRule>,
        /// Which list.
        behavior: PermissionBehavior,
        /// Which settings.
        destination: PermissionDestination,
    },
    /// Replaces a list.
    ReplaceRules {
        /// The rules.
        rules: Vec<PermissionRule>,
        /// Which list.
        behavior: PermissionBehavior,
        /// Which settings.
        destination: PermissionDestination,
    },
    /// Takes rules out of a list.
    RemoveRules {
        /// The rules.
        rules: Vec<PermissionRule>,
        /// Which list.
        behavior: PermissionBehavior,
        /// Which settings.
        destination: PermissionDestination,
    },
    /// Changes the permission mode.
    SetMode {
        /// The mode.
        mode: SettableMode,
        /// Which settings.
        destination: PermissionDestination,
    },
    /// Adds working directories.
    AddDirectories {
        /// The directories.
        directories: Vec<String>,
        /// Which settings.
        destination: PermissionDestination,
    },
    /// Takes working directories away.
    RemoveDirectories {
        /// The directories.
        directories: Vec<String>,
        /// Which settings.
        destination: PermissionDestination,
    },
}

impl PermissionUpdate {
    /// Reads one change.
    ///
    /// # Errors
    /// Says which field is missing or has a value that the agent does not know.
    pub fn from_value(value: &Value) -> Result<Self, String> {
        Self::deserialize(value).map_err(|error| error.to_string())
    }
}

/// One permission rule, as in `Bash(npm test *)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionRule {
    /// The tool.
    pub tool_name: String,
    /// What is in the brackets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

/// The list that a permission rule is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are the agent's own")]
pub enum PermissionBehavior {
    Allow,
    Deny,
    Ask,
}

/// Where a change of the permission settings is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are the agent's own")]
pub enum PermissionDestination {
    UserSettings,
    ProjectSettings,
    LocalSettings,
    Session,
}

/// A permission mode that an answer may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are the agent's own")]
pub enum SettableMode {
    #[serde(alias = "manual")]
    Default,
    AcceptEdits,
    Plan,
    Auto,
    DontAsk,
    BypassPermissions,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_change_is_written_as_it_was_read() {
        for value in [
            json!({"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "npm test *"}, {"toolName": "Read"}],
                "behavior": "allow", "destination": "localSettings"}),
            json!({"type": "replaceRules", "rules": [], "behavior": "ask", "destination": "userSettings"}),
            json!({"type": "removeRules", "rules": [], "behavior": "deny", "destination": "projectSettings"}),
            json!({"type": "setMode", "mode": "dontAsk", "destination": "session"}),
            json!({"type": "addDirectories", "directories": ["/srv"], "destination": "session"}),
            json!({"type": "removeDirectories", "directories": [], "destination": "session"}),
        ] {
            let update = PermissionUpdate::from_value(&value).unwrap();
            assert_eq!(serde_json::to_value(&update).unwrap(), value);
        }
    }

    #[test]
    fn a_wrong_shape_is_refused_with_a_reason() {
        let error =
            PermissionUpdate::from_value(&json!({"type": "addRules", "rules": [], "behavior": "block",
            "destination": "session"}))
            .unwrap_err();
        assert!(error.contains("unknown variant `block`"), "{error}");
        assert!(PermissionUpdate::from_value(&json!({"type": "setMode", "mode": "plan"})).is_err());
        assert!(PermissionUpdate::from_value(&json!([])).is_err());
    }
}
