//! Bytes in: every documented field, and everything that must not be fatal.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on says so by failing")]

use std::path::Path;

use hookgate_agents::{Body, Decoded, Event, EventName, PermissionMode, PermissionUpdate, Problem, decode};
use serde_json::{Value, json};

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude-code");
    let mut fixtures: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read(path).unwrap())
        })
        .collect();
    fixtures.sort();
    fixtures
}

fn event(bytes: &[u8]) -> Event {
    match decode(bytes, None) {
        Decoded::Event(event) => event,
        Decoded::Unreadable { problem, .. } => panic!("{problem}: {}", String::from_utf8_lossy(bytes)),
    }
}

fn fixture(name: &str) -> Event {
    event(&fixtures().into_iter().find(|(file, _)| file == name).unwrap().1)
}

#[test]
fn every_event_has_a_fixture_and_every_documented_field_is_taken() {
    let fixtures = fixtures();
    for name in EventName::ALL {
        assert!(fixtures.iter().any(|(file, _)| file == name.as_str()), "{name} has no fixture");
    }
    for (file, bytes) in fixtures {
        let event = event(&bytes);
        assert_eq!(event.name.as_str(), file.split('-').next().unwrap());
        assert_eq!(event.session_id, "5f0c7a1e-3a55-4c0e-9d53-0e5a31a8c001");
        assert_eq!(event.cwd, "/home/ada/shop");
        assert!(event.transcript_path.ends_with("5f0c7a1e.jsonl"));
        assert_eq!(event.prompt_id(), Some("0a61c6a4-8d0c-4d7b-9a39-57d8a2f1b002"));
        let left: Vec<_> = event.rest.keys().map(String::as_str).collect();
        let accessors = ["prompt_id", "effort", "scratchpad_dir"];
        assert!(left.iter().all(|key| accessors.contains(key)), "{file}: {left:?}");
        let is_bare = matches!(event.name, EventName::SubagentStart);
        assert_eq!(event.body == Body::Other, is_bare, "{file}");
    }
}

#[test]
fn tool_events_give_their_call() {
    let event = fixture("PreToolUse-mcp-in-subagent");
    assert_eq!(event.permission_mode, Some(PermissionMode::BypassPermissions));
    assert_eq!((event.agent_id.as_deref(), event.agent_type.as_deref()), (Some("a41f"), Some("Explore")));
    assert_eq!((event.effort(), event.scratchpad_dir()), (Some("high"), Some("/tmp/claude-1000/shop")));
    let call = event.tool().unwrap();
    assert_eq!(call.name, "mcp__github__merge_pull_request");
    assert_eq!(call.input.get("number"), Some(&json!(17)));
    assert_eq!(call.id.as_deref(), Some("toolu_01B"));
    assert_eq!(call.mcp_server, Some(("github".to_owned(), "project".to_owned())));
    for name in ["PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure"] {
        assert_eq!(fixture(name).tool().unwrap().name, "Bash", "{name}");
    }
    let Body::PermissionRequest { suggestions, call } = fixture("PermissionRequest").body else { panic!() };
    assert_eq!(call.id, None);
    assert_eq!(suggestions.len(), 3, "the suggestion of an unknown kind is left out");
    assert!(
        matches!(&suggestions[0], PermissionUpdate::AddRules { rules, .. } if rules[0].tool_name == "Bash")
    );
    let Body::ToolResult { response, duration, .. } = fixture("PostToolUse-mcp").body else { panic!() };
    assert_eq!((response[0]["type"].as_str(), duration), (Some("text"), Some(310.5)));
    let Body::ToolFailure { error, interrupted, .. } = fixture("PostToolUseFailure").body else { panic!() };
    assert!(error.starts_with("Exit code 101\n") && !interrupted);
    let Body::ToolBatch(calls) = fixture("PostToolBatch").body else { panic!() };
    assert_eq!((calls.len(), calls[0].0.name.as_str(), calls[1].1.as_ref()), (2, "Read", None));
}

#[test]
fn the_other_bodies_hold_what_was_sent() {
    assert_eq!(fixture("UserPromptSubmit").prompt(), Some("deploy with key AKIA0000EXAMPLE"));
    assert_eq!(fixture("UserPromptExpansion").prompt(), Some("/release --minor now"));
    assert_eq!(fixture("Stop").last_assistant_message(), Some("Everything is done."));
    assert_eq!(fixture("StopFailure").last_assistant_message(), Some("I will now run the tests."));
    assert!(matches!(fixture("Stop-held-back").body, Body::Stop { stop_hook_active: true, .. }));
    let Body::Stop { agent_transcript_path, background_tasks, session_crons, .. } =
        fixture("SubagentStop").body
    else {
        panic!()
    };
    assert!(agent_transcript_path.unwrap().ends_with("agent-a41f.jsonl"));
    assert_eq!((background_tasks.len(), session_crons.len()), (1, 1));
    assert_eq!(
        fixture("FileChanged").body,
        Body::FileChanged { path: "/home/ada/shop/.env".to_owned(), change: "change".to_owned() }
    );
    let Body::SessionStart { source, context_tokens, prompt_cache_likely_expired, .. } =
        fixture("SessionStart").body
    else {
        panic!()
    };
    assert_eq!(
        (source.as_str(), context_tokens, prompt_cache_likely_expired),
        ("resume", Some(51000.0), Some(true))
    );
    let Body::MessageDisplay { index, is_final, delta, .. } = fixture("MessageDisplay").body else {
        panic!()
    };
    assert_eq!((index, is_final, delta.as_str()), (4, true, "the password is hunter2"));
}

#[test]
fn fields_of_an_unexpected_type_are_kept_and_never_fatal() {
    for name in EventName::ALL {
        let file = fixtures().into_iter().find(|(file, _)| file == name.as_str()).unwrap().1;
        let fields: serde_json::Map<String, Value> = serde_json::from_slice(&file).unwrap();
        for wrong in [Value::Null, json!(7), json!("text"), json!([1]), json!({"a": 1}), json!(true)] {
            for key in fields.keys().filter(|key| *key != "hook_event_name") {
                let mut fields = fields.clone();
                fields.insert(key.clone(), wrong.clone());
                let event = event(&serde_json::to_vec(&fields).unwrap());
                assert_eq!(&event.name, name, "{key} = {wrong}");
            }
        }
    }
    let event =
        event(br#"{"hook_event_name":"PreToolUse","tool_name":["Bash"],"tool_input":"ls","cwd":null}"#);
    assert_eq!(event.tool().unwrap(), &hookgate_agents::ToolCall::default());
    assert_eq!(event.rest.get("tool_input"), Some(&json!("ls")));
    assert_eq!(event.rest.get("tool_name"), Some(&json!(["Bash"])));
}

#[test]
fn unknown_events_modes_and_fields_are_kept() {
    let event = event(br#"{"hook_event_name":"TurnRewound","permission_mode":"yolo","turns":2}"#);
    assert_eq!(event.name, EventName::Unknown("TurnRewound".to_owned()));
    assert_eq!(event.permission_mode, Some(PermissionMode::Unknown("yolo".to_owned())));
    assert_eq!(event.rest.get("turns"), Some(&json!(2)));
    assert_eq!(event.body, Body::Other);
}

#[test]
fn broken_text_is_read_all_the_same() {
    let command = |bytes: &[u8]| event(bytes).tool().unwrap().text("command").unwrap().to_owned();
    for (bytes, expected) in [
        (
            &b"\xef\xbb\xbf {\"hook_event_name\":\"PreToolUse\",\"tool_input\":{\"command\":\"ls\"}}\r\n"[..],
            "ls",
        ),
        (
            br#"{"hook_event_name":"PreToolUse","tool_input":{"command":"rm -rf / \ud800"}}"#,
            "rm -rf / \u{fffd}",
        ),
        (
            br#"{"hook_event_name":"PreToolUse","tool_input":{"command":"\udc00\ud83d\ude00"}}"#,
            "\u{fffd}\u{1f600}",
        ),
        (b"{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{\"command\":\"ls \xff\"}}", "ls \u{fffd}"),
        (b"{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{\"command\":\"a\0b\nc\"}}\0\0", "a\0b\nc"),
        (br#"{"hook_event_name":"PreToolUse","tool_input":{"command":"ls","command":"rm"}}"#, "rm"),
        (br#"{"hook_event_name":"Stop","hook_event_name":"PreToolUse","tool_input":{"command":"x"}}"#, "x"),
    ] {
        assert_eq!(command(bytes), expected, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn what_can_not_be_read_is_searched_for_its_event() {
    let deep = format!(
        r#"{{"hook_event_name":"PreToolUse","tool_input":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for (bytes, name) in [
        (&b""[..], None),
        (b" \n\0", None),
        (b"[]", None),
        (b"null", None),
        (b"{}", None),
        (br#"[{"hook_event_name":"Stop"}]"#, Some("Stop")),
        (br#"{"hook_event_name" : "PreToolUse","tool_input":{"command":"rm"#, Some("PreToolUse")),
        (br#"{"hook_event_name":"Stop"} {"hook_event_name":"Stop"}"#, Some("Stop")),
        (br#"{"hook_event_name":"Sto"#, None),
        (br#"{"hook_event_name":7"#, None),
        (br#"{"prompt":"\"hook_event_name\":\"Stop\"","#, None),
        (br#"{"x":{"hook_event_name":"Later"},"hook_event_name":"PreToolUse","#, Some("PreToolUse")),
        (br#"{"hook_event_name":"Later","#, Some("Later")),
        (deep.as_bytes(), Some("PreToolUse")),
        (b"\xff\xfe{\0\"\0", None),
    ] {
        let Decoded::Unreadable { name: found, .. } = decode(bytes, None) else {
            panic!("read {}", String::from_utf8_lossy(bytes))
        };
        assert_eq!(found.as_ref().map(EventName::as_str), name, "{:.60}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn the_hint_counts_where_the_bytes_do_not_say() {
    let Decoded::Event(event) = decode(br#"{"tool_name":"Bash"}"#, Some("PreToolUse")) else { panic!() };
    assert_eq!(event.name, EventName::PreToolUse);
    assert_eq!(event.tool().unwrap().name, "Bash");
    let Decoded::Event(event) = decode(br#"{"hook_event_name":"Stop"}"#, Some("PreToolUse")) else {
        panic!()
    };
    assert_eq!(event.name, EventName::Stop);
    assert_eq!(
        decode(b"{\"hook_event_name\":\"Stop\"", Some("PreToolUse")),
        Decoded::Unreadable {
            name: Some(EventName::PreToolUse),
            problem: Problem::NotJson("EOF while parsing an object at line 1 column 25".to_owned())
        }
    );
    for (bytes, problem) in
        [(&b"\n"[..], Problem::Empty), (b"7", Problem::NotAnObject), (b"{}", Problem::NoEventName)]
    {
        assert_eq!(decode(bytes, None), Decoded::Unreadable { name: None, problem });
    }
    assert!(matches!(decode(b"{}", Some("")), Decoded::Unreadable { name: None, .. }));
}
