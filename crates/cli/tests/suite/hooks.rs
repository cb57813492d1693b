//! Hook programs under supervision: no way of going wrong lets a call through that a hook refused.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Ground, decision, document};

const DENY: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not on my watch"}}"#;

fn hooked(entries: &[(&str, &str)]) -> Ground {
    let ground = Ground::new();
    let text: String = entries
        .iter()
        .map(|(run, rest)| format!("[[hook]]\non = \"PreToolUse\"\nrun = '''{run}'''\n{rest}\n"))
        .collect();
    ground.policy(&text);
    ground
}

#[test]
fn a_refusal_behind_a_banner_with_a_raw_line_break_or_beside_exit_code_one_refuses() {
    for run in [
        format!("echo starting; echo '{DENY}'"),
        format!("echo '{}'", DENY.replace("on my", "on\nmy")),
        format!("echo '{DENY}'; exit 1"),
        "cat >/dev/null; echo 'not on my watch' >&2; exit 2".to_owned(),
        r#"echo '{"decision":"block","reason":"not on my watch"}'"#.to_owned(),
    ] {
        let (decided, reason) = decision(&hooked(&[(&run, "")]).hook(&Ground::new().bash("git status")));
        assert_eq!(decided, "deny", "{run}: {reason}");
        assert!(reason.contains("[HOOK001] not on"), "{run}: {reason}");
    }
}

#[test]
fn garbage_is_told_and_gets_what_its_on_error_says() {
    for (on_error, expected) in [("pass", "pass"), ("notice", ""), ("ask", "ask"), ("deny", "deny")] {
        for (run, told) in [
            ("echo '{permissionDecision: deny'", "begins like JSON and is none"),
            ("exit 7", "exit code 7"),
            ("./missing.sh", "exit code 127"),
            ("sleep 20", "did not answer within 300 ms"),
            ("kill -9 $$", "ended by a signal"),
        ] {
            let ground = hooked(&[(run, &format!("on-error = \"{on_error}\"\ndeadline = \"300ms\""))]);
            let output = ground.hook(&ground.bash("git status"));
            let (decided, _) = decision(&output);
            assert_eq!(decided, expected, "{on_error} {run}");
            if on_error != "pass" {
                let notice = document(&output).unwrap()["systemMessage"].as_str().unwrap_or("").to_owned();
                assert!(notice.contains(told) && notice.contains("HOOK001"), "{run}: {notice}");
            }
        }
    }
}

#[test]
fn hooks_run_at_the_same_time_and_the_strictest_answer_holds() {
    let allow = DENY.replace("deny", "allow");
    let (first, second) = (format!("sleep 0.5; echo '{allow}'"), format!("sleep 0.5; echo '{DENY}'"));
    let ground = hooked(&[(&first, ""), (&second, "code = \"ACME001\"")]);
    let start = Instant::now();
    let (decided, reason) = decision(&ground.hook(&ground.bash("git status")));
    assert!(decided == "deny" && reason.contains("[ACME001]"), "{reason}");
    assert!(start.elapsed() < Duration::from_millis(950), "{:?}", start.elapsed());
}

#[test]
fn an_explicit_allow_grants_and_never_past_a_rule() {
    let ground = hooked(&[(&format!("echo '{}'", DENY.replace("deny", "allow")), "")]);
    assert_eq!(decision(&ground.hook(&ground.bash("git status"))).0, "allow");
    assert_eq!(decision(&ground.hook(&ground.bash("git push --force origin main"))).0, "deny");
}

#[test]
fn a_hooks_new_input_is_judged_again() {
    let rewrite = |command: &str| {
        json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": { "command": command } } })
            .to_string()
    };
    let ground = hooked(&[(&format!("echo '{}'", rewrite("git status -s")), "")]);
    let answer = document(&ground.hook(&ground.bash("git status"))).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"]["command"], "git status -s");
    let ground = hooked(&[(&format!("echo '{}'", rewrite("git push --force origin main")), "")]);
    assert_eq!(decision(&ground.hook(&ground.bash("git status"))).0, "deny");
}

#[test]
fn a_hook_sees_the_event_and_runs_only_where_its_condition_holds() {
    let ground = hooked(&[("cat > seen.json", "when = { tool = \"Bash\" }")]);
    let write = json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": "" } });
    ground.hook(&ground.event("PreToolUse", &write));
    let seen = ground.project().join("seen.json");
    assert!(!seen.exists());
    ground.hook(&ground.bash("git status"));
    let event: Value = serde_json::from_str(&std::fs::read_to_string(seen).unwrap()).unwrap();
    assert_eq!(event["tool_input"]["command"], "git status");
}

#[test]
fn a_repositorys_hook_is_not_run_without_trust() {
    let ground = Ground::new();
    let text = "[[hook]]\non = \"PreToolUse\"\nrun = \"touch ran\"\n";
    std::fs::write(ground.project().join(".hookgate.toml"), text).unwrap();
    let output = ground.hook(&ground.bash("git status"));
    let notice = document(&output).unwrap()["systemMessage"].as_str().unwrap().to_owned();
    assert!(notice.contains("its hooks are not run"), "{notice}");
    assert!(!ground.project().join("ran").exists());
}
