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
