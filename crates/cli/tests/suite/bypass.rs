//! Ways around the gate, all of which it must stop, and texts that only mention them, none of which it may stop.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support;

const GUARD: &[&str] = &["recommended", "infra"];

/// The home and the project that the cases are judged in. Not below a temporary directory: paths there are judged more
/// mildly.
pub(crate) struct Place {
    folder: PathBuf,
}

impl Place {
    pub(crate) fn new(name: &str) -> Place {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let place = Place { folder };
        fs::create_dir_all(place.project().join(".git")).unwrap();
        fs::write(place.project().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        // There are hooks to go past.
        fs::create_dir_all(place.project().join(".git/hooks")).unwrap();
        fs::write(place.project().join(".git/hooks/pre-commit"), "#!/bin/sh\n").unwrap();
        place
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    /// A process that judges what it is fed under these presets.
    pub(crate) fn batch(&self, presets: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookgate"));
        command.args(["check", "--batch", "--isolated"]);
        command.args(presets.iter().flat_map(|preset| ["--preset", preset]));
        command.arg("--cwd").arg(self.project()).current_dir(self.project());
        command.env_clear().env("HOME", self.home()).env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Judges events, one JSON document for each.
    fn judge(&self, presets: &[&str], events: &[Value]) -> Vec<Value> {
        let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
        let output = support::feed(self.batch(presets), lines.as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        let judged: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(judged.len(), events.len(), "{}", String::from_utf8_lossy(&output.stderr));
        judged
    }

    pub(crate) fn commands(&self, presets: &[&str], commands: &[String]) -> Vec<Value> {
        let events: Vec<Value> = commands.iter().map(|command| json!({ "command": command })).collect();
        self.judge(presets, &events)
    }
}

pub(crate) fn table(text: &str) -> toml::Table {
    toml::from_str(text).unwrap()
}

pub(crate) fn texts(value: &toml::Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn entries<'a>(table: &'a toml::Table, name: &str) -> &'a [toml::Value] {
    table[name].as_array().unwrap()
}

/// Every spelling in every carrier.
fn carried(text: &str) -> Vec<String> {
    let table = table(text);
    let mut commands = Vec::new();
    for product in entries(&table, "product") {
        for carrier in texts(&product["carriers"]) {
            for spelling in texts(&product["spellings"]) {
                commands.push(fill(&carrier, &spelling));
            }
        }
    }
    commands
}

pub(crate) fn listed(text: &str) -> Vec<String> {
    entries(&table(text), "group").iter().flat_map(|group| texts(&group["run"])).collect()
}

pub(crate) fn fill(carrier: &str, spelling: &str) -> String {
    let escapes = |prefix: &str, radix: u32| -> String {
        let bytes = spelling.bytes();
        bytes
            .map(|b| if radix == 16 { format!("{prefix}{b:02x}") } else { format!("{prefix}{b:03o}") })
            .collect()
    };
    let holes = [
        ("{}", spelling.to_owned()),
        ("{quoted}", format!("'{}'", spelling.replace('\'', "'\\''"))),
        ("{base64}", base64(spelling.as_bytes())),
        ("{hex}", escapes("", 16)),
        ("{hex-escapes}", escapes("\\x", 16)),
        ("{octal-escapes}", escapes("\\", 8)),
        ("{octal-escapes-zero}", escapes("\\0", 8)),
    ];
    let mut text = String::new();
    let mut rest = carrier;
    while let Some((before, at)) = rest.find('{').map(|at| rest.split_at(at)) {
        text.push_str(before);
        let (put, length) = match holes.iter().find(|(hole, _)| at.starts_with(hole)) {
            Some((hole, value)) => (value.as_str(), hole.len()),
            None => ("{", 1),
        };
        text.push_str(put);
        rest = &at[length..];
    }
    text + rest
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits: usize, i| (bits << 8) | usize::from(*chunk.get(i).unwrap_or(&0)));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) & 63];
            text.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Is it stopped, for a reason that says more than that a program is not known?
fn is_stopped(judged: &Value) -> bool {
    let stopped = matches!(judged["decision"].as_str(), Some("ask" | "deny" | "halt"));
    let codes = judged["codes"].as_array().unwrap();
    stopped && codes.iter().any(|code| code != "UNK001") && !judged["effects"].as_array().unwrap().is_empty()
}

fn line(case: &str, judged: &Value) -> String {
    format!("{} {} {}\n    {case}", judged["decision"], judged["codes"], judged["effects"])
}

fn assert_none(failures: &[String], of: usize, what: &str) {
    assert!(failures.is_empty(), "{} of {of} {what}:\n{}", failures.len(), failures.join("\n"));
}

fn dangerous() -> Vec<String> {
    let mut commands = carried(include_str!("bypass/carriers.toml"));
    commands.extend(listed(include_str!("bypass/spellings.toml")));
    assert!(commands.len() >= 400, "{}", commands.len());
    commands
}

fn harmless() -> Vec<String> {
    let text = include_str!("bypass/harmless.toml");
    let mut commands = carried(text);
    commands.extend(listed(text));
    assert!(commands.len() >= 400, "{}", commands.len());
    commands
}

/// Also leaves the suite behind as one file, for `scripts/alternatives.sh`.
#[test]
fn nothing_is_both_dangerous_and_harmless() {
    let (dangerous, harmless) = (dangerous(), harmless());
    let both: Vec<&String> = dangerous.iter().filter(|command| harmless.contains(command)).collect();
    assert!(both.is_empty(), "{both:?}");
    let rows = |commands: Vec<String>, dangerous: bool| {
        let row =
            move |command: String| format!("{}\n", json!({ "command": command, "dangerous": dangerous }));
        commands.into_iter().map(row).collect::<String>()
    };
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bypass.jsonl");
    fs::write(path, rows(dangerous, true) + &rows(harmless, false)).unwrap();
}

#[test]
fn every_way_to_say_something_dangerous_is_stopped() {
    let place = Place::new("bypass-commands");
    let commands = dangerous();
    let judged = place.commands(GUARD, &commands);
    let passed: Vec<String> = commands
        .iter()
        .zip(&judged)
        .filter(|(_, judged)| !is_stopped(judged))
        .map(|(command, judged)| line(command, judged))
        .collect();
    assert_none(&passed, commands.len(), "get through");
}

#[test]
fn every_other_tool_and_every_file_that_is_run_is_seen_through() {
    let calls = table(include_str!("bypass/tools.toml"));
    let mut passed = Vec::new();
    let calls = entries(&calls, "call");
    for call in calls {
        let place = Place::new("bypass-tools");
        for (name, text) in call.get("files").and_then(toml::Value::as_table).into_iter().flatten() {
            let path = place.project().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.as_str().unwrap()).unwrap();
        }
        let input = serde_json::to_string(&call["input"]).unwrap();
        let input = input
            .replace("{home}", place.home().to_str().unwrap())
            .replace("{project}", place.project().to_str().unwrap());
        let event = json!({
            "session_id": "s1", "transcript_path": "/t.jsonl", "cwd": place.project(), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": call["tool"].as_str(), "tool_use_id": "toolu_1",
            "tool_input": serde_json::from_str::<Value>(&input).unwrap(),
        });
        let judged = place.judge(GUARD, &[json!({ "event": event })]);
        if !is_stopped(&judged[0]) {
            passed.push(line(&format!("{} {input} {:?}", call["tool"], call.get("files")), &judged[0]));
        }
    }
    assert_none(&passed, calls.len(), "get through");
}

#[test]
fn no_text_that_only_mentions_something_dangerous_is_stopped() {
    let place = Place::new("bypass-harmless");
    let commands = harmless();
    let judged = place.commands(GUARD, &commands);
    let stopped: Vec<String> = commands
        .iter()
        .zip(&judged)
        .filter(|(_, judged)| !matches!(judged["decision"].as_str(), Some("pass" | "allow")))
        .map(|(command, judged)| line(command, judged))
        .collect();
    assert_none(&stopped, commands.len(), "are stopped");
}
