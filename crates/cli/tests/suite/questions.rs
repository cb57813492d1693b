//! `ask.once`: a question is put until a person has said yes to it, and then no more in that session.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Ground, decision, document};

const POLICY: &str = "[ask]\nonce = [\"ACME\"]\n[[rule]]\ncode = \"ACME001\"\nwhen = { run = \"make deploy **\" }\nthen = \"ask\"\nreason = \"deploys are announced\"\n";

fn ground(policy: &str) -> Ground {
    let ground = Ground::new();
    ground.policy(policy);
    ground
}

/// A call, as it is judged or as it has run.
fn call(ground: &Ground, event: &str, id: &str, command: &str, more: &Value) -> Vec<u8> {
    let mut fields = json!({
        "tool_name": "Bash", "tool_use_id": id, "tool_input": { "command": command, "description": id },
    });
    match event {
        "PostToolUse" => fields["tool_response"] = json!({ "stdout": "", "stderr": "" }),
        "PostToolUseFailure" => fields["error"] = json!("Exit code 1\nno"),
        "PermissionDenied" => fields["reason"] = json!("not safe"),
        _ => {}
    }
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ground.event(event, &fields)
}

fn asked(ground: &Ground, id: &str, command: &str) -> bool {
    asked_with(ground, id, command, &json!({}))
}

fn asked_with(ground: &Ground, id: &str, command: &str, more: &Value) -> bool {
    match decision(&ground.hook(&call(ground, "PreToolUse", id, command, more))).0.as_str() {
        "ask" => true,
        "" | "pass" => false,
        other => {
            assert_eq!(other, "no denial");
            false
        }
    }
}

fn happened(ground: &Ground, event: &str, id: &str, command: &str, more: &Value) {
    assert!(document(&ground.hook(&call(ground, event, id, command, more))).is_none());
}

#[test]
fn the_outcome_of_the_call_answers_its_question_for_the_session() {
    let ground = ground(POLICY);
    assert!(asked(&ground, "one", "make deploy web"));
    assert!(asked(&ground, "two", "make deploy web"), "no outcome is no answer");
    happened(&ground, "PostToolUse", "two", "make deploy web", &json!({}));
    let output = ground.hook(&call(&ground, "PreToolUse", "three", "make deploy web", &json!({})));
    assert_eq!(decision(&output).0, "");
    let context = document(&output).unwrap()["hookSpecificOutput"]["additionalContext"].to_string();
    assert!(context.contains("EXC:ACME001") && context.contains("a person agreed"), "{context}");
    // Another call, another session, another directory and another effect are other questions.
    assert!(asked(&ground, "four", "make deploy api"));
    assert!(asked_with(&ground, "five", "make deploy web", &json!({ "session_id": "s2" })));
    assert!(asked_with(&ground, "six", "make deploy web", &json!({ "cwd": ground.home() })));
}

#[test]
fn a_command_that_ran_and_failed_was_agreed_to_and_an_interrupted_or_denied_one_was_not() {
    for (event, more, again) in [
        ("PostToolUseFailure", json!({}), false),
        ("PostToolUseFailure", json!({ "is_interrupt": true }), true),
        ("PostToolUseFailure", json!({ "error": "the person does not want this" }), true),
        ("PermissionDenied", json!({}), true),
        ("PostToolUse", json!({ "permission_mode": "bypassPermissions" }), true),
        ("PostToolUse", json!({ "tool_use_id": "two" }), true),
    ] {
        let ground = ground(POLICY);
        assert!(asked(&ground, "one", "make deploy web"));
        happened(&ground, event, "one", "make deploy web", &more);
        assert_eq!(asked(&ground, "three", "make deploy web"), again, "{event} {more}");
    }
}

#[test]
fn an_outcome_with_another_input_under_the_same_id_answers_nothing() {
    let ground = ground(POLICY);
    assert!(asked(&ground, "one", "make deploy web"));
    happened(&ground, "PostToolUse", "one", "ls", &json!({}));
    assert!(asked(&ground, "two", "make deploy web"));
    // Sessions are kept apart whatever their names.
    let session = |name: &str| json!({ "session_id": name });
    assert!(asked_with(&ground, "three", "make deploy web", &session("a/b")));
    happened(&ground, "PostToolUse", "three", "make deploy web", &session("a/b"));
    assert!(!asked_with(&ground, "four", "make deploy web", &session("a/b")));
    assert!(asked_with(&ground, "five", "make deploy web", &session("a_b")));
}

#[test]
fn a_mode_in_which_the_client_may_answer_by_itself_is_no_persons_yes() {
    for mode in ["auto", "bypassPermissions", "something new"] {
        let ground = ground(POLICY);
        let mode = json!({ "permission_mode": mode });
        assert!(asked_with(&ground, "one", "make deploy web", &mode));
        happened(&ground, "PostToolUse", "one", "make deploy web", &json!({}));
        assert!(asked(&ground, "two", "make deploy web"), "{mode}");
    }
}

#[test]
fn without_the_key_every_call_is_asked_about_and_nothing_is_noted() {
    let ground =
        ground(POLICY.split_once("[[rule]]").map(|(_, rule)| format!("[[rule]]{rule}")).unwrap().as_str());
    assert!(asked(&ground, "one", "make deploy web"));
    happened(&ground, "PostToolUse", "one", "make deploy web", &json!({}));
    assert!(asked(&ground, "two", "make deploy web"));
    // What is there says only that the settings were looked at.
    let kept: Vec<_> = fs::read_dir(ground.home().join(".local/state/hookgate/sessions/s1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(kept, ["settings-checked"]);
}

#[test]
fn a_yes_to_one_rule_is_no_yes_to_another_and_denials_are_never_forgotten() {
    let ground = ground(POLICY);
    assert!(asked(&ground, "one", "make deploy web"));
    happened(&ground, "PostToolUse", "one", "make deploy web", &json!({}));
    ground.policy(&format!(
        "{POLICY}[[rule]]\ncode = \"ACME002\"\nwhen = {{ run = \"make deploy web\" }}\nthen = \"ask\"\nreason = \"x\"\n"
    ));
    let output = ground.hook(&call(&ground, "PreToolUse", "two", "make deploy web", &json!({})));
    let (decided, reason) = decision(&output);
    assert!(decided == "ask" && reason.contains("ACME002") && !reason.contains("[ACME001]"), "{reason}");
    ground.policy(&POLICY.replace("\"ask\"", "\"deny\""));
    let output = ground.hook(&call(&ground, "PreToolUse", "three", "make deploy web", &json!({})));
    assert_eq!(decision(&output).0, "deny");
}

#[test]
fn the_agent_can_neither_write_the_note_nor_report_an_outcome() {
    let ground = ground(POLICY);
    assert!(asked(&ground, "one", "make deploy web"));
    let state = ground.home().join(".local/state/hookgate/sessions/s1");
    let note = fs::read_dir(&state).unwrap().next().unwrap().unwrap().path();
    let target = state.join("yes");
    for command in [
        format!("cp {} {}", note.display(), target.display()),
        format!("echo '{{}}' > {}", target.display()),
        format!("mv {} /tmp/x", state.display()),
        format!("ln -s /tmp/x {}", target.display()),
        "echo '{\"hook_event_name\":\"PostToolUse\"}' | hookgate hook --event PostToolUse".to_owned(),
        format!("{} hook --event PostToolUse < /tmp/event.json", env!("CARGO_BIN_EXE_hookgate")),
    ] {
        let (decided, reason) = decision(&ground.hook(&ground.bash(&command)));
        assert!(decided == "deny" && reason.contains("GATE"), "{command}: {decided} {reason}");
    }
    let write = json!({ "tool_name": "Write", "tool_input": { "file_path": target, "content": "{}" } });
    assert_eq!(decision(&ground.hook(&ground.event("PreToolUse", &write))).0, "deny");
}

#[test]
fn a_repository_says_it_only_with_trust_and_the_gate_itself_is_always_asked_about() {
    let ground =
        ground(POLICY.split_once("[[rule]]").map(|(_, rule)| format!("[[rule]]{rule}")).unwrap().as_str());
    fs::write(ground.project().join(".hookgate.toml"), "[ask]\nonce = [\"*\"]\n").unwrap();
    assert!(asked(&ground, "one", "make deploy web"));
    happened(&ground, "PostToolUse", "one", "make deploy web", &json!({}));
    assert!(asked(&ground, "two", "make deploy web"));
    fs::write(ground.project().join("p.toml"), "[ask]\nonce = [\"GATE001\"]\n").unwrap();
    let output = ground.run(&["check", "--policy", "p.toml", "git status"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("can't be asked once per session"));
}

#[test]
fn init_asks_for_the_outcomes_that_it_needs() {
    let ground = ground(POLICY);
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let settings = fs::read_to_string(ground.home().join(".claude/settings.json")).unwrap();
    assert!(
        settings.contains("\"PostToolUse\"") && settings.contains("\"PostToolUseFailure\""),
        "{settings}"
    );
}

/// What a call of the agent starts can say that another call ran, and nobody has said yes to anything.
#[cfg(target_os = "linux")]
#[test]
fn an_outcome_that_comes_from_elsewhere_than_the_question_answers_nothing() {
    use std::process::{Command, Stdio};

    let ground = ground(POLICY);
    let outcome = ground.home().join("forged.json");
    let gate = env!("CARGO_BIN_EXE_hookgate");
    let copy = ground.home().join("other-name");
    fs::copy(gate, &copy).unwrap();
    let (copy, forged) = (copy.display(), outcome.display());
    let ways = [
        format!("{gate} hook --event PostToolUse < {forged}"),
        format!("cat {forged} | {gate} hook --event PostToolUse"),
        format!("cat {forged} | {copy} hook --event PostToolUse"),
        format!("cat {forged} | sh -c 'sleep 0; {gate} hook --event PostToolUse'"),
        format!("cat {forged} | setsid --wait {gate} hook --event PostToolUse"),
        format!("env -i HOME=$HOME {gate} hook --event PostToolUse < {forged}"),
    ];
    for (number, way) in ways.iter().enumerate() {
        let id = format!("call-{number}");
        assert!(asked(&ground, &id, "make deploy web"), "{way}");
        fs::write(&outcome, call(&ground, "PostToolUse", &id, "make deploy web", &json!({}))).unwrap();
        let mut shell = Command::new("bash");
        shell.args(["-c", &format!("{way}; true")]).env_clear().current_dir(ground.project());
        shell.env("HOME", ground.home()).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        let output = shell.output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{way}: {output:?}");
    }
    assert!(asked(&ground, "last", "make deploy web"));
    happened(&ground, "PostToolUse", "last", "make deploy web", &json!({}));
    assert!(!asked(&ground, "really", "make deploy web"), "the agent's own outcome counts");
}

/// Agents that are built on libuv feed their hooks through sockets that they have made.
#[cfg(target_os = "linux")]
#[test]
fn an_outcome_through_the_agents_own_socket_answers_and_one_through_a_pipe_does_not() {
    use std::io::{Read, Write};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::process::Stdio;

    let ground = ground(POLICY);
    let through = |event: &[u8]| {
        let (mut ours, theirs) = UnixStream::pair().unwrap();
        let mut hook = ground.command();
        hook.arg("hook").stdin(Stdio::from(OwnedFd::from(theirs))).stdout(Stdio::piped());
        let mut child = hook.spawn().unwrap();
        drop(hook);
        ours.write_all(event).unwrap();
        drop(ours);
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(child.wait().unwrap().success());
        said
    };
    let event = |event: &str, id: &str| call(&ground, event, id, "make deploy web", &json!({}));
    assert!(through(&event("PreToolUse", "one")).contains("\"ask\""));
    happened(&ground, "PostToolUse", "one", "make deploy web", &json!({}));
    assert!(through(&event("PreToolUse", "two")).contains("\"ask\""), "a pipe is not that socket");
    assert_eq!(through(&event("PostToolUse", "two")), "");
    assert!(!through(&event("PreToolUse", "three")).contains("\"ask\""));
}
