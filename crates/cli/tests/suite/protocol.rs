//! What the client does with an answer, and that nobody is told anything else.

use serde_json::{Value, json};

use crate::support::{Ground, feed};

const EVENTS: [&str; 14] = [
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "UserPromptSubmit",
    "PreCompact",
    "Stop",
    "SubagentStop",
    "SessionStart",
    "TaskCreated",
    "TaskCompleted",
    "ConfigChange",
    "Elicitation",
];

/// What the bytes of an answer do.
fn done_by(answer: &Value, event: &str) -> &'static str {
    let specific = &answer["hookSpecificOutput"];
    let decision = specific["permissionDecision"].as_str();
    if answer["continue"] == false || specific["decision"]["interrupt"] == true {
        "halt"
    } else if decision == Some("deny")
        || answer["decision"] == "block"
        || specific["decision"]["behavior"] == "deny"
        || specific["action"] == "decline"
    {
        "deny"
    } else if decision == Some("ask") || (answer.is_null() && event == "PermissionRequest") {
        "ask"
    } else {
        "pass"
    }
}

/// The events that put the question themselves: nothing is printed.
fn asks_by_itself(event: &str, decision: &str) -> bool {
    decision == "ask" && matches!(event, "PermissionRequest" | "Elicitation")
}

#[test]
fn check_says_what_the_hook_answers() {
    for event in EVENTS {
        for then in ["ask", "deny", "halt"] {
            let ground = Ground::new();
            ground.policy(&format!(
                "presets = []\n[[rule]]\ncode = \"OWN001\"\non = \"{event}\"\nthen = \"{then}\"\nreason = \"why\"\n"
            ));
            let fields = json!({ "tool_name": "Bash", "tool_input": { "command": "touch a" }, "prompt": "hello",
                                 "tool_response": { "stdout": "" } });
            let bytes = ground.event(event, &fields);
            let run = |arguments: &[&str]| {
                let mut command = ground.command();
                command.args(arguments).env("CLAUDE_CODE_SESSION_ATTENDED", "1");
                feed(command, &bytes)
            };
            // First, since a prompt that the hook asked about passes when it is sent again; judging by hand leaves nothing behind.
            let checked = run(&["check", "--event", "-", "--json"]);
            let answer = run(&["hook", "--event", event]).stdout;
            let answer: Value =
                if answer.is_empty() { Value::Null } else { serde_json::from_slice(&answer).unwrap() };
            let checked: Value = serde_json::from_slice(&checked.stdout).unwrap();
            let said = checked["decision"].as_str().unwrap();
            if !asks_by_itself(event, said) {
                assert_eq!(said, done_by(&answer, event), "{then} on {event}: {answer}");
            }
        }
    }
}

/// Policies that together give every kind of answer on every event.
fn policies(events: &[String]) -> Vec<(&'static str, String)> {
    let rule = |then: &str| {
        let on = events.iter().map(|event| format!("\"{event}\"")).collect::<Vec<_>>().join(", ");
        format!(
            "presets = []\n[[rule]]\ncode = \"OWN001\"\non = [{on}]\nthen = \"{then}\"\nreason = \"why\"\n"
        )
    };
    vec![
        ("none", String::new()),
        ("strict", "presets = [\"strict\"]\nunknown = { program = \"ask\" }\n".to_owned()),
        ("readonly", "presets = [\"recommended\", \"readonly\"]\n".to_owned()),
        ("shadow", format!("mode = \"shadow\"\n{}", rule("deny"))),
        ("ask", rule("ask")),
        ("deny", rule("deny")),
        ("halt", rule("halt")),
    ]
}

/// Every event that a client was recorded to send, under each policy, with a person there and without.
#[test]
fn what_is_checked_is_what_the_hook_answers_to_every_recorded_event() {
    let fixtures =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/tests/fixtures/claude-code");
    let mut recorded: Vec<Value> = std::fs::read_dir(fixtures)
        .unwrap()
        .map(|entry| serde_json::from_slice(&std::fs::read(entry.unwrap().path()).unwrap()).unwrap())
        .collect();
    recorded.sort_by_key(|event| event["hook_event_name"].as_str().map(str::to_owned));
    let mut names: Vec<String> =
        recorded.iter().map(|event| event["hook_event_name"].as_str().unwrap().to_owned()).collect();
    names.dedup();
    names.retain(|name| name != "WorktreeCreate");
    let mut differ = Vec::new();
    let mut count = 0;
    for (name, policy) in policies(&names) {
        for attended in [true, false] {
            let ground = Ground::new();
            ground.policy(&policy);
            let run = |arguments: &[&str], bytes: &[u8]| {
                let mut command = ground.command();
                command.args(arguments);
                if attended {
                    command.env("CLAUDE_CODE_SESSION_ATTENDED", "1");
                }
                feed(command, bytes)
            };
            // Each in a session of its own: what a hook remembers is the next one's.
            let events = recorded.iter().enumerate().map(|(at, event)| {
                let mut event = event.clone();
                event["cwd"] = json!(ground.project());
                event["session_id"] = json!(format!("s{at}"));
                event
            });
            let events: Vec<Value> = events.collect();
            let lines: String =
                events.iter().map(|event| format!("{}\n", json!({ "event": event }))).collect();
            let checked = run(&["check", "--batch"], lines.as_bytes());
            let checked = String::from_utf8(checked.stdout).unwrap();
            assert_eq!(checked.lines().count(), events.len(), "one answer each");
            for (event, checked) in events.iter().zip(checked.lines()) {
                let kind = event["hook_event_name"].as_str().unwrap();
                let output = run(&["hook", "--event", kind], event.to_string().as_bytes());
                assert_eq!(output.status.code(), Some(0), "{kind}");
                // A path, or a text for the user, stops nothing.
                let answer = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
                assert!(answer.is_object() || output.stdout.first() != Some(&b'{'), "{kind}");
                let checked: Value = serde_json::from_str(checked).unwrap();
                let said = match checked["decision"].as_str().unwrap() {
                    "allow" | "handoff" => "pass",
                    said => said,
                };
                count += 1;
                // Nothing leaves the client's own question as it is.
                let asks = asks_by_itself(kind, said) || (kind == "PermissionRequest" && said == "pass");
                let done = done_by(&answer, kind);
                let differs = if asks { !answer.is_null() && done != "pass" } else { said != done };
                if differs {
                    differ.push(format!("{name}, attended {attended}: {said} on {kind}: {answer}"));
                }
            }
        }
    }
    println!("{} of {count} differ", differ.len());
    assert!(differ.is_empty() && count > 500, "{} of {count}:\n{}", differ.len(), differ.join("\n"));
}

#[test]
fn a_worktree_is_asked_for_only_where_every_one_gets_a_path_or_a_refusal() {
    let path =
        "[[rule]]\ncode = \"OWN001\"\non = \"WorktreeCreate\"\nset = { worktree-path = \"/srv/next\" }\n";
    let notify = "[[notify]]\non = \"WorktreeCreate\"\nby = \"command\"\nrun = [\"true\"]\n";
    for (policy, is_registered) in [(path, true), (notify, false)] {
        let ground = Ground::new();
        ground.policy(policy);
        let output = ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let settings = std::fs::read_to_string(ground.home().join(".claude/settings.json")).unwrap();
        assert_eq!(settings.contains("WorktreeCreate"), is_registered, "{policy}\n{settings}");
    }
}

#[test]
fn doctor_finds_a_worktree_hook_that_nothing_answers() {
    let ground = Ground::new();
    ground.policy(
        "[[rule]]\ncode = \"OWN001\"\non = \"WorktreeCreate\"\nset = { worktree-path = \"/srv/next\" }\n",
    );
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    ground.policy("presets = [\"recommended\"]\n");
    let output = ground.run(&["doctor"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("registered for WorktreeCreate, but the policy names no path"), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}

#[test]
fn what_is_judged_by_hand_leaves_nothing_behind_in_the_session() {
    let ground = Ground::new();
    ground.policy(
        "[[rule]]\ncode = \"OWN001\"\non = \"UserPromptSubmit\"\nthen = \"ask\"\nreason = \"why\"\n[ask]\nonce = [\"GIT\"]\n",
    );
    let fields = json!({ "tool_name": "Bash", "tool_use_id": "t1", "tool_input": { "command": "git reset --hard" },
                         "prompt": "hello", "tool_response": { "stdout": "" } });
    for event in ["UserPromptSubmit", "PreToolUse", "PostToolUse", "UserPromptSubmit"] {
        let mut command = ground.command();
        command.args(["check", "--event", "-", "--json"]).env("CLAUDE_CODE_SESSION_ATTENDED", "1");
        let answer: Value =
            serde_json::from_slice(&feed(command, &ground.event(event, &fields)).stdout).unwrap();
        if event == "UserPromptSubmit" {
            assert_eq!(answer["decision"], "deny", "{answer}");
        }
    }
    assert!(!ground.home().join(".local/state/hookgate/sessions").exists());
}

#[test]
fn what_is_explained_without_having_happened_names_no_decision() {
    let output = Ground::new().run(&["explain", "git push --force"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("Automated hookgate check ID.") && said.contains("`hookgate explain ID`"),
        "{said}"
    );
}
