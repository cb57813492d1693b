//! Fields of an event by the agent's own names for them.

use std::borrow::Cow;

use hookgate_agents::{Event, Value};

/// A field as a text; `None` where the event does not carry it. Numbers and booleans are as in JSON.
pub(super) fn value<'e>(event: &'e Event, name: &str) -> Option<Cow<'e, str>> {
    let common = match name {
        "session_id" => Some(event.session_id.as_str()),
        "transcript_path" => Some(event.transcript_path.as_str()),
        "cwd" => Some(event.cwd.as_str()),
        "agent_id" => event.agent_id.as_deref(),
        "agent_type" => event.agent_type.as_deref(),
        "tool_name" => event.tool().map(|call| call.name.as_str()),
        _ => None,
    };
    match common {
        Some(text) => Some(Cow::Borrowed(text)),
        None => event.fields.get(name).and_then(plain),
    }
}

fn plain(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Bool(_) | Value::Number(_) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}
