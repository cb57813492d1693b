//! The hot path's closed list (docs/hot-path.md), held by a look at the system calls.

use std::fs;
use std::process::Command;

use crate::support::{Ground, feed};

/// The system calls of `hookgate hook` on an everyday event; `None` where strace is not installed.
fn trace(ground: &Ground) -> Option<String> {
    trace_of(ground, "git push --force && git status")
}

fn trace_of(ground: &Ground, call: &str) -> Option<String> {
    if !hookgate_testing::has("strace", &["-V"]) {
        return None;
    }
    // The first hook of a machine makes its state directory; that one is not what is looked at.
    ground.hook(&ground.bash("git status"));
    let log = ground.folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(&log).arg(env!("CARGO_BIN_EXE_hookgate"));
    command.args(["hook", "--event", "PreToolUse"]);
    command.env_clear().env("HOME", ground.home()).env("PATH", "/usr/bin:/bin").current_dir(ground.project());
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    feed(command, &ground.bash(call));
    Some(fs::read_to_string(log).unwrap())
}

#[test]
fn the_hot_path_opens_only_what_its_list_says_and_spawns_nothing() {
    let ground = Ground::new();
    let Some(trace) = trace(&ground) else { return };
    let own = ground.folder.path().display().to_string();
    let allowed = |path: &str| {
        let ours = [
            "/.local/state/hookgate/audit.jsonl",
            // That the session's first call has come, whose settings are looked at.
            "/.local/state/hookgate/sessions/s1/settings-checked",
            // That these rules have denied something in the session: the next denial is shorter.
            "/.local/state/hookgate/sessions/s1/denied-GIT002",
            "/.config/hookgate/hookgate.toml",
            "/.hookgate.toml",
            "/.hookgate.local.toml",
            "/.claude/settings.json",
            "/.claude/settings.local.json",
            // To say what the forced push would take off the remote.
            "/.git/commondir",
            "/.git/HEAD",
            "/.git/config",
            "/.git/packed-refs",
            "/.git/refs/remotes/origin/main",
            "/.git/refs/remotes/origin/HEAD",
        ];
        (path.starts_with(&own) && ours.iter().any(|name| path.ends_with(name)))
            // Under strace it is slow, and then leaves a note for the case that it never answers, and finds a folder to list.
            || (path.starts_with(&own) && path.contains("/.local/state/hookgate/running/PreToolUse-"))
            || (path.starts_with(&own) && path.ends_with("/.local/state/hookgate/running"))
            || path == "/etc/hookgate/hookgate.toml"
            || path == "/etc/claude-code/managed-settings.json"
            // What the loader and the runtime of a dynamic build open before `main`.
            || ["/lib", "/usr/lib", "/etc/ld.so", "/proc/self/", "/sys/fs/cgroup", "/proc/stat", "/sys/devices/system/cpu"]
                .iter()
                .any(|start| path.starts_with(start))
    };
    let lists_running = trace.lines().any(|line| line.contains("/running\"") && line.contains("O_DIRECTORY"));
    for line in trace.lines() {
        let call = line.split_once(' ').map_or(line, |(_, call)| call.trim_start());
        let name = call.split('(').next().unwrap_or("");
        if matches!(name, "open" | "openat" | "creat") {
            let path = call.split('"').nth(1).unwrap_or("");
            assert!(allowed(path), "not on the list: {call}");
        }
        let forbidden = ["execve", "fork", "vfork", "socket", "connect", "getdents64", "fsync", "fdatasync"];
        let first = name == "execve" && call.contains("hookgate");
        let listing = name == "getdents64" && lists_running;
        assert!(first || listing || !forbidden.contains(&name), "{call}");
        if name == "clone" || name == "clone3" {
            assert!(call.contains("CLONE_THREAD"), "only the watchdog thread: {call}");
        }
    }
    let writes: Vec<&str> = trace.lines().filter(|line| line.contains(" write(")).collect();
    assert_eq!(writes.len(), 2, "the record and the answer: {writes:#?}");
}

#[test]
fn what_a_session_remembers_is_opened_only_for_a_question_that_is_put_once() {
    let ground = Ground::new();
    ground.policy("[ask]\nonce = [\"UNK002\"]\n");
    for (call, opened) in
        [("git status", 0), ("git push --force", 0), ("eval \"$X\"", 0), ("rm -rf \"$X\"", 1)]
    {
        let Some(trace) = trace_of(&ground, call) else { return };
        // Whether it is the first call is asked of the session's directory and of one file in it.
        let first = |line: &&str| {
            line.contains("settings-checked\"")
                || line.contains("/sessions/s1\"")
                // A denial is noted by its rules.
                || (call == "git push --force" && line.contains("/denied-GIT002\""))
        };
        let names: Vec<&str> =
            trace.lines().filter(|line| line.contains("/sessions/") && !first(line)).collect();
        let read = names.iter().filter(|line| line.contains("/yes\"")).count();
        assert!(read >= opened && (opened > 0 || names.is_empty()), "{call}: {names:#?}");
    }
}
