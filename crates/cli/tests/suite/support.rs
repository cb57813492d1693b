//! A home and a project of their own, and the binary run in them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

/// A clean machine for one test.
pub(crate) struct Ground {
    pub(crate) folder: tempfile::TempDir,
}

impl Ground {
    pub(crate) fn new() -> Ground {
        let ground = Ground { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(ground.home()).unwrap();
        fs::create_dir_all(ground.project().join(".git")).unwrap();
        fs::write(ground.project().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        ground
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("home/project")
    }

    pub(crate) fn audit(&self) -> PathBuf {
        self.home().join(".local/state/hookgate/audit.jsonl")
    }

    /// Puts the user's policy in place.
    pub(crate) fn policy(&self, text: &str) {
        let folder = self.home().join(".config/hookgate");
        fs::create_dir_all(&folder).unwrap();
        write_settled(&folder.join("hookgate.toml"), text);
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookgate"));
        command.env_clear().env("HOME", self.home()).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.current_dir(self.project());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs `hookgate hook` on these bytes. On a busy machine, dozens of them together take longer than the usual deadline.
    pub(crate) fn hook(&self, bytes: &[u8]) -> Output {
        let mut command = self.command();
        command.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]);
        feed(command, bytes)
    }

    /// Runs a command for people.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = self.command();
        command.args(arguments);
        feed(command, b"")
    }

    /// A `PreToolUse` event of the Bash tool in the project.
    pub(crate) fn bash(&self, command: &str) -> Vec<u8> {
        self.event(
            "PreToolUse",
            &json!({ "tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": { "command": command } }),
        )
    }

    pub(crate) fn event(&self, name: &str, fields: &Value) -> Vec<u8> {
        let mut event = json!({
            "session_id": "s1", "transcript_path": "/t.jsonl", "cwd": self.project(), "permission_mode": "default",
            "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        format!("{event}\n").into_bytes()
    }
}

/// Writes a policy as if it had been written a while ago: one that is just being saved doesn't count yet.
pub(crate) fn write_settled(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).unwrap();
}

/// Writes a program that can be run at once.
///
/// Another process writes it: a file that this one has open could be handed on, still open, to a program that another
/// test starts in the meantime, and what is open for writing can't be run.
#[cfg(unix)]
pub(crate) fn write_program(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path);
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    assert!(feed(shell, text.as_bytes()).status.success(), "{}", path.display());
}

/// Feeds bytes to a command and waits for its end.
pub(crate) fn feed(mut command: Command, bytes: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(bytes)));
        child.wait_with_output().unwrap()
    })
}

/// The one document on stdout; `None` where there is nothing. Panics at anything else.
pub(crate) fn document(output: &Output) -> Option<Value> {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    if output.stdout.is_empty() {
        return None;
    }
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(value.is_object(), "{value}");
    Some(value)
}

/// `permissionDecision` and its reason.
pub(crate) fn decision(output: &Output) -> (String, String) {
    let Some(answer) = document(output) else { return ("pass".to_owned(), String::new()) };
    let text = |key: &str| answer["hookSpecificOutput"][key].as_str().unwrap_or("").to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}
