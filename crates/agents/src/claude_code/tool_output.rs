//! A tool's output in the place of another, in the form that the client takes.
//!
//! Claude Code 2.1.330 holds `updatedToolOutput` of a built-in tool to that tool's schema, drops what doesn't fit without a word,
//! and shows the model the original. The event has the original, so its form is known: what a policy leaves out is filled in.

use crate::{Event, Map, Value};

/// The new output with every field of the original, those that it doesn't name empty; `None` where it can't be given the
/// original's form.
pub(super) fn in_form(new: &Value, original: &Value) -> Option<Value> {
    match (new, original) {
        (Value::Object(new), Value::Object(original)) => {
            let mut whole = new.clone();
            for (name, value) in original {
                let given = match new.get(name) {
                    Some(given) => in_form(given, value)?,
                    None => empty(name, value),
                };
                whole.insert(name.clone(), given);
            }
            Some(Value::Object(whole))
        }
        _ => is_alike(new, original).then(|| new.clone()),
    }
}

/// The output of the tool that the event is about; `None` where the client doesn't hold it to a form.
pub(super) fn original(event: &Event) -> Option<&Value> {
    let of_server = event.tool().is_some_and(|call| call.name.starts_with("mcp__"));
    event.fields.get("tool_response").filter(|_| !of_server)
}

fn is_alike(one: &Value, other: &Value) -> bool {
    matches!(
        (one, other),
        (Value::Null, Value::Null)
            | (Value::Bool(_), Value::Bool(_))
            | (Value::Number(_), Value::Number(_))
            | (Value::String(_), Value::String(_))
            | (Value::Array(_), Value::Array(_))
    )
}

/// A value of the same kind that says nothing. `type` names the variant of a form and nothing of what is in it.
fn empty(name: &str, value: &Value) -> Value {
    match value {
        Value::String(_) if name == "type" => value.clone(),
        Value::Null => Value::Null,
        Value::Bool(_) => false.into(),
        Value::Number(_) => 0.into(),
        Value::String(_) => "".into(),
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(fields) => {
            let fields: Map = fields.iter().map(|(name, value)| (name.clone(), empty(name, value))).collect();
            Value::Object(fields)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_left_out_is_filled_in_without_a_word_of_the_original() {
        let original = json!({ "stdout": "secret", "stderr": "secret", "interrupted": true, "lines": 7, "type": "text",
                               "file": { "type": "a", "content": "secret" }, "parts": ["secret"], "none": null });
        assert_eq!(
            in_form(&json!({ "stdout": "(withheld)" }), &original),
            Some(
                json!({ "stdout": "(withheld)", "stderr": "", "interrupted": false, "lines": 0, "type": "text",
                         "file": { "type": "a", "content": "" }, "parts": [], "none": null })
            )
        );
        let file = in_form(&json!({ "file": { "content": "x" } }), &original).unwrap();
        assert_eq!(file["file"], json!({ "type": "a", "content": "x" }));
    }

    #[test]
    fn another_form_is_none() {
        let original = json!({ "stdout": "secret" });
        for new in [json!("(withheld)"), json!(["x"]), json!({ "stdout": 5 }), json!(null)] {
            assert_eq!(in_form(&new, &original), None, "{new}");
        }
        assert_eq!(in_form(&json!("x"), &json!("secret")), Some(json!("x")));
    }
}
