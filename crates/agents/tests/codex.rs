//! Verdicts out to Codex: exact bytes, and the schema that every answer must satisfy. Codex throws an answer with one unknown key
//! away and runs the call, so the schema has no room for any.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that can't go on says so by failing"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use hookgate_agents::{
    Answer, CODEX, Decision, Decoded, DenyForm, Event, EventName, Extras, Map, PermissionMode, Profile,
    ToolCall, UNLISTED, Verdict, failure_answer, respond,
};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

fn validators() -> &'static BTreeMap<String, Validator> {
    static VALIDATORS: OnceLock<BTreeMap<String, Validator>> = OnceLock::new();
    VALIDATORS.get_or_init(|| {
        let schema: Value = serde_json::from_str(include_str!("../../../schema/codex-answer.json")).unwrap();
        let events = schema["$defs"].as_object().unwrap().keys();
        events
            .map(|event| {
                let mut one = schema.clone();
                one.as_object_mut().unwrap().remove("anyOf");
                one["$ref"] = json!(format!("#/$defs/{event}"));
                (event.clone(), jsonschema::draft202012::new(&one).unwrap())
            })
            .collect()
    })
}

/// Nothing, or one document that the schema accepts; and exit code 0, because stderr beside another one would not be read.
fn assert_valid(name: &EventName, answer: &Answer) {
    assert_eq!((answer.exit, answer.stderr.as_slice()), (0, &b""[..]), "{name}");
    if answer.stdout.is_empty() {
        return;
    }
    let wanted = if matches!(name, EventName::Unknown(_)) { "Unknown" } else { name.as_str() };
    let validator = validators().get(wanted).unwrap_or_else(|| panic!("{name} takes no answer"));
    let document: Value = serde_json::from_slice(&answer.stdout).unwrap();
    if let Err(error) = validator.validate(&document) {
        panic!("{name}: {error}\n{document:#}");
    }
}

fn fixture(name: &str) -> Event {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/codex/{name}.json"));
    match CODEX.decode(&std::fs::read(path).unwrap(), None) {
        Decoded::Event(event) => event,
        Decoded::Unreadable { problem, .. } => panic!("{problem}"),
    }
}

fn verdict(decision: Decision, reason: &str) -> Verdict {
    let reasons = if reason.is_empty() { Vec::new() } else { vec![reason.to_owned()] };
    Verdict { decision, reasons, ..Verdict::default() }
}

fn input(command: &str) -> Map {
    Map::from_iter([("command".to_owned(), Value::from(command))])
}

fn said(event: &Event, verdict: &Verdict) -> String {
    let answer = respond(event, verdict);
    assert_valid(&event.name, &answer);
    String::from_utf8(answer.stdout).unwrap()
}

#[test]
fn each_decision_has_its_golden_answer() {
    use Decision::{Allow, Ask, Deny, Halt, Handoff, Pass};
    let told = |decision| Verdict {
        context: vec!["fact".to_owned()],
        notices: vec!["seen".to_owned()],
        ..verdict(decision, "no")
    };
    for (name, verdict, expected) in [
        ("PreToolUse", verdict(Pass, ""), ""),
        ("PreToolUse", verdict(Handoff, ""), ""),
        ("PreToolUse", verdict(Allow, "fine"), ""),
        (
            "PreToolUse",
            verdict(Deny, "no"),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
        ),
        (
            "PreToolUse",
            verdict(Deny, ""),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"denied by hookgate's policy, without a reason"}}"#,
        ),
        (
            "PreToolUse",
            told(Ask),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","additionalContext":"fact"},"systemMessage":"seen"}"#,
        ),
        (
            "PreToolUse",
            told(Pass),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"fact"},"systemMessage":"seen"}"#,
        ),
        (
            "PreToolUse",
            verdict(Halt, "stop"),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"stop"}}"#,
        ),
        ("PermissionRequest", verdict(Pass, ""), ""),
        ("PermissionRequest", verdict(Ask, "why"), ""),
        (
            "PermissionRequest",
            verdict(Allow, "fine"),
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#,
        ),
        (
            "PermissionRequest",
            told(Halt),
            r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no\n\nfact"}},"systemMessage":"seen"}"#,
        ),
        (
            "PostToolUse",
            told(Deny),
            r#"{"decision":"block","reason":"no","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"fact"},"systemMessage":"seen"}"#,
        ),
        ("UserPromptSubmit", verdict(Ask, "no"), r#"{"decision":"block","reason":"no"}"#),
        ("SessionStart", verdict(Halt, "no"), r#"{"continue":false,"stopReason":"no"}"#),
        ("SessionStart", verdict(Deny, "no"), r#"{"systemMessage":"no"}"#),
        ("Stop", verdict(Deny, "go on"), r#"{"decision":"block","reason":"go on"}"#),
        ("Stop", verdict(Halt, "enough"), r#"{"continue":false,"stopReason":"enough"}"#),
        ("PreCompact", told(Deny), r#"{"systemMessage":"no\nfact\nseen"}"#),
        ("SessionEnd", told(Deny), ""),
        ("Interrupt", told(Deny), ""),
    ] {
        assert_eq!(said(&fixture(name), &verdict), expected, "{name} {verdict:?}");
    }
}

#[test]
fn a_new_command_is_carried_where_it_grants_nothing_or_was_granted_and_is_named_everywhere_else() {
    let rewritten = |decision| Verdict { rewrite: Some(input("rtk ls")), ..verdict(decision, "") };
    let replaced = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"rtk ls"}}}"#;
    let named = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"OpenAI Codex can't replace this call. Send it again as: \"rtk ls\""}}"#;
    let mut event = fixture("PreToolUse");
    // No prompt exists that the allow could skip.
    assert_eq!(event.permission_mode, Some(PermissionMode::BypassPermissions));
    assert_eq!(said(&event, &rewritten(Decision::Pass)), replaced);
    event.permission_mode = Some(PermissionMode::Default);
    assert_eq!(said(&event, &rewritten(Decision::Allow)), replaced);
    assert_eq!(said(&event, &rewritten(Decision::Pass)), named);
    assert_eq!(said(&event, &rewritten(Decision::Handoff)), "");
    let request = fixture("PermissionRequest");
    assert_eq!(
        said(&request, &rewritten(Decision::Allow)),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"OpenAI Codex can't replace this call. Send it again as: \"rtk ls\""}}}"#
    );
}

#[test]
fn a_question_without_a_person_is_known_before_it_is_put() {
    let nobody = |_: &str| None;
    assert!(!fixture("PreToolUse").attended(nobody), "a hook of Codex can't ask");
    assert!(fixture("PermissionRequest").attended(nobody));
    assert!(!fixture("PreToolUse-patch").attended(nobody));
    let of_claude = Event { call: Some(ToolCall::bash("ls")), ..Event::new(EventName::PreToolUse) };
    assert!(of_claude.attended(nobody));
    assert!(!of_claude.attended(|name| (name == "CLAUDE_CODE_SESSION_ATTENDED").then(|| "0".to_owned())));
    let alone = Event { permission_mode: Some(PermissionMode::DontAsk), ..of_claude };
    assert!(!alone.attended(nobody));
}

#[test]
fn a_gate_that_fails_refuses_what_it_was_told_to() {
    for (name, on_error, refuses) in [
        (Some("PreToolUse"), Decision::Ask, true),
        (Some("PreToolUse"), Decision::Deny, true),
        (Some("PreToolUse"), Decision::Pass, false),
        (Some("PermissionRequest"), Decision::Deny, true),
        (Some("PermissionRequest"), Decision::Ask, false),
        (Some("Stop"), Decision::Deny, false),
        (Some("UserPromptSubmit"), Decision::Deny, false),
        (None, Decision::Ask, true),
        (None, Decision::Pass, false),
    ] {
        let name = name.map(EventName::from);
        let answer = failure_answer(&CODEX, name.as_ref(), on_error, "broken");
        let text = String::from_utf8(answer.stdout.clone()).unwrap();
        let says_no = text.contains("\"deny\"") || text.contains("\"block\"");
        assert_eq!(says_no, refuses, "{name:?} {on_error:?}: {text}");
        // Exit code 2 needs a text beside it, or the call runs.
        assert_eq!(!answer.fallback().stderr.is_empty(), refuses, "{name:?} {on_error:?}");
        if let Some(name) = &name {
            assert_valid(name, &answer);
        }
    }
}

#[test]
fn an_unlisted_agent_gets_the_one_denial_or_nothing() {
    let agent = Profile::named(Some("of-tomorrow"));
    assert_eq!(agent, &UNLISTED);
    let event = Event { call: Some(ToolCall::bash("ls")), ..Event::of(agent, EventName::PreToolUse) };
    let answer = |verdict: &Verdict| String::from_utf8(respond(&event, verdict).stdout).unwrap();
    let denial = |reason: &str| {
        format!(
            r#"{{"decision":"block","reason":{reason},"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":{reason}}}}}"#
        )
    };
    for decision in [Decision::Ask, Decision::Deny, Decision::Halt] {
        assert_eq!(answer(&verdict(decision, "no")), denial("\"no\""), "{decision:?}");
    }
    for decision in [Decision::Pass, Decision::Handoff, Decision::Allow] {
        let told = Verdict {
            context: vec!["fact".to_owned()],
            notices: vec!["x".to_owned()],
            ..verdict(decision, "r")
        };
        assert_eq!(answer(&told), "", "{decision:?}");
    }
    let rewritten = Verdict { rewrite: Some(input("ls -l")), ..verdict(Decision::Pass, "") };
    assert_eq!(
        answer(&rewritten),
        denial(r#""this agent can't replace this call. Send it again as: \"ls -l\"""#)
    );
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any::<String>(), 0..3)
}

fn decisions() -> impl Strategy<Value = Decision> {
    use Decision::{Allow, Ask, Deny, Halt, Handoff, Pass};
    prop::sample::select(vec![Pass, Handoff, Allow, Ask, Deny, Halt])
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    (decisions(), texts(), texts(), texts(), prop::option::of(any::<String>())).prop_map(
        |(decision, reasons, context, notices, rewrite)| Verdict {
            decision,
            reasons,
            context,
            notices,
            rewrite: rewrite.map(|command| input(&command)),
            extras: Extras { interrupt: true, tool_output: Some(json!("x")), ..Extras::default() },
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Law 1 for the encoder: whatever was decided, on whatever event and in whatever mode, Codex can read the answer; a denial
    /// stays one, and nothing is granted that was not said.
    #[test]
    fn any_verdict_on_any_event_is_a_valid_answer(verdict in verdicts(), bypass in any::<bool>()) {
        let unknown = EventName::Unknown("TurnRewound".to_owned());
        for name in CODEX.events.iter().chain([&unknown]) {
            let mut event = Event { call: Some(ToolCall::new(&CODEX, "Bash", input("ls"))), ..Event::of(&CODEX, name.clone()) };
            event.permission_mode = bypass.then_some(PermissionMode::BypassPermissions);
            let answer = respond(&event, &verdict);
            assert_valid(name, &answer);
            let stdout = String::from_utf8_lossy(&answer.stdout);
            if verdict.decision >= Decision::Deny && event.capabilities().deny != DenyForm::Notice {
                let says_no = ["\"deny\"", "\"block\"", "\"continue\":false"].iter().any(|no| stdout.contains(no));
                prop_assert!(says_no, "{} lost a denial: {}", name, stdout);
            }
            if verdict.decision != Decision::Allow {
                prop_assert!(!stdout.contains("\"behavior\":\"allow\""));
                prop_assert!(bypass || !stdout.contains("\"permissionDecision\":\"allow\""), "{}", stdout);
            }
            if verdict.rewrite.is_some() && *name == EventName::PreToolUse && verdict.decision != Decision::Handoff {
                let is_settled = stdout.contains("\"updatedInput\"") || stdout.contains("\"deny\"");
                prop_assert!(is_settled, "the original would run: {}", stdout);
            }
        }
    }
}
