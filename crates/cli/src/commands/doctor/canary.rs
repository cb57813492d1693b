//! A live proof: the very command of the settings is given an event that it must refuse.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Finding;
use crate::environment::Environment;
use crate::recording::CANARY_SESSION;
use hookgate_clients::Registration;

/// A start that takes longer than this is worth a word: the gate itself needs a millisecond or two.
const SLOW: Duration = Duration::from_millis(50);

/// Runs the registered command on a call that every policy in force refuses (loosening the gate), and looks at the answer
/// as the agent would.
pub(super) fn examine(environment: &Environment, registration: &Registration) -> Vec<Finding> {
    let mut findings = Vec::new();
    let command = &registration.command;
    match version(command) {
        None => {
            findings.push(Finding::problem(
                "binary",
                format!("`{command}` can't be started"),
                "run `hookgate init` with the hookgate that you use now",
            ));
            return findings;
        }
        Some(version) if version != env!("CARGO_PKG_VERSION") => findings.push(Finding::note(
            "binary",
            format!("`{command}` is version {version}, this is {}", env!("CARGO_PKG_VERSION")),
            "run `hookgate init` with the one that you want",
        )),
        Some(version) => {
            findings.push(Finding::good("binary", format!("`{command}` is version {version}")));
        }
    }
    findings.extend(others(command));
    let event = json!({
        "session_id": CANARY_SESSION,
        "transcript_path": "",
        "cwd": environment.cwd,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": { "command": "hookgate pause --for 10m" },
        "tool_use_id": "toolu_hookgate_doctor",
    });
    let start = Instant::now();
    let answer = answer(command, &registration.arguments, &event, environment);
    let taken = start.elapsed();
    findings.push(match answer {
        Err(problem) => {
            Finding::problem("canary", problem, "run `hookgate init`, and report it if that doesn't help")
        }
        Ok(answer) if is_denial(&answer) => Finding::good(
            "canary",
            format!("denied a call that would loosen hookgate, in {} ms", taken.as_millis()),
        ),
        Ok(answer) => Finding::problem(
            "canary",
            format!("hookgate gave no denial for `hookgate pause`{}", instead(&answer)),
            "check that GATE003 is on (`hookgate rule GATE003`) and that the settings run this program",
        ),
    });
    if taken > SLOW {
        findings.push(Finding::note(
            "start",
            format!("the hook took {} ms from start to answer", taken.as_millis()),
            "check for a slow disk, a virus scanner or a debug build",
        ));
    }
    findings
}

/// Other programs of the name on `PATH`: whoever types it gets one that the agent doesn't run.
fn others(command: &str) -> Option<Finding> {
    let own = named(command)?;
    let folders = std::env::var_os("PATH")?;
    let programs = std::env::split_paths(&folders).map(|folder| folder.join("hookgate"));
    let other = programs
        .filter(|path| path.is_file())
        .find(|path| path.canonicalize().is_ok_and(|path| path != own))?;
    let which = version(other.to_str()?)
        .map_or_else(|| "which can't be started".to_owned(), |text| format!("version {text}"));
    let text = format!("another hookgate is on PATH: {}, {which}", other.display());
    Some(Finding::note(
        "binary",
        text,
        "remove one of them, or run `hookgate init` with the one that you want",
    ))
}

/// The file that a command is.
fn named(command: &str) -> Option<PathBuf> {
    let path = PathBuf::from(command);
    let found = if path.is_absolute() {
        path
    } else {
        PathBuf::from(hookgate_host::find_program(command, &std::env::var("PATH").ok()?)?.path)
    };
    found.canonicalize().ok()
}

/// What it answered instead, where it said anything.
fn instead(answer: &Value) -> String {
    if answer.is_null() { String::new() } else { format!(": {answer}") }
}

fn is_denial(answer: &Value) -> bool {
    answer.pointer("/hookSpecificOutput/permissionDecision").and_then(Value::as_str) == Some("deny")
}

fn version(command: &str) -> Option<String> {
    let text = crate::versions::printed(command)?;
    text.trim().strip_prefix("hookgate ").map(str::to_owned)
}

fn answer(
    command: &str,
    arguments: &[String],
    event: &Value,
    environment: &Environment,
) -> Result<Value, String> {
    let mut child = Command::new(command)
        .args(arguments)
        .current_dir(&environment.cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("`{command}` can't be started: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that doesn't read its input shows in its answer.
        let _ = writeln!(stdin, "{event}");
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("`{command}` exited with {}", output.status));
    }
    if output.stdout.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("the answer is not JSON: {error}"))
}
