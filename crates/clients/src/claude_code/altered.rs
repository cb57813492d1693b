//! Handlers of ours that were changed so that they let calls run.

use std::path::Path;

use serde_json::Value;

use crate::Fault;

/// The deadline of `hookgate hook` where its arguments name none, in seconds.
const DEADLINE: f64 = 5.0;
/// How long an answer may take beyond that, where what was found by then is judged.
const ANSWERING: f64 = 1.0;

/// What is wrong with the handlers of ours among these groups of an event.
pub(super) fn faults(file: &str, event: &str, groups: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    for group in groups.as_array().into_iter().flatten() {
        let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten();
        for handler in handlers.filter(|handler| is_ours(handler)) {
            faults.extend(wrong(group, handler).into_iter().map(|what| {
                let text = format!("{file}: the handler of {event} {what}");
                Fault { check: "altered", text, fix: "hookgate init" }
            }));
        }
    }
    faults
}

fn is_ours(handler: &Value) -> bool {
    let command = handler.get("command").and_then(Value::as_str);
    command.is_some_and(|command| Path::new(command).file_stem().is_some_and(|name| name == "hookgate"))
}

fn wrong(group: &Value, handler: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let set = |key: &str| handler.get(key).filter(|value| !value.is_null() && **value != Value::Bool(false));
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(matcher) =
        group.get("matcher").map(text).filter(|matcher| !matches!(matcher.as_str(), "" | "*" | ".*"))
    {
        wrong.push(format!("is only asked about what its matcher `{matcher}` names"));
    }
    if let Some(condition) = set("if") {
        wrong.push(format!("is only asked where its `if` holds ({})", text(condition)));
    }
    if set("async").is_some() || set("asyncRewake").is_some() {
        wrong.push("is asynchronous: its answer is not waited for".to_owned());
    }
    let arguments: Vec<&str> = handler
        .get("args")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if arguments.first() != Some(&"hook") {
        wrong.push(format!("calls something else than `hookgate hook` ({})", arguments.join(" ")));
    }
    let named =
        arguments.iter().position(|argument| *argument == "--deadline").and_then(|at| arguments.get(at + 1));
    let deadline = named.and_then(|text| text.strip_suffix('s')?.parse().ok()).unwrap_or(DEADLINE);
    if let Some(timeout) =
        handler.get("timeout").and_then(Value::as_f64).filter(|timeout| *timeout < deadline + ANSWERING)
    {
        wrong.push(format!("is ended after {timeout} s, and decides within {deadline} s"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(group: &Value, handler: &Value) -> Vec<String> {
        let mut whole = json!({ "type": "command", "command": "/usr/bin/hookgate", "args": ["hook", "--event", "PreToolUse"], "timeout": 15 });
        whole.as_object_mut().unwrap().extend(handler.as_object().unwrap().clone());
        let mut outer = json!({ "hooks": [whole] });
        outer.as_object_mut().unwrap().extend(group.as_object().unwrap().clone());
        faults("settings.json", "PreToolUse", &json!([outer])).into_iter().map(|fault| fault.text).collect()
    }

    #[test]
    fn a_handler_that_lets_calls_run_is_found_and_one_as_init_writes_it_is_not() {
        assert_eq!(said(&json!({}), &json!({})), Vec::<String>::new());
        assert_eq!(said(&json!({ "matcher": "*" }), &json!({ "async": false })), Vec::<String>::new());
        for (group, handler, expected) in [
            (json!({ "matcher": "Write" }), json!({}), "matcher `Write`"),
            (json!({}), json!({ "async": true }), "asynchronous"),
            (json!({}), json!({ "if": "Bash(git *)" }), "`if` holds (Bash(git *))"),
            (json!({}), json!({ "timeout": 0.001 }), "ended after 0.001 s"),
            (json!({}), json!({ "timeout": 5 }), "ended after 5 s"),
            (json!({}), json!({ "timeout": 5.5 }), "ended after 5.5 s"),
            (json!({}), json!({ "args": ["hook", "--deadline", "20s"] }), "decides within 20 s"),
            (
                json!({}),
                json!({ "args": ["status-line"] }),
                "something else than `hookgate hook` (status-line)",
            ),
        ] {
            let found = said(&group, &handler);
            assert!(found.len() == 1 && found[0].contains(expected), "{expected}: {found:?}");
        }
    }
}
