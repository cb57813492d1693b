//! The audit log: one whole line per decision, whoever else writes and whatever kills the process.

use std::fs;
use std::io::Write;

use crate::support::{Ground, decision, feed};
use serde_json::{Value, json};

pub(crate) fn records(ground: &Ground) -> Vec<Value> {
    let text = fs::read_to_string(ground.audit()).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_decision_is_one_line_that_says_what_was_judged_and_why() {
    let ground = Ground::new();
    let (_, reason) = decision(&ground.hook(&ground.bash("rm -rf / --password hunter2")));
    let [record] = &records(&ground)[..] else { panic!("one record") };
    assert_eq!(record["decision"], "deny");
    assert_eq!(record["before"], "deny");
    assert_eq!(record["event"], "PreToolUse");
    assert_eq!(record["tool"], "Bash");
    assert_eq!(record["session"], "s1");
    assert_eq!(record["tool_use_id"], "toolu_1");
    assert_eq!(record["command"], "rm -rf / --password [redacted]");
    assert!(record["codes"].as_array().unwrap().contains(&json!("FILE001")));
    assert!(record["effects"].as_array().unwrap().contains(&json!("delete /")));
    assert!(record["micros"].as_u64().unwrap() > 0);
    let id = record["id"].as_str().unwrap();
    assert!(reason.contains(id), "{reason}");

    let story = String::from_utf8(ground.run(&["explain", id]).stdout).unwrap();
    assert!(story.contains("FILE001") && story.contains("delete /"), "{story}");
    let log = String::from_utf8(ground.run(&["log", "--code", "FILE"]).stdout).unwrap();
    assert!(log.contains(id) && log.contains("deny"), "{log}");
    assert!(ground.run(&["log", "--decision", "allow"]).stdout.starts_with(b"nothing in "));
}

#[test]
fn the_content_is_full_redacted_or_a_digest_as_the_policy_says() {
    for (content, expected) in
        [("full", "echo token=abc"), ("redacted", "echo token=[redacted]"), ("digest", "digest:")]
    {
        let ground = Ground::new();
        ground.policy(&format!("audit = {{ content = \"{content}\" }}\n"));
        ground.hook(&ground.bash("echo token=abc"));
        let command = records(&ground)[0]["command"].as_str().unwrap().to_owned();
        assert!(command.starts_with(expected), "{content}: {command}");
    }
}

#[test]
fn what_became_of_a_call_is_recorded_beside_its_decision() {
    let ground = Ground::new();
    ground.hook(&ground.bash("git status"));
    let mut command = ground.command();
    command.args(["hook", "--event", "PostToolUse"]);
    let fields =
        json!({ "tool_name": "Bash", "tool_use_id": "toolu_1", "tool_input": {}, "tool_response": {} });
    feed(command, &ground.event("PostToolUse", &fields));
    let records = records(&ground);
    assert_eq!(records[1]["outcome"], "ran");
    let story = ground.run(&["explain", records[0]["id"].as_str().unwrap()]);
    assert!(String::from_utf8_lossy(&story.stdout).contains("then the call ran"));
}

#[test]
fn sixty_four_parallel_hooks_lose_and_tear_no_line() {
    let ground = Ground::new();
    std::thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| ground.hook(&ground.bash("git status")));
        }
    });
    let records = records(&ground);
    assert_eq!(records.len(), 64);
    let ids: std::collections::BTreeSet<&str> =
        records.iter().filter_map(|record| record["id"].as_str()).collect();
    assert_eq!(ids.len(), 64, "every decision has a name of its own");
}

#[test]
fn a_killed_hook_loses_at_most_its_own_record() {
    let ground = Ground::new();
    for delay in 0..20 {
        let mut command = ground.command();
        command.args(["hook", "--event", "PreToolUse"]);
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&ground.bash("git status")).unwrap();
        drop(stdin);
        std::thread::sleep(std::time::Duration::from_micros(delay * 150));
        let _ = child.kill();
        child.wait().unwrap();
        ground.hook(&ground.bash("git log"));
    }
    let kept = records(&ground);
    let whole = kept.iter().filter(|record| record["command"] == "git log").count();
    assert_eq!(whole, 20, "the others' records stay whole");
}
