//! What in a settings file would keep hookgate from being asked, by the client's own schema.

use serde_json::Value;

use crate::Fault;

use super::altered;

/// What is wrong with this file alone.
pub(super) fn of(name: &str, text: &str) -> Vec<Fault> {
    let fault = |check, text, fix| Fault { check, text, fix };
    // The client reads a file that begins with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Vec::new();
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let ignored = format!("{name} is not valid JSON: the agent ignores all of it");
        return vec![fault("settings", ignored, "repair it")];
    };
    let mut faults = Vec::new();
    if super::hooks::stands_twice(text, "hooks") {
        let twice = format!("{name} has the key `hooks` twice: the agent uses only the last one");
        faults.push(fault("settings", twice, "merge them into one"));
    }
    if is_set(&value, "disableAllHooks") {
        let disabled = format!("{name} sets `disableAllHooks`: no hook runs");
        faults.push(fault("hooks disabled", disabled, "remove it"));
    }
    for (event, groups) in value.get("hooks").and_then(Value::as_object).into_iter().flatten() {
        faults.extend(altered::faults(name, event, groups));
    }
    for event in ["PreToolUse", "PermissionRequest"] {
        let groups = value.get("hooks").and_then(|hooks| hooks.get(event));
        if let Some(what) = groups.and_then(invalid) {
            let void =
                format!("{name}: {event} has an entry that {what}, so the agent ignores the whole file");
            faults.push(fault("settings", void, "repair or remove the entry"));
        }
    }
    faults
}

/// Do managed settings shut the person's hooks out?
pub(super) fn shuts_hooks_out(text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value| is_set(&value, "allowManagedHooksOnly"))
}

/// The variables under `env`.
pub(super) fn sets(text: &str) -> Vec<String> {
    let settings = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).unwrap_or_default();
    let variables = settings.get("env").and_then(Value::as_object);
    variables.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn is_set(settings: &Value, key: &str) -> bool {
    settings.get(key).and_then(Value::as_bool) == Some(true)
}

/// What is invalid about the groups of an event, by the agent's own schema.
pub(super) fn invalid(groups: &Value) -> Option<&'static str> {
    let Some(groups) = groups.as_array() else { return Some("is not an array") };
    for group in groups {
        if group.get("matcher").is_some_and(|matcher| !matcher.is_string()) {
            return Some("has a matcher that is not a string");
        }
        let Some(handlers) = group.get("hooks").and_then(Value::as_array) else {
            return Some("has no `hooks` array");
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
        _ => return Some("has a hook of an unknown type"),
    };
    let timeout = handler.get("timeout");
    if !handler.get(needed).is_some_and(Value::is_string) {
        Some("has a hook without a command")
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
            (json!([{ "type": "command", "command": "x" }]), "has no `hooks` array"),
            (json!([{ "hooks": [{ "type": "shell" }] }]), "has a hook of an unknown type"),
            (json!([{ "hooks": [{ "type": "command" }] }]), "has a hook without a command"),
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
