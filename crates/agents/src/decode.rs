//! stdin bytes to an [`Event`].

use crate::repair::repair;
use crate::{Event, EventName, Map, PermissionMode, Profile, ToolCall, Value};

/// What was read from stdin.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one of these in a process")]
pub enum Decoded {
    /// An event.
    Event(Event),
    /// Bytes that are no event.
    Unreadable {
        /// The event that they are from, if the hook's settings or the bytes themselves tell.
        name: Option<EventName>,
        /// What is wrong with them.
        problem: Problem,
    },
}

/// Why bytes are no event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There are none.
    Empty,
    /// They are not one JSON document, or one that is nested too deeply; with the reader's words.
    NotJson(String),
    /// They are JSON, but not an object.
    NotAnObject,
    /// It holds more values than are read.
    TooMany,
    /// The object does not say which event it is, and the hook's settings don't either.
    NoEventName,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => formatter.write_str("the agent sent an empty event"),
            Self::NotJson(error) => write!(formatter, "the agent sent an event that isn't valid JSON: {error}"),
            Self::NotAnObject => formatter.write_str("the agent sent an event that is not a JSON object"),
            Self::TooMany => write!(formatter, "the agent sent an event of more than {MOST} values"),
            Self::NoEventName => formatter
                .write_str("the agent sent an event without `hook_event_name`; pass `--event NAME` in the hook's settings"),
        }
    }
}

impl std::error::Error for Problem {}

/// The most values that an event may hold: a value takes a hundred times the memory of its two bytes.
const MOST: usize = 100_000;

/// Are there more values than are read? What is in strings doesn't count.
fn holds_too_many(bytes: &[u8]) -> bool {
    let separates = |byte: &u8| matches!(byte, b',' | b'[' | b'{');
    // Most events are far too short for it, and of most others this looks at each byte only once.
    if bytes.len() <= MOST || bytes.iter().filter(|byte| separates(byte)).count() <= MOST {
        return false;
    }
    let (mut count, mut in_string, mut is_escaped) = (0_usize, false, false);
    for byte in bytes {
        if in_string {
            in_string = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
        } else if *byte == b'"' {
            in_string = true;
        } else if separates(byte) {
            count += 1;
        }
    }
    count > MOST
}

/// See [`Profile::decode`].
pub(crate) fn decode(agent: &'static Profile, bytes: &[u8], hint: Option<&str>) -> Decoded {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let hint = hint.filter(|hint| !hint.is_empty());
    let unreadable = |problem| Decoded::Unreadable {
        name: hint.map(EventName::from).or_else(|| find_name(bytes)),
        problem,
    };
    if holds_too_many(bytes) {
        return unreadable(Problem::TooMany);
    }
    let value = serde_json::from_slice(bytes).or_else(|_| serde_json::from_slice::<Value>(&repair(bytes)));
    let problem = match value {
        Ok(Value::Object(mut fields)) => {
            let name = take_text(&mut fields, "hook_event_name").filter(|name| !name.is_empty());
            match name.as_deref().or(hint) {
                Some(name) => return Decoded::Event((agent.event)(agent, EventName::from(name), fields)),
                None => Problem::NoEventName,
            }
        }
        Ok(_) => Problem::NotAnObject,
        Err(_) if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) => Problem::Empty,
        Err(error) => Problem::NotJson(error.to_string()),
    };
    unreadable(problem)
}

/// Looks for an event's name in bytes that are no JSON: the first known one, else the first.
///
/// A key inside a string has its quotes escaped and doesn't count.
fn find_name(bytes: &[u8]) -> Option<EventName> {
    const KEY: &[u8] = b"\"hook_event_name\"";
    let mut unknown = None;
    let mut rest = bytes;
    let mut before = 0;
    while let Some(quote) = rest.iter().position(|&byte| byte == b'"') {
        let previous = quote.checked_sub(1).and_then(|index| rest.get(index)).copied().unwrap_or(before);
        let (_, from_quote) = rest.split_at_checked(quote)?;
        if let Some(name) = from_quote.strip_prefix(KEY).filter(|_| previous != b'\\').and_then(quoted_name) {
            match EventName::from(name) {
                EventName::Unknown(name) => unknown = unknown.or(Some(EventName::Unknown(name))),
                known => return Some(known),
            }
        }
        before = b'"';
        rest = from_quote.get(1..)?;
    }
    unknown
}

/// The name in `: "NAME"`.
fn quoted_name(bytes: &[u8]) -> Option<&str> {
    let value = bytes.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"\"")?;
    let length = value.iter().take(64).position(|byte| !byte.is_ascii_alphanumeric())?;
    let (name, end) = value.split_at_checked(length)?;
    (end.first() == Some(&b'"') && !name.is_empty()).then(|| std::str::from_utf8(name).ok()).flatten()
}

/// The event of an agent that names its fields as Claude Code does.
pub(crate) fn event(agent: &'static Profile, name: EventName, mut fields: Map) -> Event {
    let call = is_about_call(&name).then(|| call(agent, &mut fields));
    Event {
        agent,
        outcome: (agent.outcome)(&name, &fields),
        name,
        session_id: text(&mut fields, "session_id"),
        transcript_path: text(&mut fields, "transcript_path"),
        cwd: text(&mut fields, "cwd"),
        permission_mode: take_text(&mut fields, "permission_mode")
            .map(|mode| PermissionMode::from(mode.as_str())),
        agent_id: take_text(&mut fields, "agent_id"),
        agent_type: take_text(&mut fields, "agent_type"),
        call,
        fields,
    }
}

/// The events that are about one tool call.
fn is_about_call(name: &EventName) -> bool {
    matches!(
        name,
        EventName::PreToolUse
            | EventName::PermissionRequest
            | EventName::PostToolUse
            | EventName::PostToolUseFailure
            | EventName::PermissionDenied
    )
}

fn call(agent: &'static Profile, fields: &mut Map) -> ToolCall {
    let name = text(fields, "tool_name");
    let mut call = ToolCall::new(agent, name, object(fields, "tool_input").unwrap_or_default());
    call.id = take_text(fields, "tool_use_id");
    call.mcp_server = object(fields, "mcp_server")
        .map(|mut server| (text(&mut server, "name"), text(&mut server, "source")));
    call
}

/// Takes a field, if it has the expected type.
fn take(fields: &mut Map, key: &str, expected: fn(&Value) -> bool) -> Option<Value> {
    if fields.get(key).is_some_and(expected) { fields.shift_remove(key) } else { None }
}

fn take_text(fields: &mut Map, key: &str) -> Option<String> {
    match take(fields, key, Value::is_string) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn text(fields: &mut Map, key: &str) -> String {
    take_text(fields, key).unwrap_or_default()
}

fn object(fields: &mut Map, key: &str) -> Option<Map> {
    match take(fields, key, Value::is_object) {
        Some(Value::Object(object)) => Some(object),
        _ => None,
    }
}
