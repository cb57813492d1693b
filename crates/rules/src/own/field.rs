//! Fields of an event by the agent's own names for them.

use std::borrow::Cow;

use hookgate_agents::{Body, Event, Value};

/// A field as a text; `None` where the event does not carry it. Numbers and booleans are as in JSON.
pub(super) fn value<'e>(event: &'e Event, name: &str) -> Option<Cow<'e, str>> {
    let common = match name {
        "session_id" => Some(&event.session_id),
        "transcript_path" => Some(&event.transcript_path),
        "cwd" => Some(&event.cwd),
        "agent_id" => event.agent_id.as_ref(),
        "agent_type" => event.agent_type.as_ref(),
        _ => None,
    };
    if let Some(text) = common {
        return Some(Cow::Borrowed(text));
    }
    particular(&event.body, name).or_else(|| event.rest.get(name).and_then(plain))
}

fn plain(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Bool(_) | Value::Number(_) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

fn yes(value: bool) -> Option<Cow<'static, str>> {
    Some(Cow::Borrowed(if value { "true" } else { "false" }))
}

#[expect(clippy::match_same_arms, reason = "one line for each field of the protocol")]
fn particular<'e>(body: &'e Body, name: &str) -> Option<Cow<'e, str>> {
    let text: &String = match (body, name) {
        (Body::ToolFailure { error, .. } | Body::StopFailure { error, .. }, "error") => error,
        (Body::ToolFailure { interrupted, .. }, "is_interrupt") => return yes(*interrupted),
        (Body::PermissionDenied { reason, .. } | Body::SessionEnd { reason }, "reason") => reason,
        (Body::Notification { message, .. } | Body::Elicitation { message, .. }, "message") => message,
        (Body::Notification { title, .. }, "title") => title.as_ref()?,
        (Body::Notification { kind, .. }, "notification_type") => kind,
        (Body::Prompt { prompt, .. } | Body::PromptExpansion { prompt, .. }, "prompt") => prompt,
        (Body::Prompt { session_title, .. } | Body::SessionStart { session_title, .. }, "session_title") => {
            session_title.as_ref()?
        }
        (Body::Prompt { source, .. }, "source") => source.as_ref()?,
        (Body::PromptExpansion { kind, .. }, "expansion_type") => kind,
        (Body::PromptExpansion { command, .. }, "command_name") => command,
        (Body::PromptExpansion { arguments, .. }, "command_args") => arguments,
        (Body::PromptExpansion { source, .. }, "command_source") => source.as_ref()?,
        (
            Body::SessionStart { source, .. }
            | Body::ModelSwitch { source, .. }
            | Body::ConfigChange { source, .. }
            | Body::DirectoryAdded { source, .. },
            "source",
        ) => source,
        (Body::SessionStart { model, .. }, "model") => model.as_ref()?,
        (
            Body::Setup { trigger } | Body::PreCompact { trigger, .. } | Body::PostCompact { trigger, .. },
            "trigger",
        ) => trigger,
        (Body::Stop { stop_hook_active, .. }, "stop_hook_active") => return yes(*stop_hook_active),
        (Body::Stop { agent_transcript_path, .. }, "agent_transcript_path") => {
            agent_transcript_path.as_ref()?
        }
        (
            Body::Stop { last_assistant_message, .. } | Body::StopFailure { last_assistant_message, .. },
            "last_assistant_message",
        ) => last_assistant_message.as_ref()?,
        (Body::StopFailure { details, .. }, "error_details") => details.as_ref()?,
        (Body::PreCompact { custom_instructions, .. }, "custom_instructions") => {
            custom_instructions.as_ref()?
        }
        (Body::PostCompact { summary, .. }, "compact_summary") => summary,
        (Body::ModelSwitch { from, .. }, "from_model") => from,
        (Body::ModelSwitch { to, .. }, "to_model") => to,
        (Body::ModelSwitch { requested, .. }, "requested_model") => requested.as_ref()?,
        (Body::ModelSwitch { cache_ttl, .. }, "cache_ttl") => cache_ttl.as_ref()?,
        (Body::ModelSwitch { pricing, .. }, "pricing") => pricing.as_ref()?,
        (Body::TeammateIdle { teammate, .. }, "teammate_name") => teammate,
        (Body::Task { teammate, .. }, "teammate_name") => teammate.as_ref()?,
        (Body::TeammateIdle { team, .. } | Body::Task { team, .. }, "team_name") => team.as_ref()?,
        (Body::Task { id, .. }, "task_id") => id,
        (Body::Task { subject, .. }, "task_subject") => subject,
        (Body::Task { description, .. }, "task_description") => description.as_ref()?,
        (Body::Elicitation { server, .. } | Body::ElicitationResult { server, .. }, "mcp_server_name") => {
            server
        }
        (Body::Elicitation { mode, .. } | Body::ElicitationResult { mode, .. }, "mode") => mode.as_ref()?,
        (Body::Elicitation { url, .. }, "url") => url.as_ref()?,
        (Body::Elicitation { id, .. } | Body::ElicitationResult { id, .. }, "elicitation_id") => {
            id.as_ref()?
        }
        (Body::ElicitationResult { action, .. }, "action") => action,
        (Body::ConfigChange { file_path, .. }, "file_path") => file_path.as_ref()?,
        (Body::InstructionsLoaded { file_path, .. }, "file_path") => file_path,
        (Body::InstructionsLoaded { memory_type, .. }, "memory_type") => memory_type,
        (Body::InstructionsLoaded { load_reason, .. }, "load_reason") => load_reason,
        (Body::InstructionsLoaded { trigger_file_path, .. }, "trigger_file_path") => {
            trigger_file_path.as_ref()?
        }
        (Body::InstructionsLoaded { parent_file_path, .. }, "parent_file_path") => {
            parent_file_path.as_ref()?
        }
        (Body::WorktreeCreate { name }, "name") => name,
        (Body::WorktreeRemove { path }, "worktree_path") => path,
        (Body::CwdChanged { old, .. }, "old_cwd") => old,
        (Body::CwdChanged { new, .. }, "new_cwd") => new,
        (Body::FileChanged { path, .. }, "file_path") => path,
        (Body::FileChanged { change, .. }, "event") => change,
        (Body::DirectoryAdded { directory, .. }, "directory") => directory,
        (Body::MessageDisplay { delta, .. }, "delta") => delta,
        (Body::MessageDisplay { is_final, .. }, "final") => return yes(*is_final),
        _ => return None,
    };
    Some(Cow::Borrowed(text))
}
