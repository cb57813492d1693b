//! Faults between the agent and the gate: what comes in, what can be written, when the process ends.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::Ground;
use crate::{DENIED, Dice, Fault, Rule, held, hook, judged, log};

pub(crate) fn faults() -> Vec<Fault> {
    vec![
        Fault { name: "cut at a byte", run: cut },
        Fault { name: "random bytes", run: garbage },
        Fault { name: "bytes changed", run: changed },
        Fault { name: "another event", run: another_event },
        Fault { name: "closed descriptors", run: closed },
        Fault { name: "full standard output", run: full },
        Fault { name: "input held open", run: held_open },
        Fault { name: "a signal", run: signal },
        Fault { name: "killed while others write", run: killed_among_others },
        Fault { name: "a system call fails", run: failing_call },
        Fault { name: "killed at a system call", run: killed_at_call },
    ]
}

/// The first part of an event: whatever it is cut to, it is no pass.
fn cut(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let event = ground.bash(DENIED);
    let event = &event[..dice.below(event.len() - 1)];
    let named = ["PreToolUse", ""][dice.below(2)];
    held(hook(ground, named, "", ""), event, Rule::Stopped).map(drop)
}

fn garbage(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let length = dice.below(2_000);
    let bytes: Vec<u8> = (0..length).map(|_| u8::try_from(dice.below(256)).unwrap()).collect();
    held(hook(ground, "PreToolUse", "", ""), &bytes, Rule::Stopped).map(drop)
}

/// A few bytes of an event are others. It may be another, harmless call then.
fn changed(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let mut event = ground.bash(DENIED);
    for _ in 0..=dice.below(4) {
        let at = dice.below(event.len());
        event[at] = u8::try_from(dice.below(256)).unwrap();
    }
    let same = String::from_utf8_lossy(&event).contains("\"tool_input\":{\"command\":\"touch denied.txt\"}")
        && String::from_utf8_lossy(&event).contains("\"tool_name\":\"Bash\"");
    // What is another call now may pass, and what is broken may have been repaired to one.
    let rule = if same { Rule::Stopped } else { Rule::Shape };
    held(hook(ground, "PreToolUse", "", ""), &event, rule).map(drop)
}

fn another_event(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    const NAMES: [&str; 12] = [
        "PermissionRequest",
        "PostToolUse",
        "PostToolUseFailure",
        "UserPromptSubmit",
        "Stop",
        "SubagentStop",
        "PreCompact",
        "SessionStart",
        "SessionEnd",
        "Notification",
        "WorktreeCreate",
        "TaskCompleted",
    ];
    let name = dice.one_of(&NAMES);
    let fields = json!({ "tool_name": "Bash", "tool_input": { "command": DENIED }, "prompt": "hello" });
    let event = ground.event(name, &fields);
    let cut = if dice.below(2) == 0 { event.len() } else { dice.below(event.len()) };
    held(hook(ground, name, "", ""), &event[..cut], Rule::Shape).map(drop)
}

fn closed(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let closings = [">&-", "2>&-", ">&- 2>/dev/null", "> /dev/null", "< /dev/null", "<&-", ">&- <&-"];
    let closing = *dice.one_of(&closings);
    let mut command = hook(ground, "PreToolUse", "", closing);
    if closing.contains(">&-") || closing.contains("/dev/null") {
        // Where nobody can read the reason, the exit code still counts.
        command.stderr(Stdio::piped());
    }
    let start = Instant::now();
    let output = crate::support::feed(command, &ground.bash(DENIED));
    if output.status.code() == Some(2) {
        return Ok(());
    }
    judged(&output, Rule::Stopped, start.elapsed()).map_err(|problem| format!("{closing}: {problem}"))
}

fn full(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let names = ["PreToolUse", "UserPromptSubmit"];
    let name = *dice.one_of(&names);
    let mut command = hook(ground, name, "", "");
    command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let fields = json!({ "tool_name": "Bash", "tool_input": { "command": DENIED }, "prompt": "forbidden" });
    held(command, &ground.event(name, &fields), Rule::Stopped).map(drop)
}

/// The agent goes on holding the pipe, with a part of the event or all of it.
fn held_open(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let event = ground.bash(DENIED);
    let mut command = hook(ground, "PreToolUse", "", "--deadline 150ms");
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(&event[..dice.below(event.len())]);
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    judged(&output, Rule::Stopped, start.elapsed())
}

fn signal(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let name = *dice.one_of(&["KILL", "TERM", "INT", "HUP", "PIPE", "USR1", "STOP", "XFSZ"]);
    let mut command = hook(ground, "PreToolUse", "", "");
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let event = ground.bash(DENIED);
    let id = child.id().to_string();
    let send = |name: &str| Command::new("kill").args([&format!("-{name}"), &id]).status();
    let pause = Duration::from_micros(u64::try_from(dice.below(6_000)).unwrap());
    let output = thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(&event)));
        thread::sleep(pause);
        let _ = send(name);
        if name == "STOP" {
            thread::sleep(Duration::from_millis(5));
            let _ = send("CONT");
        }
        child.wait_with_output().unwrap()
    });
    judged(&output, Rule::Killed, start.elapsed())
}

/// Some of several processes are killed while they write to one log: the others' records are whole.
fn killed_among_others(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let long = format!("{DENIED} # {}", "x".repeat(3_000));
    let event = ground.bash(&long);
    let mut children = Vec::new();
    for _ in 0..6 {
        let mut child = hook(ground, "PreToolUse", "", "").spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(&event);
        drop(stdin);
        children.push(child);
    }
    thread::sleep(Duration::from_micros(u64::try_from(dice.below(30_000)).unwrap()));
    for child in children.iter_mut().step_by(2) {
        let _ = child.kill();
    }
    let mut answered = Vec::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        if output.status.signal().is_none() {
            judged(&output, Rule::Stopped, Duration::ZERO)?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let id = text.split("hookgate explain ").nth(1).and_then(|rest| rest.get(..13));
            answered.push(id.ok_or_else(|| format!("no id in {text}"))?.to_owned());
        }
    }
    let (records, _) = log(ground);
    let known: Vec<&str> = records.iter().filter_map(|record| record["id"].as_str()).collect();
    match answered.iter().find(|id| !known.contains(&id.as_str())) {
        Some(id) => Err(format!("the record of decision {id} is lost")),
        None => Ok(()),
    }
}

/// The system calls of a hook that can fail once it runs.
const CALLS: [&str; 16] = [
    "openat",
    "read",
    "write",
    "statx",
    "fstat",
    "newfstatat",
    "readlink",
    "lseek",
    "pread64",
    "close",
    "mkdir",
    "rename",
    "unlink",
    "getdents64",
    "prlimit64",
    "getrandom",
];

/// One system call fails, one of the first forty of its kind. Only a plain *not found* means that something isn't there, so it is not
/// among the errors.
fn failing_call(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    const ERRORS: [&str; 13] = [
        "EIO", "EACCES", "EPERM", "ENOTDIR", "ELOOP", "EMFILE", "ENFILE", "ENOMEM", "EBADF", "ENOSPC",
        "EROFS", "EINTR", "EAGAIN",
    ];
    let what = format!("error={}", dice.one_of(&ERRORS));
    injected(ground, dice, &what, Rule::Stopped)
}

fn killed_at_call(ground: &Ground, dice: &mut Dice) -> Result<(), String> {
    let what = format!("signal={}", dice.one_of(&["KILL", "TERM", "XFSZ", "PIPE", "USR1"]));
    injected(ground, dice, &what, Rule::Killed)
}

fn injected(ground: &Ground, dice: &mut Dice, what: &str, rule: Rule) -> Result<(), String> {
    if !hookgate_testing::has("strace", &["-V"]) {
        return Ok(());
    }
    let call = *dice.one_of(&CALLS);
    let injection = format!("inject={call}:{what}:when={}", 1 + dice.below(40));
    let trace = ground.folder.path().join("trace");
    let mut shell = Command::new("strace");
    shell.args(["-f", "-qq", "-o"]).arg(&trace).args(["-e", &injection, "-e", &format!("trace={call}")]);
    shell.arg(env!("CARGO_BIN_EXE_hookgate")).args(["hook", "--event", "PreToolUse"]);
    shell.env_clear().env("HOME", ground.home()).env("PATH", "/usr/bin:/bin").current_dir(ground.project());
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let output = crate::support::feed(shell, &ground.bash(DENIED));
    // The system's loader could not start the program: that is the agent's `onFailure`.
    if matches!(output.status.code(), Some(126 | 127)) {
        return Ok(());
    }
    judged(&output, rule, start.elapsed()).map_err(|problem| {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        format!("{injection}: {problem} {}", said.chars().take(200).collect::<String>())
    })
}
