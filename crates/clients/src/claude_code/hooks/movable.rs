//! Which hooks of an agent's settings can be supervised, and as what.

use hookgate_agents::EventName;
use hookgate_policy::HookProgram;
use hookgate_policy::imported::{ImportEntry, ImportHook, ImportedHook, list};
use serde_json::{Map, Value};

use super::questions::question;
use crate::Handler;

/// What the client does after this long without a `timeout`, in milliseconds.
const DEFAULT_TIMEOUT: u64 = 600_000;
/// The most that a policy takes.
const LONGEST: u64 = 600_000;
/// Fields of a command handler that are kept or have no effect.
const FIELDS: &[&str] = &[
    "type",
    "command",
    "args",
    "shell",
    "timeout",
    "onFailure",
    "statusMessage",
    "once",
    "async",
    "asyncRewake",
];
/// Names of tools that the client takes for others.
const ALIASES: &[(&str, &str)] = &[
    ("Task", "Agent"),
    ("KillShell", "TaskStop"),
    ("KillBash", "TaskStop"),
    ("ListPeers", "ListAgents"),
    ("Brief", "SendUserMessage"),
    ("ListMcpResources", "ListMcpResourcesTool"),
    ("ReadMcpResource", "ReadMcpResourceTool"),
    ("ReadMcpResourceDir", "ReadMcpResourceDirTool"),
    ("ProposeGoal", "SetGoal"),
];

/// The policy's entry for a handler of these settings, or why it has to stay.
pub(crate) fn entry(handler: &Handler, settings: &str) -> Result<ImportEntry, String> {
    let fields = handler.value.as_object().ok_or("not a handler")?;
    let event = EventName::ALL
        .iter()
        .find(|event| event.as_str() == handler.event)
        .ok_or_else(|| format!("unknown event `{}`", handler.event))?;
    match event {
        EventName::WorktreeCreate => return Err("it prints the worktree's path".to_owned()),
        EventName::FileChanged if handler.matcher.is_some() => {
            return Err("its matcher also names the watched files".to_owned());
        }
        _ => {}
    }
    if matches!(fields.get("type").and_then(Value::as_str), Some("prompt" | "agent")) {
        return question(handler, event, fields, settings).map(ImportEntry::Question);
    }
    let run = program(fields)?;
    if let Some(unknown) = fields.keys().find(|key| !FIELDS.contains(&key.as_str())) {
        return Err(match unknown.as_str() {
            "if" => "its `if` uses the client's own rule syntax".to_owned(),
            other => format!("unknown field `{other}`"),
        });
    }
    let matcher = handler.matcher.as_deref().unwrap_or("");
    Ok(ImportEntry::Hook(ImportHook {
        from: ImportedHook::of(settings, &handler.event, handler.matcher.as_deref(), &handler.value),
        when: condition(event, matcher)?,
        run,
        deadline: deadline(usual_deadline(event), fields)?,
        on_error: if fields.get("onFailure").and_then(Value::as_str) == Some("block") {
            "deny"
        } else {
            "notice"
        },
    }))
}

fn program(fields: &Map<String, Value>) -> Result<HookProgram, String> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    match text("type") {
        Some("command") => {}
        Some("http") => return Err("it calls a server, but a policy's hooks are programs".to_owned()),
        Some("mcp_tool") => return Err("it asks an MCP server, which only the agent can reach".to_owned()),
        _ => return Err("unknown type".to_owned()),
    }
    let is_set = |key: &str| fields.get(key).is_some_and(|value| value == &Value::Bool(true));
    if is_set("async") || is_set("asyncRewake") {
        return Err("it runs in the background, but hookgate waits for supervised hooks".to_owned());
    }
    let command = text("command").filter(|command| !command.trim().is_empty()).ok_or("it has no command")?;
    if let Some(arguments) = fields.get("args") {
        let arguments = arguments.as_array().ok_or("its `args` aren't a list")?;
        let words = std::iter::once(Some(command)).chain(arguments.iter().map(Value::as_str));
        let words: Option<Vec<String>> = words.map(|word| word.map(str::to_owned)).collect();
        return words.map(HookProgram::Arguments).ok_or_else(|| "its `args` aren't all strings".to_owned());
    }
    match text("shell") {
        None => Ok(HookProgram::Shell(command.to_owned())),
        Some("bash") => Ok(HookProgram::Arguments(["bash", "-c", command].map(str::to_owned).to_vec())),
        Some(other) => Err(format!("it runs in `{other}`")),
    }
}

/// How long the client waits for a program that names no time, in milliseconds.
fn usual_deadline(event: &EventName) -> u64 {
    match event {
        EventName::UserPromptSubmit | EventName::PreModelSwitch | EventName::PostModelSwitch => 30_000,
        EventName::MessageDisplay => 10_000,
        EventName::SessionEnd => 1_500,
        _ => DEFAULT_TIMEOUT,
    }
}

/// The handler's time limit in milliseconds, or the usual one.
pub(super) fn deadline(usual: u64, fields: &Map<String, Value>) -> Result<u64, String> {
    let Some(timeout) = fields.get("timeout") else { return Ok(usual) };
    let seconds = timeout.as_f64().filter(|seconds| *seconds > 0.0).ok_or("its timeout isn't a number")?;
    if seconds * 1000.0 > 600_000.0 {
        return Err(format!("its timeout is longer than {} minutes", LONGEST / 60_000));
    }
    // Bounded above, and a fraction of a millisecond is nobody's wish.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 600,000")]
    let millis = (seconds * 1000.0).round() as u64;
    Ok(millis.max(1))
}

/// The condition that says what the matcher says.
pub(super) fn condition(event: &EventName, matcher: &str) -> Result<Option<String>, String> {
    let field = match event {
        EventName::PreToolUse
        | EventName::PostToolUse
        | EventName::PostToolUseFailure
        | EventName::PermissionRequest
        | EventName::PermissionDenied => "tool",
        EventName::Notification => "notification_type",
        EventName::UserPromptExpansion => "command_name",
        EventName::SessionStart | EventName::ConfigChange | EventName::DirectoryAdded => "source",
        EventName::SessionEnd => "reason",
        EventName::StopFailure => "error",
        EventName::SubagentStart | EventName::SubagentStop => "agent_type",
        EventName::PreCompact | EventName::PostCompact | EventName::Setup => "trigger",
        EventName::Elicitation | EventName::ElicitationResult => "mcp_server_name",
        EventName::InstructionsLoaded => "load_reason",
        EventName::PreModelSwitch | EventName::PostModelSwitch if !is_everything(matcher) => {
            return Err("its matcher is a model's name in the client's own spelling".to_owned());
        }
        // These have nothing to match, and the client looks at no matcher.
        _ => return Ok(None),
    };
    if is_everything(matcher) {
        return Ok(None);
    }
    let mut globs = globs(event, matcher)
        .ok_or_else(|| format!("its matcher `{matcher}` is a regular expression that no glob can express"))?;
    if field != "tool" {
        return Ok(Some(format!("{{ field = {{ {field} = {} }} }}", list(&globs))));
    }
    for glob in &mut globs {
        if let Some((_, name)) = ALIASES.iter().find(|(alias, _)| alias == glob) {
            (*name).clone_into(glob);
        }
    }
    // The client runs what matches `Bash` for commands that are monitored too.
    if globs.iter().any(|glob| glob == "Bash") && !globs.iter().any(|glob| glob == "Monitor") {
        globs.push("Monitor".to_owned());
    }
    Ok(Some(format!("{{ tool = {} }}", list(&globs))))
}

fn is_everything(matcher: &str) -> bool {
    matches!(matcher, "" | "*" | ".*" | "^.*$")
}

/// The names or globs that a matcher stands for.
fn globs(event: &EventName, matcher: &str) -> Option<Vec<String>> {
    let is_narrow = matches!(event, EventName::StopFailure);
    let is_name =
        |c: char| c.is_ascii_alphanumeric() || c == '_' || (!is_narrow && matches!(c, ',' | ' ' | '-'));
    if matcher.chars().all(|c| c == '|' || is_name(c)) {
        let parts = matcher.split(|c| c == '|' || (!is_narrow && c == ','));
        return Some(parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect());
    }
    let whole = matcher.strip_prefix("^(").and_then(|rest| rest.strip_suffix(")$"));
    let alternatives = whole.unwrap_or(matcher).split('|');
    alternatives.map(|one| glob(one, whole.is_some())).collect()
}

/// One alternative of a regular expression that has no more than names, `.*` and anchors.
fn glob(alternative: &str, anchored: bool) -> Option<String> {
    let (rest, start) = match alternative.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (alternative, anchored),
    };
    let (rest, end) = match rest.strip_suffix('$') {
        Some(rest) => (rest, true),
        None => (rest, anchored),
    };
    let body = rest.replace(".*", "*");
    let plain = body.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*' | ' '));
    // A `*` that was none of `.*` repeats the character before it.
    let starred = body.matches('*').count() == rest.matches(".*").count();
    if !plain || !starred || rest.is_empty() {
        return None;
    }
    let (before, after) = (if start { "" } else { "*" }, if end { "" } else { "*" });
    Some(format!("{before}{body}{after}").replace("**", "*"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn moved(event: &str, matcher: Option<&str>, value: Value) -> Result<ImportHook, String> {
        let handler = Handler { event: event.to_owned(), matcher: matcher.map(str::to_owned), value };
        match entry(&handler, "/s.json")? {
            ImportEntry::Hook(hook) => Ok(hook),
            ImportEntry::Question(question) => panic!("a question: {question:?}"),
        }
    }

    fn when(event: &str, matcher: &str) -> Result<Option<String>, String> {
        moved(event, Some(matcher), json!({ "type": "command", "command": "x" })).map(|entry| entry.when)
    }

    #[test]
    fn matchers_become_conditions_that_say_the_same() {
        for (event, matcher, expected) in [
            ("PreToolUse", "", None),
            ("PreToolUse", ".*", None),
            ("PreToolUse", "Edit|Write", Some(r#"{ tool = ["Edit", "Write"] }"#)),
            ("PreToolUse", "Edit, Write", Some(r#"{ tool = ["Edit", "Write"] }"#)),
            ("PreToolUse", "Bash", Some(r#"{ tool = ["Bash", "Monitor"] }"#)),
            ("PreToolUse", "Task", Some(r#"{ tool = ["Agent"] }"#)),
            ("PreToolUse", "mcp__memory__.*", Some(r#"{ tool = ["*mcp__memory__*"] }"#)),
            (
                "PreToolUse",
                "^mcp__.*|Edit",
                Some(r#"{ tool = ["mcp__*", "Edit"] }"#).map(|_| r#"{ tool = ["mcp__*", "*Edit*"] }"#),
            ),
            ("PostToolUse", "^(Edit|Write)$", Some(r#"{ tool = ["Edit", "Write"] }"#)),
            ("SessionStart", "startup|resume", Some(r#"{ field = { source = ["startup", "resume"] } }"#)),
            (
                "Notification",
                "permission_prompt",
                Some(r#"{ field = { notification_type = ["permission_prompt"] } }"#),
            ),
            ("Stop", "anything (at|all)", None),
        ] {
            assert_eq!(when(event, matcher).unwrap().as_deref(), expected, "{event} {matcher}");
        }
        for matcher in ["(Edit|Write)x", "Notebook.+", "a*", "Edit\\b", "[EW]", "|^$"] {
            assert!(when("PreToolUse", matcher).is_err(), "{matcher}");
        }
    }

    #[test]
    fn what_cannot_be_supervised_stays_with_its_reason() {
        for (value, says) in [
            (json!({ "type": "http", "url": "http://h" }), "calls a server"),
            (json!({ "type": "mcp_tool", "server": "s", "tool": "t" }), "MCP server"),
            (json!({ "type": "command", "command": "x", "async": true }), "in the background"),
            (json!({ "type": "command", "command": "x", "asyncRewake": true }), "in the background"),
            (json!({ "type": "command", "command": "x", "if": "Bash(git *)" }), "`if`"),
            (json!({ "type": "command", "command": "x", "shell": "powershell" }), "runs in `powershell`"),
            (json!({ "type": "command", "command": "x", "timeout": 601 }), "10 minutes"),
            (json!({ "type": "command", "command": "x", "surprise": 1 }), "`surprise`"),
            (json!({ "type": "command", "command": " " }), "no command"),
        ] {
            let error = moved("PreToolUse", None, value.clone()).unwrap_err();
            assert!(error.contains(says), "{value}: {error}");
        }
        let command = json!({ "type": "command", "command": "x" });
        assert!(moved("WorktreeCreate", None, command.clone()).is_err());
        assert!(moved("FileChanged", Some(".env"), command.clone()).is_err());
        assert!(moved("Futures", None, command).is_err());
    }

    #[test]
    fn timeouts_forms_and_failures_are_kept() {
        let value = json!({ "type": "command", "command": "check", "args": ["-v"], "timeout": 1.5, "onFailure": "block" });
        let entry = moved("PreToolUse", None, value).unwrap();
        assert_eq!((entry.deadline, entry.on_error), (1_500, "deny"));
        assert_eq!(entry.run, HookProgram::Arguments(vec!["check".to_owned(), "-v".to_owned()]));
        let command = json!({ "type": "command", "command": "x" });
        for (event, expected) in
            [("PreToolUse", 600_000), ("UserPromptSubmit", 30_000), ("SessionEnd", 1_500)]
        {
            assert_eq!(moved(event, None, command.clone()).unwrap().deadline, expected);
        }
    }
}
