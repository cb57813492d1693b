//! Tools that no table lists, and shell tools that say where their text runs.

use std::fs;

use crate::support::{Ground, feed};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Calls {
    stopped: Vec<Stopped>,
    passing: Vec<Passing>,
}

#[derive(Deserialize)]
struct Stopped {
    code: String,
    text: String,
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Passing {
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    tool: String,
    input: Value,
}

fn calls() -> Calls {
    toml::from_str(include_str!("other_tools.toml")).unwrap()
}

/// The answers to the calls, in a home with a login key, a folder and an agent's settings.
fn judged(calls: &[&Call]) -> Vec<Value> {
    let ground = Ground::new();
    for name in [".ssh/id_rsa", "docs/a", ".claude/settings.json"] {
        let file = ground.home().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "{}").unwrap();
    }
    let placed = |text: &str| {
        text.replace("{home}", ground.home().to_str().unwrap())
            .replace("{project}", ground.project().to_str().unwrap())
    };
    let line = |call: &&Call| {
        let input: Value = serde_json::from_str(&placed(&call.input.to_string())).unwrap();
        let event = ground.event("PreToolUse", &json!({ "tool_name": call.tool, "tool_input": input }));
        let event: Value = serde_json::from_slice(&event).unwrap();
        format!("{}\n", json!({ "event": event }))
    };
    let input: String = calls.iter().map(line).collect();
    let mut check = ground.command();
    check.args(["check", "--isolated", "--preset", "recommended", "--preset", "infra", "--batch", "--json"]);
    let output = feed(check, input.as_bytes());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), calls.len(), "{}", String::from_utf8_lossy(&output.stderr));
    answers
}

#[test]
fn what_a_tool_would_do_is_seen_in_its_name_and_its_input() {
    let all = calls();
    let (groups, listed): (Vec<&Stopped>, Vec<&Call>) =
        all.stopped.iter().flat_map(|group| group.calls.iter().map(move |call| (group, call))).unzip();
    let mut missed = Vec::new();
    for ((group, call), answer) in groups.iter().zip(&listed).zip(judged(&listed)) {
        let reason = answer["reason"].as_str().unwrap_or_default();
        let stopped = matches!(answer["decision"].as_str(), Some("ask" | "deny"));
        if !stopped || !reason.contains(&format!("[{}]", group.code)) || !reason.contains(&group.text) {
            missed.push(format!("{} {}: {} {reason}", call.tool, call.input, answer["decision"]));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn everyday_tools_are_not_stopped() {
    let all = calls();
    let listed: Vec<&Call> = all.passing.iter().flat_map(|passing| &passing.calls).collect();
    let mut stopped = Vec::new();
    for (call, answer) in listed.iter().zip(judged(&listed)) {
        if !matches!(answer["decision"].as_str(), Some("pass" | "allow")) {
            stopped.push(format!("{} {}: {}", call.tool, call.input, answer["reason"]));
        }
    }
    assert!(stopped.is_empty(), "{}", stopped.join("\n"));
}
