//! Tool calls that are no shell text.

use crate::context::Context;
use crate::effect::{Kind, Target, Unknown};
use crate::field::Field;
use crate::interpreter;
use hookgate_agents::{ToolCall, Value};
use hookgate_shell::Span;

/// Tools of the agents that do nothing outside of the agent itself.
const HARMLESS: &[&str] = &[
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TaskStop",
    "TaskOutput",
    "ToolSearch",
    "Skill",
    "SlashCommand",
    "BashOutput",
    "KillShell",
    "KillBash",
    "EnterPlanMode",
    "ListMcpResourcesTool",
    "ListMcpResources",
    "LSP",
    "StructuredOutput",
    "SendUserMessage",
    "SendUserFile",
    "Brief",
    "Config",
    "Sleep",
    "AgentOutputTool",
    "TeamCreate",
    "TeamDelete",
    "SendMessage",
    "update_plan",
    "write_todos",
    "save_memory",
];

/// Tools with which the agent asks the person. Answering for the person is never harmless, so these have an unknown
/// that no allow covers.
const PERSONAL: &[&str] =
    &["AskUserQuestion", "ExitPlanMode", "ask_user", "exit_plan_mode", "request_user_input"];

/// The effects of a tool call.
pub(crate) fn tool_call(context: &mut Context<'_>, call: &ToolCall) {
    match call.name.as_str() {
        "Bash" | "Monitor" | "bash" | "shell" | "run_shell_command" | "local_shell" | "exec_command" => {
            match command_text(call) {
                Some(command) => interpreter::analyse(context, &command),
                None => context.unknown(Unknown::Unparsed, Span::default()),
            }
        }
        "PowerShell" => match call.text("command") {
            Some(text) => interpreter::analyse_powershell(context, text),
            None => context.unknown(Unknown::Unparsed, Span::default()),
        },
        "Write" | "write_file" | "create_file" => path(context, call, &[Kind::Write]),
        "Edit" | "MultiEdit" | "NotebookEdit" | "replace" | "apply_patch_file" | "str_replace_editor" => {
            path(context, call, &[Kind::Read, Kind::Write]);
        }
        "apply_patch" => patch(context, call),
        "Read" | "NotebookRead" | "read_file" | "view" | "LS" | "list_directory" => {
            path(context, call, &[Kind::Read]);
        }
        "Glob" | "Grep" | "glob" | "search_file_content" | "grep" => search(context, call),
        "WebFetch" | "web_fetch" => {
            let url = Field::of(call.text("url").unwrap_or_default(), Span::default());
            context.host(Kind::Download, &url);
        }
        "WebSearch" | "google_web_search" | "ReadMcpResourceTool" | "ReadMcpResource" => {
            context.effect(Kind::RemoteRead);
        }
        "Task" | "Agent" => context.effect(Kind::Agent),
        "EnterWorktree" | "ExitWorktree" => context.effect(Kind::GitChange),
        "CronCreate" | "ScheduleWakeup" | "RemoteTrigger" => context.effect(Kind::Schedule),
        "CronDelete" | "CronList" => {}
        name if HARMLESS.contains(&name) => {}
        name if PERSONAL.contains(&name) => {
            context.unknown_about(Unknown::Program, Some(Target::Name(name.to_owned())), Span::default());
            context.annotate("only a person can answer");
        }
        name => match name.strip_prefix("mcp__") {
            Some(rest) => foreign_tool(context, call, rest.split_once("__").map_or(rest, |(_, tool)| tool)),
            None => {
                context.unknown_about(Unknown::Program, Some(Target::Name(name.to_owned())), Span::default());
            }
        },
    }
}

/// The command of a shell tool: one text, or a list of words.
fn command_text(call: &ToolCall) -> Option<String> {
    match call.input.get("command").or_else(|| call.input.get("cmd"))? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            let words = words?;
            if let [shell, "-c" | "-lc", text] = words.as_slice()
                && matches!(crate::paths::file_name(shell), "bash" | "sh" | "zsh")
            {
                return Some((*text).to_owned());
            }
            Some(words.iter().map(|word| interpreter::quoted(word)).collect::<Vec<_>>().join(" "))
        }
        _ => None,
    }
}

/// The keys under which tools name a path.
const PATH_KEYS: &[&str] = &[
    "file_path",
    "path",
    "notebook_path",
    "filePath",
    "absolute_path",
    "filepath",
    "file",
    "filename",
    "uri",
    "directory",
    "dir",
];

fn path(context: &mut Context<'_>, call: &ToolCall, kinds: &[Kind]) {
    let Some(text) = PATH_KEYS.iter().find_map(|key| call.text(key)) else {
        // A listing without a directory is of the working directory.
        if kinds == [Kind::Read] {
            context.path_text(Kind::Read, ".", false);
        } else {
            context.unknown(Unknown::Target, Span::default());
        }
        return;
    };
    let field = path_field(context, text);
    for kind in kinds {
        context.path(*kind, &field);
    }
}

/// A path as a tool takes it: `~` and `file://` are understood, globs are plain letters.
fn path_field(context: &Context<'_>, text: &str) -> Field {
    let text = text.strip_prefix("file://").unwrap_or(text);
    match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Field::of(format!("{}{rest}", context.places().home), Span::default())
        }
        _ => Field::of(text, Span::default()),
    }
}

/// Glob and Grep: a directory with a pattern, each file that matches is read or named.
fn search(context: &mut Context<'_>, call: &ToolCall) {
    let base = call.text("path").unwrap_or(".");
    let base = path_field(context, base);
    let glob =
        if matches!(call.name.as_str(), "Glob" | "glob") { call.text("pattern") } else { call.text("glob") };
    match glob {
        Some(glob) if glob.starts_with('/') || glob.starts_with('~') => {
            let mut field = path_field(context, glob);
            field.pattern = true;
            context.path(Kind::Read, &field);
        }
        Some(glob) => {
            let mut field = Field::of(format!("{}/{glob}", base.shown()), Span::default());
            field.pattern = true;
            context.path(Kind::Read, &field);
        }
        None => context.tree(Kind::Read, &base),
    }
}

/// The files that a patch names.
fn patch(context: &mut Context<'_>, call: &ToolCall) {
    let text = ["input", "patch", "command"].iter().find_map(|key| call.text(key)).unwrap_or_default();
    let mut found = false;
    for line in text.lines() {
        let named = [
            ("*** Add File: ", Kind::Write),
            ("*** Update File: ", Kind::Write),
            ("*** Delete File: ", Kind::Delete),
            ("*** Move to: ", Kind::Write),
        ];
        if let Some((name, kind)) =
            named.iter().find_map(|(mark, kind)| Some((line.strip_prefix(mark)?, *kind)))
        {
            let field = path_field(context, name.trim());
            context.path(kind, &field);
            found = true;
        }
    }
    if !found {
        context.unknown(Unknown::Unparsed, Span::default());
    }
}

/// A tool of an MCP server: judged by the verb in its name where it works on files, else unknown.
fn foreign_tool(context: &mut Context<'_>, call: &ToolCall, tool: &str) {
    let words: Vec<String> = words_of(tool);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let on_files = has(&["file", "files", "directory", "directories", "folder", "notebook", "dir", "tree"]);
    let keys = [
        "path",
        "paths",
        "file_path",
        "filePath",
        "source",
        "destination",
        "files",
        "relative_path",
        "from",
        "to",
    ];
    let named: Vec<(&str, String)> = keys
        .iter()
        .filter_map(|key| Some((*key, call.input.get(*key)?)))
        .flat_map(|(key, value)| {
            let texts: Vec<String> = match value {
                Value::String(text) => vec![text.clone()],
                Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            texts.into_iter().map(move |text| (key, text))
        })
        .collect();
    if on_files && !named.is_empty() {
        let kinds: Option<&[Kind]> = if has(&["delete", "remove", "rm", "unlink"]) {
            Some(&[Kind::Delete])
        } else if has(&["move", "rename"]) {
            Some(&[Kind::Move])
        } else if has(&["edit", "replace", "patch", "insert", "update", "modify"]) {
            Some(&[Kind::Read, Kind::Write])
        } else if has(&["write", "create", "append", "save", "make"]) {
            Some(&[Kind::Write])
        } else if has(&["copy", "read", "list", "get", "search", "find", "view", "info", "stat", "tree"]) {
            Some(&[Kind::Read])
        } else {
            None
        };
        if let Some(kinds) = kinds {
            for (key, text) in &named {
                let field = path_field(context, text);
                let kinds = if matches!(*key, "destination" | "to") { &[Kind::Write] } else { kinds };
                for kind in kinds {
                    if *kind == Kind::Delete {
                        context.tree(*kind, &field);
                    } else {
                        context.path(*kind, &field);
                    }
                }
            }
            return;
        }
    }
    let command = call.text("command").or_else(|| call.text("cmd"));
    if let Some(command) =
        command.filter(|_| has(&["bash", "shell", "command", "terminal", "exec", "execute", "run"]))
    {
        interpreter::analyse(context, command);
        return;
    }
    context.unknown_about(Unknown::Program, Some(Target::Name(call.name.clone())), Span::default());
}

/// The words of a name in any of the usual styles.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if !character.is_alphanumeric() || character.is_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    words
}
