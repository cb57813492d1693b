//! `hookgate hook --agent NAME`: each agent's events are judged by the same policy and answered in its own form.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::audit::records;
use crate::support::{Ground, document, feed};

const POLICY: &str = "
presets = [\"recommended\"]
rule = [
    { code = \"ACME001\", when = { write = \"**/secret.txt\" }, then = \"deny\", reason = \"keep out\" },
    { code = \"ACME002\", when = { run = \"deploy\" }, then = \"ask\", reason = \"a person should look\" },
    { code = \"ACME003\", on = \"Stop\", when = { field = { turn_id = \"t1\" } }, then = \"deny\", reason = \"run the tests\" },
    { code = \"ACME004\", when = { agent = \"codex\", run = \"only-here\" }, then = \"deny\", reason = \"not from Codex\" },
]
";

fn answer(ground: &Ground, agent: &str, event: &[u8]) -> Option<Value> {
    let mut command = ground.command();
    command.args(["hook", "--agent", agent]);
    document(&feed(command, event))
}

fn decision(answer: Option<&Value>) -> Option<String> {
    let specific = answer?.get("hookSpecificOutput")?;
    specific.get("permissionDecision")?.as_str().map(str::to_owned)
}

#[test]
fn every_event_of_codex_is_answered_as_its_schema_demands() {
    let ground = Ground::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/tests/fixtures/codex");
    let schema = include_str!("../../../../schema/codex-answer.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        let event: Value = serde_json::from_slice(&bytes).unwrap();
        let name = event["hook_event_name"].as_str().unwrap();
        let answer = answer(&ground, "codex", &bytes);
        let known = &schema["$defs"][name]["properties"];
        for key in answer.iter().flat_map(|answer| answer.as_object().unwrap().keys()) {
            assert!(known.get(key).is_some(), "{}: {key}", path.display());
        }
        count += 1;
    }
    assert!(count > 12, "{count}");
}

#[test]
fn a_patch_and_a_command_of_codex_are_judged_by_their_effects() {
    let ground = Ground::new();
    ground.policy(POLICY);
    let call = |tool: &str, command: &str| {
        ground.event(
            "PreToolUse",
            &json!({ "turn_id": "t1", "tool_name": tool, "tool_input": { "command": command } }),
        )
    };
    let patch = "*** Begin Patch\n*** Add File: secret.txt\n+x\n*** End Patch\n";
    for (tool, command) in [("apply_patch", patch), ("Bash", "echo x > secret.txt"), ("Bash", "only-here")] {
        let answer = answer(&ground, "codex", &call(tool, command));
        assert_eq!(decision(answer.as_ref()).as_deref(), Some("deny"), "{command}");
    }
    // Codex would let a question run.
    let asked = answer(&ground, "codex", &call("Bash", "deploy")).unwrap();
    assert_eq!(decision(Some(&asked)).as_deref(), Some("deny"));
    assert!(asked["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap().contains("ACME002"));
    assert_eq!(answer(&ground, "codex", &call("Bash", "ls")), None);
    // The same call of Claude Code is asked about, and the rule for Codex is not one for it.
    let asked = answer(&ground, "claude-code", &call("Bash", "deploy"));
    assert_eq!(decision(asked.as_ref()).as_deref(), Some("ask"));
    assert_eq!(answer(&ground, "claude-code", &call("Bash", "only-here")), None);
    let agents: Vec<Value> = records(&ground).into_iter().map(|record| record["agent"].clone()).collect();
    assert!(agents.contains(&json!("codex")) && agents.contains(&json!("claude-code")), "{agents:?}");
}

#[test]
fn a_stop_of_codex_is_held_back_once_by_a_field_that_only_it_sends() {
    let ground = Ground::new();
    ground.policy(POLICY);
    let stop = |active: bool| ground.event("Stop", &json!({ "turn_id": "t1", "stop_hook_active": active }));
    let held = answer(&ground, "codex", &stop(false)).unwrap();
    assert_eq!(held["decision"], "block");
    let released = answer(&ground, "codex", &stop(true)).unwrap();
    assert_eq!(released.get("decision"), None, "{released}");
}

#[test]
fn the_permission_rules_of_claude_code_are_not_those_of_codex() {
    let ground = Ground::new();
    ground.policy("presets = [\"recommended\"]\nrules = { PERM001 = \"deny\" }\n");
    let folder = ground.home().join(".claude");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("settings.json"), r#"{"permissions": {"deny": ["Bash(touch:*)"]}}"#).unwrap();
    let call = ground.bash("sudo -n env touch x.txt; find . -name y -exec touch {} +");
    let codes = |agent: &str| {
        answer(&ground, agent, &call)
            .map_or_else(String::new, |answer| answer.to_string())
            .contains("PERM001")
    };
    assert!(codes("claude-code"));
    assert!(!codes("codex"));
}

#[test]
fn a_command_can_be_judged_by_hand_as_any_agents() {
    let ground = Ground::new();
    ground.policy(POLICY);
    for (agent, exit) in [("claude-code", 3), ("codex", 1), ("of-tomorrow", 1)] {
        let judged = ground.run(&["check", "--agent", agent, "deploy"]);
        assert_eq!(judged.status.code(), Some(exit), "{agent}");
    }
    let told = ground.run(&["explain", "--agent", "codex", "deploy"]);
    let told = String::from_utf8(told.stdout).unwrap();
    assert!(told.contains("answer to OpenAI Codex"), "{told}");
    assert!(told.contains("hookgate knows no rules of this agent"), "{told}");
}

#[test]
fn an_agent_that_is_not_listed_never_fails_open() {
    let ground = Ground::new();
    ground.policy(POLICY);
    let call = |command: &str| {
        ground.event(
            "BeforeTool",
            &json!({ "tool_name": "run_shell_command", "tool_input": { "command": command } }),
        )
    };
    for command in ["echo x > secret.txt", "deploy", "rm -rf /"] {
        let answer = answer(&ground, "of-tomorrow", &call(command)).unwrap();
        assert_eq!(answer["decision"], "block", "{command}");
        assert_eq!(decision(Some(&answer)).as_deref(), Some("deny"), "{command}");
    }
    assert_eq!(answer(&ground, "of-tomorrow", &call("ls")), None);
    let torn = answer(&ground, "of-tomorrow", b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\"").unwrap();
    assert_eq!(torn["decision"], "block");
}
