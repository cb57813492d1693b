//! Law 1: whatever comes in and whatever is broken, `hookgate hook` ends with exit 0 and nothing or one document; a refusal
//! that can't be written ends with exit 2.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Ground, decision, document, feed};
use proptest::prelude::*;

#[test]
fn unreadable_input_is_answered_by_event_class() {
    let ground = Ground::new();
    let deep =
        format!("{{\"hook_event_name\":\"PreToolUse\",\"x\":{}{}}}", "[".repeat(5000), "]".repeat(5000));
    let garbage: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"\0\0\0".to_vec(),
        b"not json".to_vec(),
        b"[]".to_vec(),
        b"{\"hook_event_name\":\"PreToolUse\"".to_vec(),
        b"{}{}".to_vec(),
        deep.into_bytes(),
    ];
    for bytes in garbage {
        let (decision, reason) = decision(&ground.hook(&bytes));
        assert_eq!(decision, "ask", "{:?}", String::from_utf8_lossy(&bytes));
        assert!(reason.contains("the agent sent"), "{reason}");
    }
}

#[test]
fn a_stop_that_cannot_be_read_is_released_with_a_notice() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.args(["hook", "--event", "Stop"]);
    let answer = document(&feed(command, b"garbage")).unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("the agent sent"));
    assert!(answer.get("decision").is_none());
}

#[test]
fn without_a_name_an_enforcing_gate_blocks() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.arg("hook");
    let answer = document(&feed(command, b"garbage")).unwrap();
    assert_eq!(answer["decision"], "block");
}

#[test]
fn strange_but_readable_input_is_judged() {
    let ground = Ground::new();
    let cwd = ground.project().display().to_string();
    let event = |input: &str| {
        format!(
            "{{\"session_id\":\"s\",\"cwd\":\"{cwd}\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{input}}}"
        )
    };
    for bytes in [
        format!("\u{feff}{}", event("{\"command\":\"rm -rf /\"}")).into_bytes(),
        event("{\"command\":\"rm -rf / \\ud800\"}").into_bytes(),
        event("{\"command\":\"ls\",\"command\":\"rm -rf /\"}").into_bytes(),
        event("{\"command\":\"rm -rf /\",\"extra\":[{}]}").replace("\"s\"", "1e99").into_bytes(),
        [event("{\"command\":\"rm -rf / ").as_bytes(), b"\xff\xfe", b"\"}}"].concat(),
    ] {
        let (decision, reason) = decision(&ground.hook(&bytes));
        assert_eq!(decision, "deny", "{}: {reason}", String::from_utf8_lossy(&bytes));
        assert!(reason.contains("[FILE001]"), "{reason}");
    }
}

#[test]
fn a_hundred_megabytes_of_garbage_are_drained_and_answered() {
    let ground = Ground::new();
    let (decision, reason) = decision(&ground.hook(&vec![b'x'; 100 << 20]));
    assert_eq!(decision, "ask");
    assert!(reason.contains("larger than"), "{reason}");
}

#[test]
fn an_agent_that_never_closes_its_pipe_gets_an_answer_in_time() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.args(["hook", "--event", "PreToolUse", "--deadline", "200ms"]);
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    assert!(start.elapsed() < Duration::from_secs(60));
    let (decision, reason) = decision(&output);
    assert_eq!(decision, "ask");
    assert!(reason.contains("didn't decide within 200 ms"), "{reason}");
}

#[test]
fn a_refusal_that_cannot_be_written_exits_with_2() {
    let ground = Ground::new();
    let mut command = ground.command();
    command
        .args(["hook", "--event", "PreToolUse"])
        .stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let output = feed(command, &ground.bash("rm -rf /"));
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("[FILE001]"));

    let mut command = ground.command();
    command
        .args(["hook", "--event", "PreToolUse"])
        .stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
    assert_eq!(feed(command, &ground.bash("git status")).status.code(), Some(0), "a pass needs no stdout");
}

#[test]
fn no_home_and_no_writable_state_change_no_decision() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.env_remove("HOME").args(["hook", "--event", "PreToolUse"]);
    assert_eq!(decision(&feed(command, &ground.bash("rm -rf /"))).0, "deny");

    let state = ground.folder.path().join("state");
    File::create(&state).unwrap();
    let mut command = ground.command();
    command.env("XDG_STATE_HOME", &state).args(["hook", "--event", "PreToolUse"]);
    assert_eq!(decision(&feed(command, &ground.bash("rm -rf /"))).0, "deny");

    fs::set_permissions(ground.home(), fs::Permissions::from_mode(0o555)).unwrap();
    assert_eq!(decision(&ground.hook(&ground.bash("rm -rf /"))).0, "deny");
    fs::set_permissions(ground.home(), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_broken_policy_leaves_the_last_good_one_in_force_and_says_so() {
    let ground = Ground::new();
    let deny = "[[rule]]\ncode = \"OWN001\"\nwhen = { run = \"make deploy\" }\nthen = \"deny\"\nreason = \"not from here\"\n";
    ground.policy(deny);
    assert_eq!(decision(&ground.hook(&ground.bash("make deploy"))).0, "deny");
    ground.policy("[[rule]\nthis is no policy");
    let output = ground.hook(&ground.bash("make deploy"));
    let (decision, reason) = decision(&output);
    assert_eq!(decision, "deny");
    assert!(reason.contains("[OWN001]"), "{reason}");
    let notice = document(&output).unwrap()["systemMessage"].as_str().unwrap().to_owned();
    assert!(notice.contains("can't read its policy"), "{notice}");
}

#[test]
fn a_policy_that_was_never_good_falls_back_to_the_preset() {
    let ground = Ground::new();
    ground.policy("mode = \"of\"");
    assert_eq!(decision(&ground.hook(&ground.bash("rm -rf /"))).0, "deny");
}

#[test]
fn strange_arguments_are_no_usage_error() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.args([
        "hook",
        "--from-the-future",
        "x",
        "--event",
        "PreToolUse",
        "--deadline",
        "soon",
        "--agent",
    ]);
    assert_eq!(decision(&feed(command, &ground.bash("rm -rf /"))).0, "deny");
}

#[test]
fn nothing_but_the_answer_goes_to_stdout_and_nothing_to_stderr() {
    let ground = Ground::new();
    let output = ground.hook(&ground.bash("git status"));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn stdout_may_be_closed() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.args(["hook", "--event", "PreToolUse"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, &ground.bash("rm -rf /")).unwrap();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..400), json in any::<bool>()) {
        let ground = Ground::new();
        let bytes = if json { ground.bash(&String::from_utf8_lossy(&bytes)) } else { bytes };
        let output = ground.hook(&bytes);
        let code = output.status.code();
        prop_assert!(code == Some(0) || code == Some(2));
        if code == Some(0) && !output.stdout.is_empty() {
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap().is_object());
        }
    }
}
