//! Hooks of others in an agent's settings file: listed, taken out, and put back.

use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject};
use serde_json::Value;

use super::registered::{is_ours, parse};
use crate::{Handler, SettingsError};

/// The handlers that are not hookgate's, in the file's order.
pub(crate) fn handlers(text: &str) -> Result<Vec<Handler>, SettingsError> {
    let mut found = Vec::new();
    if text.trim().is_empty() {
        return Ok(found);
    }
    each_group(text, |event, group, handlers| {
        for handler in handlers.elements().into_iter().filter(|handler| !is_ours(handler)) {
            if let Some(value) = handler.to_serde_value() {
                found.push(Handler { event: event.to_owned(), matcher: matcher(group), value });
            }
        }
    })?;
    Ok(found)
}

/// The settings without these handlers, and without what is empty once they are gone.
pub(crate) fn take(text: &str, taken: &[Handler]) -> Result<String, SettingsError> {
    if taken.is_empty() {
        return Ok(text.to_owned());
    }
    let root = each_group(text, |event, group, handlers| {
        let matcher = matcher(group);
        let is_taken = |node: &CstNode| {
            let value = node.to_serde_value();
            value.is_some_and(|value| {
                taken.iter().any(|one| one.event == event && one.matcher == matcher && one.value == value)
            })
        };
        let gone: Vec<CstNode> = handlers.elements().into_iter().filter(is_taken).collect();
        if gone.is_empty() {
            return;
        }
        if gone.len() == handlers.elements().len() {
            group.clone().remove();
        } else {
            gone.into_iter().for_each(CstNode::remove);
        }
    })?;
    let Some(settings) = root.object_value() else { return Ok(text.to_owned()) };
    if let Some(hooks) = settings.object_value("hooks") {
        for property in hooks.properties() {
            if property.array_value().is_some_and(|groups| groups.elements().is_empty()) {
                property.remove();
            }
        }
        if hooks.properties().is_empty()
            && let Some(property) = settings.get("hooks")
        {
            property.remove();
        }
    }
    Ok(root.to_string())
}

/// The settings with these handlers, each in a group with its matcher. Those that are there are not put twice.
pub(crate) fn put_back(text: &str, handlers: &[Handler]) -> Result<String, SettingsError> {
    let there = self::handlers(text)?;
    let missing: Vec<&Handler> = handlers.iter().filter(|handler| !there.contains(handler)).collect();
    if missing.is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(if text.trim().is_empty() { "{}\n" } else { text })?;
    let shape = |place: &str, wanted| SettingsError::Shape(place.to_owned(), wanted);
    let settings = root.object_value().ok_or_else(|| shape("(the whole file)", "an object"))?;
    let hooks = settings.object_value_or_create("hooks").ok_or_else(|| shape("hooks", "an object"))?;
    for handler in missing {
        let place = format!("hooks.{}", handler.event);
        let groups = hooks.array_value_or_create(&handler.event).ok_or_else(|| shape(&place, "an array"))?;
        let own = groups.elements().into_iter().filter_map(|group| group.as_object()).find_map(|group| {
            let handlers = group.array_value("hooks")?;
            let is_free = !handlers.elements().iter().any(is_ours);
            (is_free && matcher(&group) == handler.matcher).then_some(handlers)
        });
        let value = input(&handler.value);
        if let Some(own) = own {
            own.append(value);
            continue;
        }
        let mut fields = Vec::new();
        if let Some(matcher) = &handler.matcher {
            fields.push(("matcher".to_owned(), CstInputValue::String(matcher.clone())));
        }
        fields.push(("hooks".to_owned(), CstInputValue::Array(vec![value])));
        groups.append(CstInputValue::Object(fields));
    }
    Ok(root.to_string())
}

/// Goes over the groups of hooks, as the file was parsed.
fn each_group(
    text: &str,
    mut each: impl FnMut(&str, &CstObject, &CstArray),
) -> Result<jsonc_parser::cst::CstRootNode, SettingsError> {
    let root = parse(text)?;
    let hooks = root.object_value().and_then(|settings| settings.object_value("hooks"));
    for property in hooks.iter().flat_map(CstObject::properties) {
        let name = property.name().and_then(|name| name.decoded_value().ok());
        let (Some(event), Some(groups)) = (name, property.array_value()) else { continue };
        for group in groups.elements().into_iter().filter_map(|group| group.as_object()) {
            if let Some(handlers) = group.array_value("hooks") {
                each(&event, &group, &handlers);
            }
        }
    }
    Ok(root)
}

fn matcher(group: &CstObject) -> Option<String> {
    group.get("matcher")?.value()?.to_serde_value()?.as_str().map(str::to_owned)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = r#"{
  // the team's
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "a" }, { "type": "http", "url": "http://h" } ] },
      { "hooks": [ { "type": "command", "command": "b", "timeout": 1.5 } ] }
    ],
    "Stop": [ { "matcher": "", "hooks": [ { "type": "command", "command": "c" } ] } ]
  },
  "model": "opus"
}
"#;

    #[test]
    fn what_is_taken_is_gone_with_its_empty_group_and_comes_back_with_its_matcher() {
        let all = handlers(SETTINGS).unwrap();
        assert_eq!(all.len(), 4);
        let taken: Vec<Handler> = all.iter().filter(|one| one.value["type"] == "command").cloned().collect();
        let rest = take(SETTINGS, &taken).unwrap();
        assert_eq!(handlers(&rest).unwrap(), [all[1].clone()]);
        assert!(rest.contains("// the team's") && !rest.contains("Stop"), "{rest}");
        let back = put_back(&rest, &taken).unwrap();
        let mut found = handlers(&back).unwrap();
        assert_eq!(found.len(), 4);
        found.retain(|one| !all.contains(one));
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(put_back(&back, &taken).unwrap(), back);
        let none = take(SETTINGS, &all).unwrap();
        assert!(!none.contains("hooks") && none.contains("\"model\""), "{none}");
    }
}
