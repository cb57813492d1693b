//! stdin bytes to an [`Event`].

use crate::{Agent, Body, Event, EventName, Map, PermissionMode, PermissionUpdate, ToolCall, Value};

use super::repair::repair;

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
    /// The object does not say which event it is, and the hook's settings don't either.
    NoEventName,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => formatter.write_str("the agent sent an empty event"),
            Self::NotJson(error) => write!(formatter, "the agent sent an event that can't be read: {error}"),
            Self::NotAnObject => formatter.write_str("the agent sent an event that is not a JSON object"),
            Self::NoEventName => formatter
                .write_str("the agent sent an event without `hook_event_name`; pass `--event NAME` in the hook's settings"),
        }
    }
}

impl std::error::Error for Problem {}

/// Reads an event.
///
/// `hint` is the event's name as the hook's settings give it (`--event`); the event's own name wins
/// over it, except in bytes that can't be read. A BOM, invalid UTF-8, half surrogate pairs, NUL bytes
/// and raw control characters are repaired; of equal keys the last counts; a field of an unexpected type
/// is left in [`Event::rest`]. More than one document is not an event: nobody can say which one counts.
#[must_use]
pub fn decode(bytes: &[u8], hint: Option<&str>) -> Decoded {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let hint = hint.filter(|hint| !hint.is_empty());
    let value = serde_json::from_slice(bytes).or_else(|_| serde_json::from_slice::<Value>(&repair(bytes)));
    let problem = match value {
        Ok(Value::Object(mut fields)) => {
            let name = take_text(&mut fields, "hook_event_name").filter(|name| !name.is_empty());
            match name.as_deref().or(hint) {
                Some(name) => return Decoded::Event(event(EventName::from(name), fields)),
                None => Problem::NoEventName,
            }
        }
        Ok(_) => Problem::NotAnObject,
        Err(_) if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) => Problem::Empty,
        Err(error) => Problem::NotJson(error.to_string()),
    };
    Decoded::Unreadable { name: hint.map(EventName::from).or_else(|| find_name(bytes)), problem }
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

fn event(name: EventName, mut fields: Map) -> Event {
    let fields_mut = &mut fields;
    let body = body(&name, fields_mut);
    Event {
        agent: Agent::ClaudeCode,
        name,
        session_id: text(fields_mut, "session_id"),
        transcript_path: text(fields_mut, "transcript_path"),
        cwd: text(fields_mut, "cwd"),
        permission_mode: take_text(fields_mut, "permission_mode")
            .map(|mode| PermissionMode::from(mode.as_str())),
        agent_id: take_text(fields_mut, "agent_id"),
        agent_type: take_text(fields_mut, "agent_type"),
        body,
        rest: fields,
    }
}

fn body(name: &EventName, fields: &mut Map) -> Body {
    match name {
        EventName::PreToolUse => Body::Tool(call(fields)),
        EventName::PermissionRequest => Body::PermissionRequest {
            call: call(fields),
            suggestions: list(fields, "permission_suggestions")
                .iter()
                .filter_map(|suggestion| PermissionUpdate::from_value(suggestion).ok())
                .collect(),
        },
        EventName::PostToolUse => Body::ToolResult {
            call: call(fields),
            response: fields.shift_remove("tool_response").unwrap_or_default(),
            duration: number(fields, "duration_ms"),
        },
        EventName::PostToolUseFailure => Body::ToolFailure {
            call: call(fields),
            error: text(fields, "error"),
            interrupted: flag(fields, "is_interrupt").unwrap_or_default(),
            duration: number(fields, "duration_ms"),
        },
        EventName::PermissionDenied => {
            Body::PermissionDenied { call: call(fields), reason: text(fields, "reason") }
        }
        EventName::PostToolBatch => Body::ToolBatch(
            list(fields, "tool_calls")
                .into_iter()
                .filter_map(|value| match value {
                    Value::Object(mut fields) => {
                        Some((call(&mut fields), fields.shift_remove("tool_response")))
                    }
                    _ => None,
                })
                .collect(),
        ),
        EventName::UserPromptSubmit => Body::Prompt {
            prompt: text(fields, "prompt"),
            session_title: take_text(fields, "session_title"),
            source: take_text(fields, "source"),
        },
        EventName::UserPromptExpansion => Body::PromptExpansion {
            kind: text(fields, "expansion_type"),
            command: text(fields, "command_name"),
            arguments: text(fields, "command_args"),
            source: take_text(fields, "command_source"),
            prompt: text(fields, "prompt"),
        },
        EventName::Stop | EventName::SubagentStop => Body::Stop {
            stop_hook_active: flag(fields, "stop_hook_active").unwrap_or_default(),
            last_assistant_message: take_text(fields, "last_assistant_message"),
            background_tasks: list(fields, "background_tasks"),
            session_crons: list(fields, "session_crons"),
            agent_transcript_path: take_text(fields, "agent_transcript_path"),
        },
        _ => session_body(name, fields),
    }
}

/// The bodies of the events that are about the session rather than about what the agent does.
fn session_body(name: &EventName, fields: &mut Map) -> Body {
    match name {
        EventName::Notification => Body::Notification {
            message: text(fields, "message"),
            title: take_text(fields, "title"),
            kind: text(fields, "notification_type"),
        },
        EventName::SessionStart => Body::SessionStart {
            source: text(fields, "source"),
            model: take_text(fields, "model"),
            session_title: take_text(fields, "session_title"),
            seconds_since_last_response: number(fields, "seconds_since_last_response"),
            context_tokens: number(fields, "context_tokens"),
            prompt_cache_likely_expired: flag(fields, "prompt_cache_likely_expired"),
            estimated_cache_write_usd: number(fields, "estimated_cache_write_usd"),
        },
        EventName::SessionEnd => Body::SessionEnd { reason: text(fields, "reason") },
        EventName::Setup => Body::Setup { trigger: text(fields, "trigger") },
        EventName::StopFailure => Body::StopFailure {
            error: text(fields, "error"),
            details: take_text(fields, "error_details"),
            last_assistant_message: take_text(fields, "last_assistant_message"),
        },
        EventName::PreCompact => Body::PreCompact {
            trigger: text(fields, "trigger"),
            custom_instructions: take_text(fields, "custom_instructions"),
        },
        EventName::PostCompact => {
            Body::PostCompact { trigger: text(fields, "trigger"), summary: text(fields, "compact_summary") }
        }
        EventName::PreModelSwitch | EventName::PostModelSwitch => Body::ModelSwitch {
            from: text(fields, "from_model"),
            to: text(fields, "to_model"),
            requested: take_text(fields, "requested_model"),
            source: text(fields, "source"),
            context_tokens: number(fields, "context_tokens"),
            prompt_cache_warm: flag(fields, "prompt_cache_warm"),
            cache_ttl: take_text(fields, "cache_ttl"),
            estimated_cache_write_usd: number(fields, "estimated_cache_write_usd"),
            pricing: take_text(fields, "pricing"),
        },
        EventName::TeammateIdle => Body::TeammateIdle {
            teammate: text(fields, "teammate_name"),
            team: take_text(fields, "team_name"),
        },
        EventName::TaskCreated | EventName::TaskCompleted => Body::Task {
            id: text(fields, "task_id"),
            subject: text(fields, "task_subject"),
            description: take_text(fields, "task_description"),
            teammate: take_text(fields, "teammate_name"),
            team: take_text(fields, "team_name"),
        },
        EventName::Elicitation => Body::Elicitation {
            server: text(fields, "mcp_server_name"),
            message: text(fields, "message"),
            mode: take_text(fields, "mode"),
            url: take_text(fields, "url"),
            id: take_text(fields, "elicitation_id"),
            requested_schema: object(fields, "requested_schema"),
        },
        EventName::ElicitationResult => Body::ElicitationResult {
            server: text(fields, "mcp_server_name"),
            id: take_text(fields, "elicitation_id"),
            mode: take_text(fields, "mode"),
            action: text(fields, "action"),
            content: object(fields, "content"),
        },
        _ => workspace_body(name, fields),
    }
}

/// The bodies of the events that are about files, directories and the screen.
fn workspace_body(name: &EventName, fields: &mut Map) -> Body {
    match name {
        EventName::ConfigChange => {
            Body::ConfigChange { source: text(fields, "source"), file_path: take_text(fields, "file_path") }
        }
        EventName::InstructionsLoaded => Body::InstructionsLoaded {
            file_path: text(fields, "file_path"),
            memory_type: text(fields, "memory_type"),
            load_reason: text(fields, "load_reason"),
            globs: list(fields, "globs")
                .into_iter()
                .filter_map(|glob| match glob {
                    Value::String(glob) => Some(glob),
                    _ => None,
                })
                .collect(),
            trigger_file_path: take_text(fields, "trigger_file_path"),
            parent_file_path: take_text(fields, "parent_file_path"),
        },
        EventName::WorktreeCreate => Body::WorktreeCreate { name: text(fields, "name") },
        EventName::WorktreeRemove => Body::WorktreeRemove { path: text(fields, "worktree_path") },
        EventName::CwdChanged => {
            Body::CwdChanged { old: text(fields, "old_cwd"), new: text(fields, "new_cwd") }
        }
        EventName::FileChanged => {
            Body::FileChanged { path: text(fields, "file_path"), change: text(fields, "event") }
        }
        EventName::DirectoryAdded => {
            Body::DirectoryAdded { directory: text(fields, "directory"), source: text(fields, "source") }
        }
        EventName::MessageDisplay => Body::MessageDisplay {
            turn_id: text(fields, "turn_id"),
            message_id: text(fields, "message_id"),
            index: take(fields, "index", Value::is_u64).and_then(|index| index.as_u64()).unwrap_or_default(),
            is_final: flag(fields, "final").unwrap_or_default(),
            delta: text(fields, "delta"),
        },
        _ => Body::Other,
    }
}

fn call(fields: &mut Map) -> ToolCall {
    ToolCall {
        name: text(fields, "tool_name"),
        input: object(fields, "tool_input").unwrap_or_default(),
        id: take_text(fields, "tool_use_id"),
        mcp_server: object(fields, "mcp_server")
            .map(|mut server| (text(&mut server, "name"), text(&mut server, "source"))),
    }
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

fn list(fields: &mut Map, key: &str) -> Vec<Value> {
    match take(fields, key, Value::is_array) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

fn flag(fields: &mut Map, key: &str) -> Option<bool> {
    take(fields, key, Value::is_boolean).and_then(|value| value.as_bool())
}

fn number(fields: &mut Map, key: &str) -> Option<f64> {
    take(fields, key, Value::is_number).and_then(|value| value.as_f64())
}
