//! `[[notify]]`: what a person hears of beside the answer, without any answer waiting for it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Ground, decision, document};

fn ground(policy: &str) -> Ground {
    let ground = Ground::new();
    ground.policy(policy);
    ground
}

/// What a detached program has written, once it has.
fn awaited(path: &Path) -> String {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        match fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    String::new()
}

fn notification() -> Value {
    json!({ "message": "Claude needs your permission; really", "title": "Claude Code", "notification_type": "permission_prompt" })
}

#[test]
fn the_terminal_gets_a_sequence_with_the_answer_in_each_form() {
    for (form, expected) in [
        ("", "\u{1b}]9;Claude Code: Claude needs your permission, really\u{7}"),
        ("form = \"osc777\"", "\u{1b}]777;notify;Claude Code;Claude needs your permission, really\u{7}"),
        (
            "form = \"osc99\"",
            "\u{1b}]99;i=hookgate:d=0:p=title;Claude Code\u{7}\u{1b}]99;i=hookgate:p=body;Claude needs your permission, really\u{7}",
        ),
    ] {
        let ground = ground(&format!("[[notify]]\non = \"Notification\"\nby = \"terminal\"\n{form}\n"));
        let answer = document(&ground.hook(&ground.event("Notification", &notification()))).unwrap();
        assert_eq!(answer, json!({ "terminalSequence": expected }), "{form}");
    }
}

#[test]
fn a_question_and_a_refusal_ring_and_say_which_rule() {
    let ground = ground(
        "[[notify]]\non = [\"ask\", \"deny\"]\nby = \"terminal\"\n[[notify]]\non = \"deny\"\nby = \"bell\"\n[rules]\nGIT007 = \"ask\"\n",
    );
    let output = ground.hook(&ground.bash("git push --force origin main"));
    assert_eq!(decision(&output).0, "deny");
    let sequence = document(&output).unwrap()["terminalSequence"].as_str().unwrap().to_owned();
    assert!(sequence.starts_with("\u{1b}]9;hookgate: stopped a call in project: [GIT"), "{sequence:?}");
    assert!(sequence.ends_with("\u{7}\u{7}"), "{sequence:?}");
    let output = ground.hook(&ground.bash("rm -rf \"$X\""));
    assert_eq!(decision(&output).0, "ask");
    let sequence = document(&output).unwrap()["terminalSequence"].as_str().unwrap().to_owned();
    assert!(sequence.starts_with("\u{1b}]9;hookgate: asks in project: ["), "{sequence:?}");
    assert!(document(&ground.hook(&ground.bash("git status"))).is_none());
}

#[test]
fn a_program_reads_the_notification_and_nobody_waits_for_it() {
    let ground = ground(
        "[[notify]]\non = \"Stop\"\nrun = \"cat > seen.json; echo >> seen.json; sleep 60\"\n[[notify]]\non = \"deny\"\nrun = [\"sh\", \"-c\", \"cat > denied.json; echo >> denied.json; sleep 60\"]\n",
    );
    let start = Instant::now();
    assert!(document(&ground.hook(&ground.event("Stop", &json!({ "stop_hook_active": false })))).is_none());
    ground.hook(&ground.bash("git push --force origin main"));
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
    let seen: Value = serde_json::from_str(&awaited(&ground.project().join("seen.json"))).unwrap();
    assert_eq!((&seen["event"], &seen["text"]), (&json!("Stop"), &json!("the agent stopped in project")));
    let seen: Value = serde_json::from_str(&awaited(&ground.project().join("denied.json"))).unwrap();
    assert_eq!((&seen["decision"], &seen["title"]), (&json!("deny"), &json!("hookgate")));
    assert!(seen["codes"].as_array().unwrap().iter().any(|code| code.as_str().unwrap().starts_with("GIT")));
    assert!(!seen.to_string().contains("--force origin"), "{seen}");
}

#[test]
fn an_address_is_posted_to_and_stays_off_the_process_list() {
    if !hookgate_testing::has("curl", &["--version"]) {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/secret-path", listener.local_addr().unwrap());
    let ground = ground(&format!("[[notify]]\non = \"Notification\"\nurl = \"{url}\"\n"));
    ground.hook(
        &ground
            .event("Notification", &json!({ "message": "say \"hi\" \\ to\nme", "notification_type": "x" })),
    );
    let (mut stream, _) = listener.accept().unwrap();
    let mut request = String::new();
    let mut buffer = [0; 4096];
    while !request.contains("\"cwd\"") {
        let count = stream.read(&mut buffer).unwrap();
        request.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
    assert!(request.starts_with("POST /secret-path "), "{request}");
    assert!(request.contains("Content-Type: application/json"), "{request}");
    let body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(body["text"], "say \"hi\" \\ to me");
}

#[test]
fn secrets_and_control_sequences_never_leave_with_a_notification() {
    let ground = ground("[[notify]]\non = \"Notification\"\nby = \"terminal\"\n");
    let message = "use ghp_0123456789abcdefghijABCDEFGHIJ012345 \u{1b}]52;c;aGk=\u{7} now";
    let event = ground
        .event("Notification", &json!({ "message": message, "title": "9 lives", "notification_type": "x" }));
    let answer = document(&ground.hook(&event)).unwrap();
    let sequence = answer["terminalSequence"].as_str().unwrap();
    assert!(!sequence.contains("ghp_0123"), "{sequence:?}");
    assert_eq!(sequence.matches('\u{1b}').count(), 1, "{sequence:?}");
    assert!(sequence.starts_with("\u{1b}]9; 9 lives: "), "{sequence:?}");
}

#[test]
fn nothing_is_sent_without_an_entry_without_trust_and_while_the_gate_is_silent() {
    let entry = "[[notify]]\non = [\"deny\", \"Stop\"]\nrun = \"touch ran\"\n[[notify]]\non = \"deny\"\nby = \"bell\"\n";
    let ground = Ground::new();
    let plain = document(&ground.hook(&ground.bash("git push --force origin main"))).unwrap();
    assert_eq!(plain.get("terminalSequence"), None);
    fs::write(ground.project().join(".hookgate.toml"), entry).unwrap();
    let answer = document(&ground.hook(&ground.bash("git push --force origin main"))).unwrap();
    assert_eq!(answer.get("terminalSequence"), None);
    assert!(answer["systemMessage"].to_string().contains("its notifications aren't sent"), "{answer}");
    fs::remove_file(ground.project().join(".hookgate.toml")).unwrap();
    for mode in ["shadow", "off"] {
        ground.policy(&format!("mode = \"{mode}\"\n{entry}"));
        ground.hook(&ground.bash("git push --force origin main"));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(!ground.project().join("ran").exists());
}

#[test]
fn a_condition_chooses_the_notifications() {
    let ground = ground(
        "[[notify]]\non = \"Notification\"\nwhen = { field = { notification_type = \"idle_prompt\" } }\nby = \"bell\"\ntext = \"x\"\n",
    );
    assert!(document(&ground.hook(&ground.event("Notification", &notification()))).is_none());
    let idle = json!({ "message": "m", "notification_type": "idle_prompt" });
    assert_eq!(
        document(&ground.hook(&ground.event("Notification", &idle))).unwrap()["terminalSequence"],
        "\u{7}"
    );
}

#[test]
fn a_policy_that_names_no_way_or_two_is_told_so() {
    for (entry, says) in [
        ("on = \"Stop\"", "a notification without `by`"),
        ("by = \"bell\"", "a notification without `on`"),
        ("on = \"Stop\"\nby = \"webhook\"", "a notification without `url`"),
        ("on = \"Stop\"\nby = \"bell\"\nrun = \"x\"", "`run` with another `by`"),
        ("on = \"Stop\"\nurl = \"file:///etc/passwd\"", "not a URL that hookgate can post to"),
        ("on = \"Stopp\"\nby = \"bell\"", "did you mean `Stop`?"),
        ("on = \"denied\"\nby = \"bell\"", "unknown value `denied`"),
    ] {
        let ground = Ground::new();
        fs::write(ground.project().join("p.toml"), format!("[[notify]]\n{entry}\n")).unwrap();
        let output = ground.run(&["check", "--policy", "p.toml", "git status"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(says), "{entry}: {text}");
    }
}
