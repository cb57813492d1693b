//! Bytes in: every documented field, and everything that must not be fatal.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on says so by failing")]

use std::path::Path;

use hookgate_agents::{
    CLAUDE_CODE, CODEX, Decoded, Event, EventName, Map, Outcome, PermissionMode, Problem, Profile, Shell,
    Tool, ToolCall,
};
use serde_json::{Value, json};

fn fixtures_of(agent: &Profile) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(agent.name);
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

fn event_of(agent: &'static Profile, bytes: &[u8]) -> Event {
    match agent.decode(bytes, None) {
        Decoded::Event(event) => event,
        Decoded::Unreadable { problem, .. } => panic!("{problem}: {}", String::from_utf8_lossy(bytes)),
    }
}

fn fixture_of(agent: &'static Profile, name: &str) -> Event {
    event_of(agent, &fixtures_of(agent).into_iter().find(|(file, _)| file == name).unwrap().1)
}

fn event(bytes: &[u8]) -> Event {
    event_of(&CLAUDE_CODE, bytes)
}

fn fixture(name: &str) -> Event {
    fixture_of(&CLAUDE_CODE, name)
}

fn decode(bytes: &[u8], hint: Option<&str>) -> Decoded {
    CLAUDE_CODE.decode(bytes, hint)
}

/// A field of the event, wherever it was put.
fn found(event: &Event, key: &str) -> Option<Value> {
    let text = |text: &str| Some(Value::from(text));
    let call = event.call.as_ref();
    match key {
        "hook_event_name" => text(event.name.as_str()),
        "session_id" => text(&event.session_id),
        "transcript_path" if !event.transcript_path.is_empty() => text(&event.transcript_path),
        "cwd" => text(&event.cwd),
        "permission_mode" => text(event.permission_mode.as_ref()?.as_str()),
        "agent_id" => text(event.agent_id.as_deref()?),
        "agent_type" => text(event.agent_type.as_deref()?),
        "tool_name" => text(&call?.name),
        "tool_input" => Some(Value::Object(call?.input.clone())),
        "tool_use_id" => text(call?.id.as_deref()?),
        "mcp_server" => {
            let (name, source) = call?.mcp_server.clone()?;
            Some(json!({"name": name, "source": source}))
        }
        key => event.fields.get(key).cloned(),
    }
}

#[test]
fn every_event_of_every_agent_has_a_fixture_and_no_field_of_it_is_lost() {
    for agent in Profile::ALL {
        let fixtures = fixtures_of(agent);
        for name in agent.events {
            assert!(
                fixtures.iter().any(|(file, _)| file == name.as_str()),
                "{}: {name} has no fixture",
                agent.name
            );
        }
        for (file, bytes) in fixtures {
            let event = event_of(agent, &bytes);
            assert_eq!(event.agent.name, agent.name);
            assert!(agent.events.contains(&event.name), "{file}");
            assert_eq!(event.name.as_str(), file.split('-').next().unwrap());
            let sent: Map = serde_json::from_slice(&bytes).unwrap();
            for (key, value) in &sent {
                assert_eq!(found(&event, key).as_ref(), Some(value), "{} {file}: {key}", agent.name);
            }
        }
    }
}

#[test]
fn tool_events_give_their_call() {
    let event = fixture("PreToolUse-mcp-in-subagent");
    assert_eq!(event.permission_mode, Some(PermissionMode::BypassPermissions));
    assert_eq!((event.agent_id.as_deref(), event.agent_type.as_deref()), (Some("a41f"), Some("Explore")));
    let call = event.tool().unwrap();
    assert_eq!(call.tool(), Tool::Mcp { server: "github", tool: "merge_pull_request" });
    assert_eq!(call.input.get("number"), Some(&json!(17)));
    assert_eq!(call.id.as_deref(), Some("toolu_01B"));
    for name in ["PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure"] {
        assert!(fixture(name).tool().unwrap().shell_text().is_some(), "{name}");
    }
    assert_eq!(fixture("PostToolBatch").tool(), None);
    assert_eq!(fixture("PermissionRequest").tool().unwrap().id, None);
    for (name, outcome) in [
        ("PreToolUse", None),
        ("PostToolUse", Some(Outcome::Ran)),
        ("PostToolUseFailure", Some(Outcome::Failed)),
        ("Stop", None),
    ] {
        assert_eq!(fixture(name).outcome, outcome, "{name}");
    }
    let stopped = |more: Value| {
        let mut fields =
            json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "error": "Exit code 1"});
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json_event(&fields).outcome
    };
    assert_eq!(stopped(json!({})), Some(Outcome::Failed));
    assert_eq!(stopped(json!({"is_interrupt": true})), Some(Outcome::Unclear));
    assert_eq!(stopped(json!({"error": "The user doesn't want to proceed"})), Some(Outcome::Unclear));
}

fn json_event(fields: &Value) -> Event {
    event(fields.to_string().as_bytes())
}

#[test]
fn what_is_used_of_the_other_events_is_found() {
    for agent in Profile::ALL {
        assert!(fixture_of(agent, "Stop-held-back").stop_hook_active(), "{}", agent.name);
        assert!(!fixture_of(agent, "Stop").stop_hook_active(), "{}", agent.name);
    }
    assert_eq!(fixture("UserPromptSubmit").prompt(), Some("deploy with key AKIA0000EXAMPLE"));
    assert_eq!(fixture("UserPromptExpansion").prompt(), Some("/release --minor now"));
    assert_eq!(fixture("PreCompact").prompt(), None);
    assert_eq!(fixture("Stop").last_assistant_message(), Some("Everything is done."));
    assert_eq!(fixture("StopFailure").last_assistant_message(), Some("I will now run the tests."));
    assert_eq!(fixture_of(&CODEX, "UserPromptSubmit").prompt(), Some("run the tests please"));
    assert_eq!(fixture_of(&CODEX, "SubagentStop").last_assistant_message(), Some("Found it."));
}

#[test]
fn the_calls_of_codex_are_typed_by_its_own_table() {
    let tool = |name: &str| fixture_of(&CODEX, name).call.unwrap();
    let call = tool("PreToolUse");
    assert!(matches!(call.tool(), Tool::Shell { language: Shell::Bash, runs_here: false, .. }), "{call:?}");
    assert_eq!(call.shell_text(), Some("echo hi > marker.txt; cat marker.txt"));
    let call = tool("PreToolUse-patch");
    assert!(matches!(call.tool(), Tool::Patch(Some(text)) if text.contains("added.txt")), "{call:?}");
    let call = tool("PreToolUse-mcp-in-subagent");
    assert_eq!(call.tool(), Tool::Mcp { server: "my_srv", tool: "do_thing" });
    assert_eq!(fixture_of(&CODEX, "PostToolUse").outcome, Some(Outcome::Ran));
    assert_eq!(fixture_of(&CODEX, "SessionEnd").transcript_path, "");
}

#[test]
fn an_unlisted_agent_has_its_calls_judged_under_whatever_name_it_sends_them() {
    let unlisted = |text: &str| event_of(Profile::named(Some("of-tomorrow")), text.as_bytes());
    for text in [
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm x"}}"#,
        r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}"#,
        r#"{"hook_event_name":"before-shell","tool_name":"exec_command","tool_input":{"cmd":"rm x"}}"#,
    ] {
        let event = unlisted(text);
        assert_eq!(event.name, EventName::PreToolUse, "{text}");
        assert_eq!(event.tool().unwrap().shell_text(), Some("rm x"), "{text}");
    }
    assert_eq!(unlisted(r#"{"hook_event_name":"AfterAgent"}"#).name, EventName::Stop);
    assert!(matches!(unlisted(r#"{"hook_event_name":"Later"}"#).name, EventName::Unknown(_)));
}

#[test]
fn fields_of_an_unexpected_type_are_kept_and_never_fatal() {
    for name in CLAUDE_CODE.events {
        let file = fixtures_of(&CLAUDE_CODE).into_iter().find(|(file, _)| file == name.as_str()).unwrap().1;
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
    assert_eq!(event.tool(), Some(&ToolCall::new(&CLAUDE_CODE, "", Map::new())));
    assert_eq!(event.fields.get("tool_input"), Some(&json!("ls")));
    assert_eq!(event.fields.get("tool_name"), Some(&json!(["Bash"])));
}

#[test]
fn unknown_events_modes_and_fields_are_kept() {
    let event = event(br#"{"hook_event_name":"TurnRewound","permission_mode":"yolo","turns":2}"#);
    assert_eq!(event.name, EventName::Unknown("TurnRewound".to_owned()));
    assert_eq!(event.permission_mode, Some(PermissionMode::Unknown("yolo".to_owned())));
    assert_eq!(event.fields.get("turns"), Some(&json!(2)));
    assert_eq!(event.call, None);
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

/// A value of two bytes takes a hundred times the memory, so that a small event could take all of it.
#[test]
fn an_event_of_more_values_than_are_read_is_unreadable_whatever_its_strings_hold() {
    let event = |input: &str| {
        format!(
            r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"ls","x":{input}}}}}"#
        )
    };
    let many = format!("[{}0]", "0,".repeat(100_001));
    match CLAUDE_CODE.decode(event(&many).as_bytes(), None) {
        Decoded::Unreadable { name, problem } => {
            assert_eq!(name, Some(EventName::PreToolUse));
            assert_eq!(problem.to_string(), "the agent sent an event of more than 100000 values");
        }
        Decoded::Event(_) => panic!("it was read"),
    }
    for text in [",".repeat(900_000), "\\\",[{".repeat(300_000)] {
        let decoded = CLAUDE_CODE.decode(event(&format!("\"{text}\"")).as_bytes(), None);
        assert!(matches!(decoded, Decoded::Event(_)), "a long text is one value");
    }
}
