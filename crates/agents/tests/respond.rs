//! Verdicts out: the exact bytes, and the schema that every answer must satisfy.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on says so by failing"
)]

use std::sync::OnceLock;

use hookgate_agents::{
    Answer, CLAUDE_CODE, Decision, DenyForm, ElicitationAction, Event, EventName, Extras, Map,
    PermissionBehavior, PermissionDestination, PermissionRule, PermissionUpdate, Verdict, failure_answer,
    respond,
};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

fn validator(name: &EventName) -> &'static Validator {
    static VALIDATORS: OnceLock<Vec<(String, Validator)>> = OnceLock::new();
    let wanted = if matches!(name, EventName::Unknown(_)) { "Unknown" } else { name.as_str() };
    VALIDATORS
        .get_or_init(|| {
            let schema: Value =
                serde_json::from_str(include_str!("../../../schema/claude-code-answer.json")).unwrap();
            let definitions = schema["$defs"].as_object().unwrap();
            let events = definitions.keys().filter(|key| {
                matches!(EventName::from(key.as_str()), EventName::Unknown(name) if name == "Unknown")
                    || EventName::ALL.contains(&EventName::from(key.as_str()))
            });
            events
                .map(|event| {
                    let mut one = schema.clone();
                    one.as_object_mut().unwrap().remove("anyOf");
                    one["$ref"] = json!(format!("#/$defs/{event}"));
                    (event.clone(), jsonschema::draft202012::new(&one).unwrap())
                })
                .collect()
        })
        .iter()
        .find(|(event, _)| event == wanted)
        .map(|(_, validator)| validator)
        .unwrap_or_else(|| panic!("no schema for {name}"))
}

/// Nothing, plain text where the event takes it literally, or one document that the schema accepts.
fn assert_valid(name: &EventName, answer: &Answer) {
    let stdout = std::str::from_utf8(&answer.stdout).unwrap();
    if stdout.is_empty() {
        return;
    }
    if !stdout.starts_with('{') {
        let is_literal =
            matches!(name, EventName::WorktreeCreate | EventName::PreCompact | EventName::PostCompact);
        assert!(is_literal, "{name} takes no plain text: {stdout}");
        return;
    }
    let document: Value = serde_json::from_str(stdout).unwrap();
    if let Err(error) = validator(name).validate(&document) {
        panic!("{name}: {error}\n{document:#}");
    }
}

fn event(name: &str) -> Event {
    Event::new(EventName::from(name))
}

fn verdict(decision: Decision, reasons: &[&str]) -> Verdict {
    Verdict {
        decision,
        reasons: reasons.iter().map(|reason| (*reason).to_owned()).collect(),
        ..Verdict::default()
    }
}

fn answer(name: &str, verdict: &Verdict) -> String {
    let answer = respond(&event(name), verdict);
    assert_valid(&EventName::from(name), &answer);
    assert_eq!((answer.exit, answer.stderr.as_slice()), (0, &b""[..]));
    String::from_utf8(answer.stdout).unwrap()
}

fn input(command: &str) -> Map {
    Map::from_iter([("command".to_owned(), Value::from(command))])
}

#[test]
fn pass_says_nothing_at_all() {
    for name in CLAUDE_CODE.events {
        for decision in [Decision::Pass, Decision::Handoff] {
            assert_eq!(answer(name.as_str(), &verdict(decision, &[])), "", "{name}");
        }
    }
}

#[test]
fn a_tool_call_is_decided_in_its_own_form() {
    use Decision::{Allow, Ask, Deny, Halt, Pass};
    for (verdict, expected) in [
        (
            verdict(Deny, &["[GIT001] force push. Fix: push to a branch", "second"]),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[GIT001] force push. Fix: push to a branch\n\nsecond"}}"#,
        ),
        (
            verdict(Halt, &["stop"]),
            r#"{"continue":false,"stopReason":"stop","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"stop"}}"#,
        ),
        (
            Verdict {
                context: vec!["fact".to_owned()],
                rewrite: Some(input("y")),
                notices: vec!["seen".to_owned()],
                ..verdict(Ask, &["touches prod"])
            },
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"touches prod","updatedInput":{"command":"y"},"additionalContext":"fact"},"systemMessage":"seen"}"#,
        ),
        (
            verdict(Allow, &["read only"]),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"read only"}}"#,
        ),
        (
            Verdict { rewrite: Some(input("rtk ls")), ..verdict(Pass, &[]) },
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"rtk ls"}}}"#,
        ),
        (
            Verdict { context: vec!["a".to_owned(), "b".to_owned()], ..verdict(Pass, &[]) },
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"a\n\nb"}}"#,
        ),
        (Verdict { rewrite: Some(input("y")), ..verdict(Decision::Handoff, &[]) }, ""),
        (
            Verdict { rewrite: Some(input("y")), ..verdict(Deny, &["no"]) },
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
        ),
    ] {
        assert_eq!(answer("PreToolUse", &verdict), expected);
    }
}

#[test]
fn a_permission_request_is_answered_by_a_decision_or_not_at_all() {
    let update = PermissionUpdate::AddRules {
        rules: vec![PermissionRule {
            tool_name: "Bash".to_owned(),
            rule_content: Some("npm test *".to_owned()),
        }],
        behavior: PermissionBehavior::Allow,
        destination: PermissionDestination::Session,
    };
    let extras = Extras { updated_permissions: vec![update], ..Extras::default() };
    for (verdict, expected) in [
        (verdict(Decision::Ask, &["look"]), ""),
        (
            verdict(Decision::Deny, &["not here"]),
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"not here"}}}"#,
        ),
        (
            verdict(Decision::Halt, &["stop"]),
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"stop","interrupt":true}}}"#,
        ),
        (
            Verdict { extras, rewrite: Some(input("npm test")), ..verdict(Decision::Allow, &["tests"]) },
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"npm test"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test *"}],"behavior":"allow","destination":"session"}]}}}"#,
        ),
    ] {
        assert_eq!(answer("PermissionRequest", &verdict), expected);
    }
}

#[test]
fn the_other_events_block_in_the_form_that_they_honour() {
    let block = r#"{"decision":"block","reason":"no"}"#;
    let stop = r#"{"continue":false,"stopReason":"no"}"#;
    let both = r#"{"continue":false,"stopReason":"no","decision":"block","reason":"no"}"#;
    let notice = r#"{"systemMessage":"no"}"#;
    let switch = |kind: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreModelSwitch","permissionDecision":"{kind}","permissionDecisionReason":"no"}}}}"#
        )
    };
    let decline = |name: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{name}","action":"decline"}},"systemMessage":"no"}}"#
        )
    };
    for (name, ask, deny, halt) in [
        ("UserPromptSubmit", block, block, block),
        ("UserPromptExpansion", block, block, block),
        ("Stop", notice, block, stop),
        ("SubagentStop", notice, block, stop),
        ("TeammateIdle", notice, block, stop),
        ("PostToolUse", block, block, both),
        ("PostToolUseFailure", block, block, block),
        ("PostToolBatch", block, block, both),
        ("TaskCreated", block, block, block),
        ("TaskCompleted", block, block, both),
        ("PreCompact", block, block, block),
        ("ConfigChange", block, block, block),
        ("PreModelSwitch", &switch("ask"), &switch("deny"), &switch("deny")),
        ("Elicitation", "", &decline("Elicitation"), &decline("Elicitation")),
        (
            "ElicitationResult",
            &decline("ElicitationResult"),
            &decline("ElicitationResult"),
            &decline("ElicitationResult"),
        ),
        ("SessionStart", notice, notice, notice),
        ("PermissionDenied", notice, notice, notice),
        ("FileChanged", notice, notice, notice),
        ("PostCompact", "no", "no", "no"),
        ("Notification", "", "", ""),
        ("StopFailure", "", "", ""),
        ("TurnRewound", block, block, block),
    ] {
        for (decision, expected) in [(Decision::Ask, ask), (Decision::Deny, deny), (Decision::Halt, halt)] {
            assert_eq!(answer(name, &verdict(decision, &["no"])), expected, "{name} {decision:?}");
        }
    }
}

#[test]
fn context_reaches_the_model_where_the_event_carries_it() {
    let fact = Verdict { context: vec!["fact".to_owned()], ..Verdict::default() };
    for name in "PreToolUse PostToolUse PostToolUseFailure PostToolBatch UserPromptSubmit UserPromptExpansion SessionStart \
        SubagentStart PostModelSwitch Stop SubagentStop"
        .split_whitespace()
    {
        assert_eq!(
            answer(name, &fact),
            format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":"fact"}}}}"#)
        );
    }
    for name in ["SessionEnd", "Setup", "TaskCreated", "PermissionRequest", "CwdChanged"] {
        assert_eq!(answer(name, &fact), r#"{"systemMessage":"fact"}"#, "{name}");
    }
    assert_eq!(answer("PreCompact", &fact), "fact");
    assert_eq!(answer("StopFailure", &fact), "");
    let denied = Verdict { context: vec!["fact".to_owned()], ..verdict(Decision::Deny, &["no"]) };
    assert_eq!(answer("TaskCreated", &denied), r#"{"decision":"block","reason":"no\n\nfact"}"#);
}

/// The client drops an output in another form than the tool's, without a word, and the model reads the original.
#[test]
fn a_new_output_has_the_form_of_the_tool_or_the_person_hears_that_it_does_not() {
    let replaced = |output: Value, original: Value| {
        let mut event = event("PostToolUse");
        event.fields.insert("tool_response".to_owned(), original);
        let extras = Extras { tool_output: Some(output), ..Extras::default() };
        let stdout = respond(&event, &Verdict { extras, ..Verdict::default() }).stdout;
        serde_json::from_slice::<Value>(&stdout).unwrap()
    };
    let original = json!({"stdout": "secret", "stderr": "secret", "interrupted": true});
    let taken = replaced(json!({"stdout": "(withheld)"}), original.clone());
    assert_eq!(
        taken["hookSpecificOutput"]["updatedToolOutput"],
        json!({"stdout": "(withheld)", "stderr": "", "interrupted": false})
    );
    let dropped = replaced(json!("(withheld)"), original);
    assert_eq!(dropped.get("hookSpecificOutput"), None);
    assert!(dropped["systemMessage"].as_str().unwrap().contains("the model reads the original"), "{dropped}");
}

#[test]
fn context_holds_a_stop_back_only_once() {
    let fact = Verdict { context: vec!["run the tests".to_owned()], ..Verdict::default() };
    let mut stop = event("Stop");
    stop.fields.insert("stop_hook_active".to_owned(), true.into());
    assert_eq!(respond(&stop, &fact).stdout, br#"{"systemMessage":"run the tests"}"#);
}

#[test]
fn single_events_carry_their_own_fields() {
    let own = |name: &str, extras: Extras| answer(name, &Verdict { extras, ..Verdict::default() });
    let none = Extras::default;
    assert_eq!(
        own(
            "SessionStart",
            Extras {
                initial_user_message: Some("hi".to_owned()),
                session_title: Some("t".to_owned()),
                watch_paths: Some(vec!["/a".to_owned(), "relative".to_owned(), "C:\\b".to_owned()]),
                reload_skills: true,
                ..none()
            }
        ),
        r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","initialUserMessage":"hi","sessionTitle":"t","watchPaths":["/a","C:\\b"],"reloadSkills":true}}"#
    );
    assert_eq!(
        own(
            "PostToolUse",
            Extras {
                tool_output: Some(json!({"stdout": "x"})),
                mcp_tool_output: Some(json!([1])),
                classifier_context: Some("c".to_owned()),
                ..none()
            }
        ),
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"x"},"updatedMCPToolOutput":[1],"classifierContext":"c"}}"#
    );
    assert_eq!(
        own(
            "Elicitation",
            Extras { elicitation: Some((ElicitationAction::Accept, Some(input("x")))), ..none() }
        ),
        r#"{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"command":"x"}}}"#
    );
    assert_eq!(
        own("PermissionDenied", Extras { retry: true, ..none() }),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}"#
    );
    assert_eq!(
        own("MessageDisplay", Extras { display_content: Some("***".to_owned()), ..none() }),
        r#"{"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"***"}}"#
    );
    assert_eq!(own("CwdChanged", Extras { watch_paths: Some(vec!["relative".to_owned()]), ..none() }), "");
    assert_eq!(own("WorktreeCreate", Extras { worktree_path: Some("/w/a".to_owned()), ..none() }), "/w/a");
    assert_eq!(own("WorktreeCreate", Extras { worktree_path: Some("/w/a\n/etc".to_owned()), ..none() }), "");
    assert_eq!(
        own("PreCompact", Extras { compact_instructions: Some("{\"a\":1}".to_owned()), ..none() }),
        "Note: {\"a\":1}"
    );
    assert_eq!(
        own("Stop", Extras { terminal_sequence: Some("\x1b]9;held back\x07".to_owned()), ..none() }),
        r#"{"terminalSequence":"\u001b]9;held back\u0007"}"#
    );
    assert_eq!(own("Stop", Extras { terminal_sequence: Some("\x1b[2J".to_owned()), ..none() }), "");
    let suppressed = Verdict {
        extras: Extras { suppress_original_prompt: true, ..none() },
        ..verdict(Decision::Deny, &["secret in prompt"])
    };
    assert_eq!(
        answer("UserPromptSubmit", &suppressed),
        r#"{"decision":"block","reason":"secret in prompt","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","suppressOriginalPrompt":true}}"#
    );
}

#[test]
fn a_worktree_is_refused_by_the_exit_code_because_no_json_is_read() {
    let answer = respond(&event("WorktreeCreate"), &verdict(Decision::Deny, &["not here"]));
    assert_eq!(
        (answer.stdout.as_slice(), answer.stderr.as_slice(), answer.exit),
        (&b""[..], &b"not here"[..], 2)
    );
}

#[test]
fn a_refusal_that_can_not_be_written_falls_back_to_exit_code_2() {
    for (name, decision, expected) in [
        ("PreToolUse", Decision::Deny, Some("no")),
        ("PreToolUse", Decision::Halt, Some("no")),
        ("PreToolUse", Decision::Ask, Some("no")),
        ("PermissionRequest", Decision::Deny, Some("no")),
        ("PermissionRequest", Decision::Ask, None),
        ("PreToolUse", Decision::Allow, None),
        ("Stop", Decision::Deny, Some("no")),
        ("UserPromptSubmit", Decision::Deny, Some("no")),
        ("PreModelSwitch", Decision::Ask, Some("no")),
        ("Notification", Decision::Deny, None),
    ] {
        let fallback = respond(&event(name), &verdict(decision, &["no"])).fallback();
        let expected = expected
            .map(|reason| Answer { stderr: reason.as_bytes().to_vec(), exit: 2, ..Answer::default() })
            .unwrap_or_default();
        assert_eq!(fallback, expected, "{name} {decision:?}");
    }
}

#[test]
fn a_failure_is_answered_by_the_events_class() {
    let failure = |name: Option<&str>, on_error| {
        let name = name.map(EventName::from);
        let answer = failure_answer(&CLAUDE_CODE, name.as_ref(), on_error, "broken");
        assert_eq!(answer.exit, 0);
        String::from_utf8(answer.stdout).unwrap()
    };
    let permission = |kind: &str| {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{kind}","permissionDecisionReason":"broken"}}}}"#
        )
    };
    let notice = r#"{"systemMessage":"broken"}"#;
    let block = r#"{"decision":"block","reason":"broken"}"#;
    let denied = r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"broken"}}}"#;
    for (name, pass, ask, deny) in [
        (Some("PreToolUse"), notice, permission("ask").as_str(), permission("deny").as_str()),
        (Some("PermissionRequest"), notice, "", denied),
        (Some("Stop"), notice, notice, notice),
        (Some("SubagentStop"), notice, notice, notice),
        (Some("TaskCreated"), notice, notice, notice),
        (Some("TaskCompleted"), notice, notice, notice),
        (Some("TeammateIdle"), notice, notice, notice),
        (Some("UserPromptSubmit"), "", "", ""),
        (Some("PreCompact"), "", "", ""),
        (Some("PreModelSwitch"), "", "", ""),
        (Some("ConfigChange"), "", "", ""),
        (Some("PostToolUse"), "", "", ""),
        (Some("TurnRewound"), "", "", ""),
        (None, "", block, block),
    ] {
        for (on_error, expected) in [(Decision::Pass, pass), (Decision::Ask, ask), (Decision::Deny, deny)] {
            assert_eq!(failure(name, on_error), expected, "{name:?} {on_error:?}");
        }
    }
}

#[test]
fn long_findings_are_cut_at_a_findings_end() {
    let findings: Vec<String> =
        (0..30).map(|index| format!("[ACME{index:03}] {}", "x".repeat(490))).collect();
    let verdict = Verdict { decision: Decision::Deny, reasons: findings.clone(), ..Verdict::default() };
    let document: Value = serde_json::from_str(&answer("PreToolUse", &verdict)).unwrap();
    let reason = document["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert_eq!(reason, format!("{}\n\n(11 more omitted)", findings[..19].join("\n\n")));
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = prop_oneof![
        4 => any::<String>(),
        2 => "[a-z\\{\\}\n\u{0}\u{1b}\u{e9}\u{1f600}]{0,40}",
        1 => (1_usize..12_000).prop_map(|length| "\u{1f600}x".repeat(length)),
    ];
    prop::collection::vec(text, 0..4)
}

fn json_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from)
    ]
    .prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::hash_map(any::<String>(), inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect()))
        ]
    })
}

fn object() -> impl Strategy<Value = Map> {
    prop::collection::hash_map(any::<String>(), json_value(), 0..3).prop_map(|map| map.into_iter().collect())
}

fn extras() -> impl Strategy<Value = Extras> {
    let text = || prop::option::of(any::<String>());
    let sequence = prop::option::of("(\u{1b}\\]|\u{7}|[0-9;a-z]|\u{1b}\\\\){0,8}");
    let action = prop_oneof![
        Just(ElicitationAction::Accept),
        Just(ElicitationAction::Decline),
        Just(ElicitationAction::Cancel)
    ];
    (
        (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        (prop::option::of(json_value()), prop::option::of(json_value()), text(), text(), text()),
        prop::option::of(prop::collection::vec(prop_oneof![any::<String>(), "/[a-z]*"], 0..3)),
        prop::option::of((action, prop::option::of(object()))),
        (text(), text(), text(), sequence),
        prop::collection::vec(
            any::<String>().prop_map(|directory| PermissionUpdate::AddDirectories {
                directories: vec![directory],
                destination: PermissionDestination::Session,
            }),
            0..2,
        ),
    )
        .prop_map(|(flags, outputs, watch_paths, elicitation, plain, updated_permissions)| Extras {
            updated_permissions,
            interrupt: flags.0,
            tool_output: outputs.0,
            mcp_tool_output: outputs.1,
            classifier_context: outputs.2,
            initial_user_message: outputs.3,
            session_title: outputs.4,
            watch_paths,
            reload_skills: flags.1,
            suppress_original_prompt: flags.2,
            retry: flags.3,
            elicitation,
            display_content: plain.0,
            worktree_path: plain.1,
            compact_instructions: plain.2,
            terminal_sequence: plain.3,
        })
}

fn decisions() -> impl Strategy<Value = Decision> {
    prop_oneof![
        Just(Decision::Pass),
        Just(Decision::Handoff),
        Just(Decision::Allow),
        Just(Decision::Ask),
        Just(Decision::Deny),
        Just(Decision::Halt)
    ]
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    (decisions(), texts(), texts(), texts(), prop::option::of(object()), extras()).prop_map(
        |(decision, reasons, context, notices, rewrite, extras)| Verdict {
            decision,
            reasons,
            context,
            notices,
            rewrite,
            extras,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Law 1 for the encoder: whatever was decided, on whatever event, the client can read the answer.
    #[test]
    fn any_verdict_on_any_event_is_a_valid_answer(verdict in verdicts()) {
        let unknown = EventName::Unknown("TurnRewound".to_owned());
        for name in CLAUDE_CODE.events.iter().chain([&unknown]) {
            let answer = respond(&Event::new(name.clone()), &verdict);
            assert_valid(name, &answer);
            let stdout = String::from_utf8_lossy(&answer.stdout);
            let denies = matches!(verdict.decision, Decision::Deny | Decision::Halt);
            if denies && CLAUDE_CODE.capabilities(name, None).deny != DenyForm::Notice {
                let says_no = answer.exit == 2
                    || ["\"deny\"", "\"block\"", "\"decline\"", "\"continue\":false"].iter().any(|no| stdout.contains(no));
                prop_assert!(says_no, "{} lost a denial: {}", name, stdout);
            }
            if verdict.decision != Decision::Allow {
                prop_assert!(!stdout.contains("\"permissionDecision\":\"allow\""));
                prop_assert!(!stdout.contains("\"behavior\":\"allow\",\"updated"));
            }
            // An answer that finds its way back to stdin is no event of any kind that was not there before.
            let _ = CLAUDE_CODE.decode(&answer.stdout, Some(name.as_str()));
        }
    }

    /// Law 12: no bytes are fatal.
    #[test]
    fn any_bytes_are_decoded(bytes in prop::collection::vec(any::<u8>(), 0..400), text in any::<String>()) {
        let _ = CLAUDE_CODE.decode(&bytes, None);
        let _ = CLAUDE_CODE.decode(&bytes, Some(&text));
        let event = format!(r#"{{"hook_event_name":"PreToolUse","tool_input":{{"command":"{text}"#);
        let _ = CLAUDE_CODE.decode(event.as_bytes(), None);
        let mut broken = format!(r#"{{"hook_event_name":"Stop","last_assistant_message":"{text}"}}"#).into_bytes();
        broken.splice(20..20, bytes.iter().copied().take(8));
        let _ = CLAUDE_CODE.decode(&broken, None);
    }
}
