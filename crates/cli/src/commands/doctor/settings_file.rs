//! What an agent's settings files say, and what in them would keep the gate from being asked.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Finding;
use crate::commands::{Environment, PolicyUsage};
use crate::settings::{self, Registration, handlers};

/// One settings file.
pub(super) struct SettingsFile {
    path: PathBuf,
    text: String,
    value: Option<Value>,
    registrations: Vec<Registration>,
}

impl SettingsFile {
    /// The file, if there is one.
    pub(super) fn read(path: &Path) -> Option<SettingsFile> {
        let text = fs::read_to_string(path).ok()?;
        let registrations = settings::registrations_of(&text).unwrap_or_default();
        Some(SettingsFile {
            path: path.to_path_buf(),
            value: serde_json::from_str(&text).ok(),
            text,
            registrations,
        })
    }

    /// hookgate's hooks in it.
    pub(super) fn registrations(&self) -> &[Registration] {
        &self.registrations
    }

    fn flag(&self, key: &str) -> bool {
        self.value.as_ref().and_then(|value| value.get(key)).and_then(Value::as_bool) == Some(true)
    }

    /// What is wrong with this file alone.
    pub(super) fn examine(&self) -> Vec<Finding> {
        let name = self.path.display();
        let mut findings = Vec::new();
        let Some(value) = &self.value else {
            if !self.text.trim().is_empty() {
                findings.push(Finding::problem(
                    "settings",
                    format!("{name} is not valid JSON: the agent ignores all of it"),
                    "repair it",
                ));
            }
            return findings;
        };
        if self.flag("disableAllHooks") {
            findings.push(Finding::problem(
                "hooks disabled",
                format!("{name} sets `disableAllHooks`: no hook runs"),
                "remove it",
            ));
        }
        for event in ["PreToolUse", "PermissionRequest"] {
            if let Some(groups) = value.get("hooks").and_then(|hooks| hooks.get(event))
                && let Some(what) = invalid(groups)
            {
                findings.push(Finding::problem(
                    "settings",
                    format!(
                        "{name}: {event} has an entry that {what}, so the agent applies nothing of this file"
                    ),
                    "repair or remove the entry",
                ));
            }
        }
        findings
    }

    /// Commands of others on an event.
    fn foreign(&self, event: &str) -> Vec<String> {
        let groups =
            self.value.as_ref().and_then(|value| value.get("hooks")).and_then(|hooks| hooks.get(event));
        let ours: Vec<&str> = self.registrations.iter().map(|r| r.command.as_str()).collect();
        groups
            .into_iter()
            .flat_map(handlers)
            .filter_map(|handler| handler.get("command").and_then(Value::as_str))
            .filter(|command| !ours.contains(command))
            .map(str::to_owned)
            .collect()
    }
}

/// Where an administrator's settings are.
pub(super) fn managed_path() -> PathBuf {
    PathBuf::from(if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json"
    } else {
        "/etc/claude-code/managed-settings.json"
    })
}

/// What is wrong with the files together.
pub(super) fn examine_together(
    files: &[SettingsFile],
    managed: Option<&SettingsFile>,
    usage: &PolicyUsage,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if managed.is_some_and(|file| file.flag("allowManagedHooksOnly")) {
        findings.push(Finding::problem(
            "hooks disabled",
            "the managed settings allow managed hooks only: yours are not run",
            "have hookgate registered in the managed settings",
        ));
    }
    let registered: Vec<&Registration> = files.iter().flat_map(SettingsFile::registrations).collect();
    if registered.is_empty() {
        findings.push(Finding::problem(
            "installed",
            "hookgate is in none of the agent's settings",
            "hookgate init",
        ));
        return findings;
    }
    for event in &usage.events {
        if !registered.iter().any(|registration| registration.event == *event) {
            findings.push(Finding::problem(
                "drift",
                format!("the policy has rules for {event}, but the settings don't ask hookgate about it"),
                "hookgate init",
            ));
        }
    }
    for (event, millis) in &usage.patience {
        let shortest = registered.iter().filter(|registration| registration.event == *event);
        let shortest = shortest.filter_map(|registration| deadline(registration)).min();
        if let Some(seconds) = shortest.filter(|seconds| seconds * 1000 < *millis) {
            findings.push(Finding::problem(
                "drift",
                format!(
                    "the settings give hookgate {seconds} s on {event}, and a hook of the policy may take {} s: it is ended before",
                    millis.div_ceil(1000)
                ),
                "hookgate init",
            ));
        }
    }
    for registration in &registered {
        if !usage.events.contains(&registration.event) {
            findings.push(Finding::note(
                "drift",
                format!("the settings ask about {}, for which the policy has no rule", registration.event),
                "hookgate init",
            ));
        }
        if usage.enforces && registration.event == "PreToolUse" && !registration.block_on_failure {
            findings.push(Finding::note(
                "failure",
                "PreToolUse has no `onFailure: \"block\"`: a call goes on where hookgate can't be started",
                "hookgate init, with Claude Code 2.1.295 or newer",
            ));
        }
    }
    for command in files.iter().flat_map(|file| file.foreign("PreToolUse")) {
        findings.push(Finding::note(
            "other hooks",
            format!("`{command}` is asked about tool calls too; if it rewrites them, whichever hook ends last wins"),
            "let only one hook rewrite, or `hookgate init --import`: hooks fail closed under supervision",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::good("installed", format!("{} events are asked about", registered.len())));
    }
    findings
}

/// The deadline that the settings give hookgate, in seconds.
fn deadline(registration: &Registration) -> Option<u64> {
    let at = registration.arguments.iter().position(|argument| argument == "--deadline")?;
    registration.arguments.get(at + 1)?.strip_suffix('s')?.parse().ok()
}

/// Does the agent trust the folder? Without it, interactive sessions run no hooks there.
pub(super) fn trust(environment: &Environment) -> Finding {
    let project = environment.project().display().to_string();
    let accepted = environment.directories.home.as_ref().and_then(|home| {
        let state: Value = serde_json::from_slice(&fs::read(home.join(".claude.json")).ok()?).ok()?;
        state.get("projects")?.get(&project)?.get("hasTrustDialogAccepted")?.as_bool()
    });
    match accepted {
        Some(true) => Finding::good("folder trust", format!("the agent trusts {project}")),
        _ => Finding::note(
            "folder trust",
            format!(
                "no sign that the agent trusts {project}; until it does, interactive sessions run no hooks"
            ),
            "accept the trust question when the agent starts there",
        ),
    }
}

/// What is invalid about the groups of an event, by the agent's own schema.
fn invalid(groups: &Value) -> Option<&'static str> {
    let Some(groups) = groups.as_array() else { return Some("is not an array") };
    for group in groups {
        if group.get("matcher").is_some_and(|matcher| !matcher.is_string()) {
            return Some("has a matcher that is not a string");
        }
        let Some(handlers) = group.get("hooks").and_then(Value::as_array) else {
            return Some("has no array `hooks`");
        };
        if let Some(what) = handlers.iter().find_map(invalid_handler) {
            return Some(what);
        }
    }
    None
}

fn invalid_handler(handler: &Value) -> Option<&'static str> {
    let needed = match handler.get("type").and_then(Value::as_str) {
        Some("command") => "command",
        Some("http") => "url",
        Some("mcp_tool") => "tool",
        Some("prompt" | "agent") => "prompt",
        _ => return Some("has a hook of no known type"),
    };
    let timeout = handler.get("timeout");
    if !handler.get(needed).is_some_and(Value::is_string) {
        Some("has a hook without what it runs")
    } else if timeout.is_some_and(|timeout| !timeout.as_f64().is_some_and(|seconds| seconds > 0.0)) {
        Some("has a timeout that is not a positive number")
    } else if handler.get("args").is_some_and(|args| !args.is_array()) {
        Some("has args that are not an array")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::invalid;
    use serde_json::json;

    #[test]
    fn entries_that_void_a_settings_file_are_told_apart() {
        let fine =
            json!([{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "x", "timeout": 5 }] }]);
        assert_eq!(invalid(&fine), None);
        for (groups, what) in [
            (json!({}), "is not an array"),
            (json!([{ "type": "command", "command": "x" }]), "has no array `hooks`"),
            (json!([{ "hooks": [{ "type": "shell" }] }]), "has a hook of no known type"),
            (json!([{ "hooks": [{ "type": "command" }] }]), "has a hook without what it runs"),
            (
                json!([{ "hooks": [{ "type": "command", "command": "x", "timeout": 0 }] }]),
                "has a timeout that is not a positive number",
            ),
            (json!([{ "matcher": 1, "hooks": [] }]), "has a matcher that is not a string"),
        ] {
            assert_eq!(invalid(&groups), Some(what), "{groups}");
        }
    }
}
