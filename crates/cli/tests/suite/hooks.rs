//! Hook programs under supervision: no way of going wrong lets a call through that a hook refused.

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
            ("echo '{permissionDecision: deny'", "printed invalid JSON"),
            ("exit 7", "exited with 7"),
            ("./missing.sh", "exited with 127"),
            ("sleep 20", "didn't answer within 300 ms"),
            ("kill -9 $$", "killed by a signal"),
            ("head -c 300 /dev/zero | tr '\\0' '\\377'", "wrote bytes that aren't UTF-8"),
            ("printf '\\001\\002\\003'", "wrote control characters"),
            ("printf '{\\000}\\000'", "wrote UTF-16 instead of UTF-8"),
            ("echo '[\"deny\"]'", "printed JSON that is no object"),
        ] {
            // Only the one that hangs is to meet its deadline, however busy the machine is.
            let deadline = if run.starts_with("sleep") { "300ms" } else { "4s" };
            let ground = hooked(&[(run, &format!("on-error = \"{on_error}\"\ndeadline = \"{deadline}\""))]);
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
fn a_line_of_text_beside_exit_code_zero_is_no_answer_and_no_failure() {
    for text in ["all good", "deny", "Checked 3 files; nothing to do", "[INFO] checked"] {
        let ground = hooked(&[(&format!("echo '{text}'"), "on-error = \"deny\"\ndeadline = \"4s\"")]);
        assert_eq!(decision(&ground.hook(&ground.bash("git status"))).0, "pass", "{text}");
    }
}

/// Each waits for the other: one after the other, neither would answer.
#[test]
fn hooks_run_at_the_same_time_and_the_strictest_answer_holds() {
    let ask = DENY.replace("deny", "ask");
    let meet = |mine: &str, other: &str, answer: &str| {
        format!("touch {mine}; until [ -e {other} ]; do sleep 0.02; done; echo '{answer}'")
    };
    let (first, second) = (meet("one", "two", &ask), meet("two", "one", DENY));
    let ground = hooked(&[
        (&first, "code = \"ACME001\"\ndeadline = \"20s\""),
        (&second, "code = \"ACME002\"\ndeadline = \"20s\""),
    ]);
    let output = ground.hook(&ground.bash("git status"));
    let (decided, reason) = decision(&output);
    assert!(decided == "deny" && reason.contains("[ACME001]") && reason.contains("[ACME002]"), "{reason}");
    assert!(!reason.contains("didn't answer"), "{reason}");
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
    assert!(notice.contains("its hooks don't run"), "{notice}");
    assert!(!ground.project().join("ran").exists());
}

fn report(ground: &Ground) -> Vec<(String, String, String)> {
    let output = ground.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let rows = report["findings"].as_array().unwrap().iter();
    rows.map(|row| (text(row, "check"), text(row, "health"), text(row, "text"))).collect()
}

#[test]
fn doctor_tells_which_hooks_failed_and_whose_program_is_missing() {
    let ground = Ground::new();
    ground.policy(
        "[[hook]]\non = \"PreToolUse\"\nrun = \"echo '{broken'\"\n[[hook]]\non = \"PreToolUse\"\nrun = \"exit 0\"\n\
         [[hook]]\non = \"Stop\"\nrun = \"./gone/check.sh --fast\"\n[[hook]]\non = \"Stop\"\nrun = [\"no-such-program-here\", \"x\"]\n\
         [[hook]]\non = \"Stop\"\nrun = '\"$CLAUDE_PROJECT_DIR\"/hooks/gone.sh'\n",
    );
    ground.hook(&ground.bash("git status"));
    ground.hook(&ground.bash("git status"));
    let rows: Vec<_> = report(&ground).into_iter().filter(|row| row.0 == "hooks").collect();
    let problems: Vec<&str> =
        rows.iter().filter(|row| row.1 == "problem").map(|row| row.2.as_str()).collect();
    assert_eq!(problems.len(), 4, "{rows:#?}");
    assert!(
        problems[0].starts_with("HOOK001 (`echo '{broken'`) failed on 2 of its events in a week, last at 20")
    );
    assert!(problems[0].contains("printed invalid JSON"), "{}", problems[0]);
    assert_eq!(problems[1], "HOOK003 runs `./gone/check.sh --fast`, but `./gone/check.sh` isn't installed");
    assert!(problems[2].contains("`no-such-program-here` isn't installed"), "{}", problems[2]);
    assert!(problems[3].ends_with("project/hooks/gone.sh` isn't installed"), "{}", problems[3]);
    assert!(rows.iter().any(|row| row.1 == "ok" && row.2 == "HOOK002 runs `exit 0`"), "{rows:#?}");
}

#[test]
fn doctor_looks_for_the_notifiers() {
    let ground = Ground::new();
    ground.policy(
        "[[notify]]\non = \"Stop\"\nby = \"bell\"\n[[notify]]\non = \"Stop\"\nrun = [\"no-such-notifier\"]\n[[notify]]\non = \"Stop\"\nrun = \"echo x\"\n",
    );
    let rows: Vec<_> = report(&ground).into_iter().filter(|row| row.0 == "notify").collect();
    let texts: Vec<&str> = rows.iter().map(|row| row.2.as_str()).collect();
    assert_eq!(
        texts,
        [
            "a [[notify]] goes to a program, but `no-such-notifier` isn't installed: nothing is sent",
            "notifications go to a program"
        ]
    );
}

#[test]
fn a_hook_whose_program_is_missing_is_told_once_and_stops_nothing() {
    let ground =
        hooked(&[(&format!("echo '{DENY}'"), "requires = { no-such-jq = \"*\" }\non-error = \"deny\"")]);
    let output = ground.hook(&ground.bash("git status"));
    let notice = document(&output).unwrap()["systemMessage"].as_str().unwrap().to_owned();
    assert_eq!(notice, "`no-such-jq` isn't on PATH: HOOK001 doesn't run until it is installed");
    assert!(document(&ground.hook(&ground.bash("git status"))).is_none());
    let rows = report(&ground);
    assert!(rows.iter().any(|row| row.1 == "problem" && row.2 == notice), "{rows:#?}");

    let ground = hooked(&[(&format!("echo '{DENY}'"), "requires = { sh = \"*\" }")]);
    assert_eq!(decision(&ground.hook(&ground.bash("git status"))).0, "deny");
}
