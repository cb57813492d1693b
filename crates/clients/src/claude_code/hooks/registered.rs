//! hookgate's entries in an agent's settings file: put in and taken out with everything else left as it is.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
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

/// The settings without hookgate's registrations, and without what is empty once they are gone. Where a key stands more than
/// once, all of its values are looked through.
pub(crate) fn remove(text: &str) -> Result<String, SettingsError> {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(text)?;
    let Some(settings) = root.object_value() else { return Ok(text.to_owned()) };
    let mut touched = false;
    for property in named(&settings, "hooks") {
        let Some(hooks) = property.object_value() else { continue };
        let mut ours = false;
        for event in hooks.properties() {
            let Some(groups) = event.array_value() else { continue };
            let had = remove_from(&groups);
            if had && groups.elements().is_empty() {
                event.remove();
            }
            ours |= had;
        }
        if ours && hooks.properties().is_empty() {
            property.remove();
        }
        touched |= ours;
    }
    Ok(if touched { root.to_string() } else { text.to_owned() })
}

/// Does a key of the settings stand more than once?
pub(crate) fn stands_twice(text: &str, key: &str) -> bool {
    let settings = parse(text).ok().and_then(|root| root.object_value());
    settings.is_some_and(|settings| named(&settings, key).len() > 1)
}

fn named(object: &CstObject, key: &str) -> Vec<CstObjectProp> {
    let is_it = |property: &CstObjectProp| {
        property.name().and_then(|name| name.decoded_value().ok()).is_some_and(|name| name == key)
    };
    object.properties().into_iter().filter(is_it).collect()
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
    let (command, arguments): (&str, Vec<String>) = match handler.get("args").and_then(Value::as_array) {
        Some(list) => (command, list.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        // Written by hand, as one text.
        None => {
            let mut words = command.split_whitespace();
            (words.next()?, words.map(str::to_owned).collect())
        }
    };
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

/// `hookgate`, wherever it is, and a binary with its version in its name.
fn is_hookgate(command: &str) -> bool {
    let name = Path::new(command).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    matches!(name, "hookgate" | "hookgate.exe") || name.starts_with("hookgate-")
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

    /// Numbers that are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    /// What somebody else adds at the beginning of the settings.
    fn edited(text: &str, number: u64) -> String {
        let (before, rest) = text.split_once('{').unwrap();
        format!("{before}{{\n    \"edit{number}\": {{ \"kept\":  [1,  2] }},{rest}")
    }

    /// The text without the white space between its tokens.
    fn dense(text: &str) -> String {
        let (mut quoted, mut escaped) = (false, false);
        let keep = |c: &char| {
            let was_quoted = quoted;
            quoted ^= *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            was_quoted || !c.is_whitespace()
        };
        text.chars().filter(keep).collect()
    }

    #[test]
    fn after_any_sequence_of_installs_and_edits_by_others_nothing_of_ours_is_left_and_all_of_theirs() {
        let commands = ["/opt/bin/hookgate", "hookgate", "/home/ada/hookgate-0.1.0", "/elsewhere/hookgate"];
        let events = ["PreToolUse", "SessionStart", "Stop", "PostToolUse"];
        let originals = [
            FOREIGN,
            "{\"model\":\"opus\"}",
            "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]}]\n\t}\n}",
            "{\r\n  \"model\": \"opus\"\r\n}\r\n",
        ];
        for seed in 0..500 {
            let mut dice = Dice(seed);
            let original = originals[usize::try_from(dice.below(4)).unwrap()];
            let (mut with, mut without) = (original.to_owned(), original.to_owned());
            for step in 0..=dice.below(8) {
                match dice.below(4) {
                    0 | 1 => {
                        let command = commands[usize::try_from(dice.below(4)).unwrap()];
                        let count = usize::try_from(dice.below(4)).unwrap() + 1;
                        let wanted: Vec<Registration> = events
                            .iter()
                            .take(count)
                            .map(|event| Registration { command: command.to_owned(), ..gate(event) })
                            .collect();
                        with = install(&with, &wanted).unwrap();
                        let there = registrations(&with).unwrap();
                        assert!(there.len() == wanted.len() && wanted.iter().all(|one| there.contains(one)));
                    }
                    2 => {
                        with = edited(&with, step);
                        without = edited(&without, step);
                    }
                    _ => with = remove(&with).unwrap(),
                }
            }
            with = remove(&with).unwrap();
            assert!(!with.contains("hookgate"), "{seed}: {with}");
            // Where a list was written on one line, a line break stays behind: `uninstall` puts the very bytes back from its
            // record where nobody edited the file.
            assert_eq!(dense(&with), dense(&without), "{seed}");
        }
    }

    #[test]
    fn entries_of_any_hand_and_in_a_key_that_stands_twice_are_found() {
        for text in [
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/x/hookgate hook --event Stop"}]}]},"a":1}"#,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/x/hookgate-0.1.0","args":["hook"]}]}]},"a":1}"#,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookgate","args":["hook"]}]}]},"a":1,"hooks":{}}"#,
        ] {
            assert!(!remove(text).unwrap().contains("hookgate"), "{text}");
        }
        assert!(stands_twice(r#"{"hooks":{},"hooks":{}}"#, "hooks"));
        assert!(!stands_twice(r#"{"hooks":{"hooks":{}}}"#, "hooks"));
    }
}
