//! hookgate's entries in an agent's settings file: put in and taken out with everything else left as it is.

use std::path::Path;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::cst::{CstNode, CstRootNode};
use jsonc_parser::{CollectOptions, ParseOptions};
use serde_json::{Value, json};

use super::splice::{Container, Edits, Layout};
use crate::{Registration, SettingsError};

/// Some editors begin a file with it, and the client reads such a file.
const BOM: &str = "\u{feff}";

/// The settings with these registrations and no other of hookgate's. An empty text is an empty object. For `before` see
/// [`remove`].
pub(crate) fn install(
    text: &str,
    registrations: &[Registration],
    before: Option<&str>,
) -> Result<String, SettingsError> {
    if self::registrations(text)? == registrations {
        return Ok(text.to_owned());
    }
    // What is filled again at once stays where it stands.
    let is_filled =
        |event: Option<&str>| event.is_none_or(|event| registrations.iter().any(|one| one.event == event));
    let stood = stood(before);
    let without = without(text, |event| is_filled(event) || stood(event))?;
    let fresh = without.trim_start_matches(BOM).trim().is_empty();
    let (bom, base) = if fresh { ("", "{}\n") } else { apart(&without) };
    let layout = Layout::of(base);
    let tree = tree(base)?;
    let Some(Node::Object(settings)) = &tree else {
        return Err(SettingsError::Shape("(the whole file)".into(), "an object"));
    };
    let mut edits = Edits::default();
    match settings.properties.iter().rev().find(|property| property.name.as_str() == "hooks") {
        None => {
            let hooks = registrations.iter().map(|one| (one.event.clone(), json!([group(one)]))).collect();
            edits.append(&of_object(base, settings), &[(Some("hooks"), Value::Object(hooks))], &layout);
        }
        Some(property) => {
            let Node::Object(hooks) = &property.value else {
                return Err(SettingsError::Shape("hooks".into(), "an object"));
            };
            let mut new = Vec::new();
            for registration in registrations {
                let event = registration.event.as_str();
                match hooks.properties.iter().find(|property| property.name.as_str() == event) {
                    None => new.push((Some(event), json!([group(registration)]))),
                    Some(ObjectProp { value: Node::Array(groups), .. }) => {
                        edits.append(&of_array(base, groups), &[(None, group(registration))], &layout);
                    }
                    Some(_) => return Err(SettingsError::Shape(format!("hooks.{event}"), "an array")),
                }
            }
            if !new.is_empty() {
                edits.append(&of_object(base, hooks), &new, &layout);
            }
        }
    }
    Ok(format!("{bom}{}", edits.apply(base)))
}

/// The settings without hookgate's registrations, and without what is empty once they are gone; what was empty in `before`,
/// the settings as they were without hookgate, stays. Where a key stands more than once, all of its values are looked through.
pub(crate) fn remove(text: &str, before: Option<&str>) -> Result<String, SettingsError> {
    without(text, stood(before))
}

/// Says of `hooks`, and of an event in it, whether it stood in these settings.
fn stood(before: Option<&str>) -> impl Fn(Option<&str>) -> bool {
    let before: Value = before.and_then(|text| serde_json::from_str(apart(text).1).ok()).unwrap_or_default();
    move |event| {
        let hooks = before.get("hooks");
        event.map_or(hooks, |event| hooks?.get(event)).is_some()
    }
}

/// The settings without hookgate's registrations. `stays` says of `hooks`, and of an event in it, whether it stays where nothing
/// else is in it.
fn without(text: &str, stays: impl Fn(Option<&str>) -> bool) -> Result<String, SettingsError> {
    let (bom, base) = apart(text);
    if base.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let Some(Node::Object(settings)) = &tree(base)? else { return Ok(text.to_owned()) };
    let (mut edits, mut gone) = (Edits::default(), Vec::new());
    for (at, property) in settings.properties.iter().enumerate() {
        let Node::Object(hooks) = &property.value else { continue };
        if property.name.as_str() != "hooks" {
            continue;
        }
        let (mut inner, mut empty) = (Edits::default(), Vec::new());
        for (index, event) in hooks.properties.iter().enumerate() {
            let Node::Array(groups) = &event.value else { continue };
            let (left, taken) = take_from(base, groups);
            if left == 0 && !taken.is_empty() && !stays(Some(event.name.as_str())) {
                empty.push(index);
            } else {
                inner.join(taken);
            }
        }
        if !empty.is_empty() && empty.len() == hooks.properties.len() && !stays(None) {
            gone.push(at);
            continue;
        }
        if !empty.is_empty() {
            inner.take(&of_object(base, hooks), |index| empty.contains(&index));
        }
        edits.join(inner);
    }
    if !gone.is_empty() {
        edits.take(&of_object(base, settings), |at| gone.contains(&at));
    }
    Ok(if edits.is_empty() { text.to_owned() } else { format!("{bom}{}", edits.apply(base)) })
}

/// The byte order mark, and the text behind it.
fn apart(text: &str) -> (&str, &str) {
    text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest))
}

fn tree(text: &str) -> Result<Option<Node<'_>>, SettingsError> {
    let parsed = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options());
    parsed.map(|parsed| parsed.value).map_err(|error| SettingsError::Syntax(error.to_string()))
}

fn of_object<'t>(text: &'t str, object: &Object<'_>) -> Container<'t> {
    let items = object.properties.iter().map(|property| property.range.start..property.range.end).collect();
    Container { text, range: object.range.start..object.range.end, items }
}

fn of_array<'t>(text: &'t str, array: &Array<'_>) -> Container<'t> {
    let items = array.elements.iter().map(|element| element.start()..element.end()).collect();
    Container { text, range: array.range.start..array.range.end, items }
}

/// Does a key of the settings stand more than once?
pub(crate) fn stands_twice(text: &str, key: &str) -> bool {
    let is_it = |property: &&ObjectProp<'_>| property.name.as_str() == key;
    match tree(apart(text).1) {
        Ok(Some(Node::Object(settings))) => settings.properties.iter().filter(is_it).count() > 1,
        _ => false,
    }
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

/// Takes hookgate's handlers out of the groups of an event. How many groups are left, and what is to be done.
fn take_from(text: &str, groups: &Array<'_>) -> (usize, Edits) {
    let (mut edits, mut gone) = (Edits::default(), Vec::new());
    for (at, element) in groups.elements.iter().enumerate() {
        let Node::Object(group) = element else { continue };
        let Some(handlers) = group.get_array("hooks") else { continue };
        let ours = |node: &Node<'_>| {
            let handler = text.get(node.start()..node.end()).unwrap_or_default();
            let handler = CstRootNode::parse(handler, &options()).ok().and_then(|root| root.to_serde_value());
            handler.is_some_and(|handler| registration("", &handler).is_some())
        };
        let ours: Vec<bool> = handlers.elements.iter().map(ours).collect();
        if !ours.contains(&true) {
            continue;
        }
        // A group that has something else than hooks (a matcher of somebody's) is kept, empty as it may be.
        if !ours.contains(&false) && group.properties.len() == 1 {
            gone.push(at);
        } else {
            edits.take(&of_array(text, handlers), |at| ours.get(at).copied().unwrap_or_default());
        }
    }
    if !gone.is_empty() {
        edits.take(&of_array(text, groups), |at| gone.contains(&at));
    }
    (groups.elements.len() - gone.len(), edits)
}

pub(crate) fn is_ours(node: &CstNode) -> bool {
    node.to_serde_value().is_some_and(|handler| registration("", &handler).is_some())
}

fn group(registration: &Registration) -> Value {
    let mut handler = json!({
        "type": "command",
        "command": registration.command,
        "args": registration.arguments,
        "timeout": registration.timeout,
    });
    if let Some(handler) = handler.as_object_mut().filter(|_| registration.block_on_failure) {
        handler.insert("onFailure".to_owned(), "block".into());
    }
    json!({ "hooks": [handler] })
}

fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        ..ParseOptions::default()
    }
}

pub(crate) fn parse(text: &str) -> Result<CstRootNode, SettingsError> {
    CstRootNode::parse(apart(text).1, &options()).map_err(|error| SettingsError::Syntax(error.to_string()))
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
        let with = install(FOREIGN, &[gate("PreToolUse"), gate("Stop")], None).unwrap();
        assert!(with.contains(
            "{ \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"./check.sh\" } ] }"
        ));
        assert!(with.contains("\"x\": 1.50"));
        assert_eq!(registrations(&with).unwrap(), [gate("PreToolUse"), gate("Stop")]);
        assert_eq!(remove(&with, None).unwrap(), FOREIGN);
    }

    #[test]
    fn installing_twice_changes_nothing() {
        let once = install("", &[gate("PreToolUse")], None).unwrap();
        assert_eq!(install(&once, &[gate("PreToolUse")], None).unwrap(), once);
        serde_json::from_str::<Value>(&once).unwrap();
    }

    #[test]
    fn a_hook_beside_ours_in_the_same_group_is_kept() {
        let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"},{"type":"command","command":"hookgate","args":["hook"]}]}]}}"#;
        assert_eq!(
            remove(text, None).unwrap(),
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}"#
        );
    }

    #[test]
    fn settings_of_another_shape_are_refused_with_the_place() {
        let error = install(r#"{"hooks":{"PreToolUse":{}}}"#, &[gate("PreToolUse")], None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`hooks.PreToolUse` in the settings is not an array, so the agent would ignore the file; fix it first"
        );
        assert!(matches!(install("{", &[gate("Stop")], None), Err(SettingsError::Syntax(_))));
    }

    /// Numbers that are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    /// What somebody else does to the settings; the same to those with hookgate and to those without it.
    fn edited(text: &str, kind: u64, number: u64) -> String {
        match kind {
            0 => {
                let (before, rest) = text.split_once('{').unwrap();
                format!("{before}{{\n    \"edit{number}\": {{ \"kept\":  [1,  2] }},{rest}")
            }
            1 => {
                let (before, rest) = text.rsplit_once('}').unwrap();
                let content = before.trim_end();
                let blank = before.strip_prefix(content).unwrap();
                format!("{content},\n  \"last{number}\" : true{blank}}}{rest}")
            }
            2 => text.replacen("\"opus\"", "\"sonnet\"", 1),
            // The client itself writes the whole file anew.
            _ => format!("{:#}", serde_json::from_str::<Value>(text.trim_start_matches(BOM)).unwrap()),
        }
    }

    #[test]
    fn after_any_sequence_of_installs_and_edits_by_others_every_byte_of_theirs_is_left_and_none_of_ours() {
        let commands = ["/opt/bin/hookgate", "hookgate", "/home/ada/hookgate-0.1.0", "/elsewhere/hookgate"];
        let events = ["PreToolUse", "SessionStart", "Stop", "PostToolUse"];
        let originals = [
            FOREIGN,
            "{\"model\":\"opus\"}",
            "{ \"model\": \"opus\", \"hooks\": {} }",
            "{\"model\":\"opus\",\"hooks\":{\"Stop\":[],\"Setup\":[{\"hooks\":[]}]}}\n",
            "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]}]\n\t}\n}",
            "{\r\n  \"model\": \"opus\"\r\n}\r\n",
            "\u{feff}{\n  \"model\": \"opus\"\n}",
        ];
        for seed in 0..1000 {
            let mut dice = Dice(seed);
            let original = originals[usize::try_from(dice.below(7)).unwrap()];
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
                        with = install(&with, &wanted, Some(original)).unwrap();
                        let there = registrations(&with).unwrap();
                        assert!(there.len() == wanted.len() && wanted.iter().all(|one| there.contains(one)));
                        serde_json::from_str::<Value>(with.trim_start_matches(BOM)).unwrap();
                    }
                    2 => {
                        let kind = dice.below(4);
                        with = edited(&with, kind, step);
                        without = edited(&without, kind, step);
                    }
                    _ => with = remove(&with, Some(original)).unwrap(),
                }
            }
            with = remove(&with, Some(original)).unwrap();
            assert_eq!(with, without, "{seed}");
        }
    }

    #[test]
    fn entries_of_any_hand_and_in_a_key_that_stands_twice_are_found() {
        for text in [
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/x/hookgate hook --event Stop"}]}]},"a":1}"#,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/x/hookgate-0.1.0","args":["hook"]}]}]},"a":1}"#,
            r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookgate","args":["hook"]}]}]},"a":1,"hooks":{}}"#,
        ] {
            assert!(!remove(text, None).unwrap().contains("hookgate"), "{text}");
        }
        assert!(stands_twice(r#"{"hooks":{},"hooks":{}}"#, "hooks"));
        assert!(!stands_twice(r#"{"hooks":{"hooks":{}}}"#, "hooks"));
    }
}
