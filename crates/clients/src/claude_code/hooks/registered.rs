//! hookgate's entries in an agent's settings file: put in and taken out with everything else left as it is.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

use crate::{Registration, SettingsError};

/// The settings with these registrations and no other of hookgate's. An empty text is an empty object.
pub(crate) fn install(text: &str, registrations: &[Registration]) -> Result<String, SettingsError> {
    if self::registrations(text)? == registrations {
        return Ok(text.to_owned());
    }
    let without = remove(text)?;
    let fresh = without.trim().is_empty();
    let root = parse(if fresh { "{}\n" } else { &without })?;
    let settings =
        root.object_value().ok_or_else(|| SettingsError::Shape("(the whole file)".into(), "an object"))?;
    let hooks = settings
        .object_value_or_create("hooks")
        .ok_or_else(|| SettingsError::Shape("hooks".into(), "an object"))?;
    for registration in registrations {
        let groups = hooks
            .array_value_or_create(&registration.event)
            .ok_or_else(|| SettingsError::Shape(format!("hooks.{}", registration.event), "an array"))?;
        groups.append(group(registration));
    }
    Ok(root.to_string())
}

/// The settings without hookgate's registrations, and without what is empty once they are gone.
pub(crate) fn remove(text: &str) -> Result<String, SettingsError> {
    if registrations(text)?.is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(text)?;
    let Some(settings) = root.object_value() else { return Ok(text.to_owned()) };
    let Some(hooks) = settings.object_value("hooks") else { return Ok(text.to_owned()) };
    for property in hooks.properties() {
        let Some(groups) = property.array_value() else { continue };
        let touched = remove_from(&groups);
        if touched && groups.elements().is_empty() {
            property.remove();
        }
    }
    if hooks.properties().is_empty()
        && let Some(property) = settings.get("hooks")
    {
        property.remove();
    }
    Ok(root.to_string())
}

/// hookgate's registrations in the settings.
pub(crate) fn registrations(text: &str) -> Result<Vec<Registration>, SettingsError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let value = parse(text)?.to_serde_value().unwrap_or_default();
    let mut found = Vec::new();
    let events = value.get("hooks").and_then(Value::as_object).into_iter().flatten();
    for (event, groups) in events {
        for handler in handlers(groups) {
            if let Some(registration) = registration(event, handler) {
                found.push(registration);
            }
        }
    }
    Ok(found)
}

/// The handlers of all groups of an event.
pub(crate) fn handlers(groups: &Value) -> impl Iterator<Item = &Value> {
    let groups = groups.as_array().into_iter().flatten();
    groups.flat_map(|group| group.get("hooks").and_then(Value::as_array).into_iter().flatten())
}

fn registration(event: &str, handler: &Value) -> Option<Registration> {
    let command = handler.get("command")?.as_str()?;
    let arguments: Vec<String> =
        handler.get("args")?.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    if !is_hookgate(command) || arguments.first().map(String::as_str) != Some("hook") {
        return None;
    }
    Some(Registration {
        event: event.to_owned(),
        command: command.to_owned(),
        arguments,
        timeout: handler.get("timeout").and_then(Value::as_u64).unwrap_or(0),
        block_on_failure: handler.get("onFailure").and_then(Value::as_str) == Some("block"),
    })
}

fn is_hookgate(command: &str) -> bool {
    Path::new(command).file_stem().is_some_and(|name| name == "hookgate")
}

fn remove_from(groups: &CstArray) -> bool {
    let mut touched = false;
    for group in groups.elements() {
        let Some(object) = group.as_object() else { continue };
        let Some(handlers) = object.array_value("hooks") else { continue };
        let ours: Vec<CstNode> = handlers.elements().into_iter().filter(is_ours).collect();
        if ours.is_empty() {
            continue;
        }
        touched = true;
        if ours.len() == handlers.elements().len() && only_hooks(&object) {
            group.remove();
        } else {
            ours.into_iter().for_each(CstNode::remove);
        }
    }
    touched
}

pub(crate) fn is_ours(node: &CstNode) -> bool {
    node.to_serde_value().is_some_and(|handler| registration("", &handler).is_some())
}

/// A group that has something else than hooks (a matcher of somebody's) is kept, empty as it may be.
fn only_hooks(group: &CstObject) -> bool {
    group.properties().len() == 1
}

fn group(registration: &Registration) -> CstInputValue {
    let text = |value: &str| CstInputValue::String(value.to_owned());
    let mut handler = vec![
        ("type".to_owned(), text("command")),
        ("command".to_owned(), text(&registration.command)),
        ("args".to_owned(), CstInputValue::Array(registration.arguments.iter().map(|a| text(a)).collect())),
        ("timeout".to_owned(), CstInputValue::Number(registration.timeout.to_string())),
    ];
    if registration.block_on_failure {
        handler.push(("onFailure".to_owned(), text("block")));
    }
    let hooks = CstInputValue::Array(vec![CstInputValue::Object(handler)]);
    CstInputValue::Object(vec![("hooks".to_owned(), hooks)])
}

pub(crate) fn parse(text: &str) -> Result<CstRootNode, SettingsError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        ..ParseOptions::default()
    };
    CstRootNode::parse(text, &options).map_err(|error| SettingsError::Syntax(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(event: &str) -> Registration {
        Registration {
            event: event.to_owned(),
            command: "/opt/bin/hookgate".to_owned(),
            arguments: ["hook", "--event", event, "--deadline", "5s"].map(str::to_owned).to_vec(),
            timeout: 10,
            block_on_failure: event == "PreToolUse",
        }
    }

    const FOREIGN: &str = "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [\n            { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"./check.sh\" } ] }\n        ]\n    },\n    \"x\": 1.50\n}\n";

    #[test]
    fn what_was_there_stays_and_comes_back_when_hookgate_goes() {
        let with = install(FOREIGN, &[gate("PreToolUse"), gate("Stop")]).unwrap();
        assert!(with.contains(
            "{ \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"./check.sh\" } ] }"
        ));
        assert!(with.contains("\"x\": 1.50"));
        assert_eq!(registrations(&with).unwrap(), [gate("PreToolUse"), gate("Stop")]);
        assert_eq!(remove(&with).unwrap(), FOREIGN);
    }

    #[test]
    fn installing_twice_changes_nothing() {
        let once = install("", &[gate("PreToolUse")]).unwrap();
        assert_eq!(install(&once, &[gate("PreToolUse")]).unwrap(), once);
        serde_json::from_str::<Value>(&once).unwrap();
    }

    #[test]
    fn a_hook_beside_ours_in_the_same_group_is_kept() {
        let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"hookgate","args":["hook"]}]}]}}"#;
        assert_eq!(
            remove(text).unwrap(),
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}"#
        );
    }

    #[test]
    fn settings_of_another_shape_are_refused_with_the_place() {
        let error = install(r#"{"hooks":{"PreToolUse":{}}}"#, &[gate("PreToolUse")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`hooks.PreToolUse` in the settings is not an array, so the agent would ignore the file; fix it first"
        );
        assert!(matches!(install("{", &[gate("Stop")]), Err(SettingsError::Syntax(_))));
    }
}
