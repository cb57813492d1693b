//! Our decisions beside the agent's own permission rules.

#![expect(clippy::panic, reason = "a test may panic, and says where")]

use hookgate_agents::{CLAUDE_CODE, Decision, Event};
use hookgate_clients::{Reading, Scope, Settings, Source, reading};
use hookgate_effects::Places;
use hookgate_engine::{Judged, decide};
use hookgate_host::Fake;
use hookgate_policy::{Check, LayerKind, Policy, Source as Text, Vocabulary};
use proptest::prelude::*;
use serde_json::json;

const ALLOW_SEQ: &str = r#"
[[rule]]
code = "OWN001"
when = { run = "seq **" }
then = "allow"
reason = "numbers only"
"#;

fn settings(permissions: &serde_json::Value) -> Vec<Source> {
    let text = json!({ "permissions": permissions }).to_string();
    vec![Source { scope: Scope::Project, path: "/home/dev/app/.claude/settings.json".to_owned(), text }]
}

fn event(command: &str) -> Event {
    let event = json!({ "session_id": "s", "cwd": "/home/dev/app", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": command } });
    match CLAUDE_CODE.decode(event.to_string().as_bytes(), None) {
        hookgate_agents::Decoded::Event(event) => event,
        unreadable @ hookgate_agents::Decoded::Unreadable { .. } => panic!("{unreadable:?}"),
    }
}

fn places() -> Places {
    Places {
        cwd: "/home/dev/app".to_owned(),
        home: "/home/dev".to_owned(),
        project: "/home/dev/app".to_owned(),
        temporary: vec!["/tmp".to_owned()],
        ..Places::default()
    }
}

fn judge_with(command: &str, policy: &str, settings: Vec<Source>) -> Judged {
    let vocabulary = hookgate_rules::lookup::vocabulary();
    let text = Text { kind: LayerKind::User, path: "test.toml", text: policy, trusted: true };
    let (policy, _) = Policy::load(&[text], &Vocabulary { rules: &vocabulary }, Check::Quick);
    let mut host = Fake::default();
    host.settings = settings;
    decide(&event(command), &policy, &places(), &host)
}

fn judge(command: &str, policy: &str, permissions: &serde_json::Value) -> Decision {
    judge_with(command, policy, settings(permissions)).verdict.decision
}

#[test]
fn what_the_agent_stops_by_itself_is_left_to_it() {
    assert_eq!(judge("seq 3", ALLOW_SEQ, &json!({})), Decision::Allow);
    for list in ["deny", "ask"] {
        let rules = json!({ list: ["Bash(seq:*)"] });
        assert_eq!(judge("seq 3", ALLOW_SEQ, &rules), Decision::Handoff, "{list}");
        assert_eq!(judge("timeout 5 seq 3", ALLOW_SEQ, &rules), Decision::Handoff, "{list}");
    }
}

#[test]
fn a_denial_of_ours_stands_beside_the_agents_own() {
    assert_eq!(judge("rm -rf /etc", "", &json!({"deny": ["Bash(rm:*)"]})), Decision::Deny);
}

#[test]
fn what_the_agent_misses_is_asked_about_and_in_strict_denied() {
    let rules = json!({"deny": ["Bash(seq:*)", "Read(./.env)"]});
    for command in ["bash -c 'seq 3'", "eval 'seq 3'", "bash -c 'cat .env'", "sudo cat .env", "sudo -n seq 3"]
    {
        assert!(judge(command, "", &rules) >= Decision::Ask, "{command}");
        assert_eq!(judge(command, "presets = [\"strict\"]", &rules), Decision::Deny, "{command}");
    }
    let judgement = judge_with("bash -c 'seq 3'", "", settings(&rules));
    let reason = judgement.verdict.reasons.join("\n");
    assert!(reason.contains("[PERM001] runs `seq 3`, against the deny rule `Bash(seq:*)`"), "{reason}");
    assert!(reason.contains("/home/dev/app/.claude/settings.json"), "{reason}");
}

#[test]
fn nothing_is_granted_against_a_missed_rule_though_its_own_rule_is_off() {
    let policy = format!("[rules]\nPERM001 = \"off\"\nPERM002 = \"off\"\n{ALLOW_SEQ}");
    for list in ["deny", "ask"] {
        let rules = json!({ list: ["Bash(seq:*)"] });
        assert_eq!(judge("bash -c 'seq 3'", &policy, &json!({})), Decision::Allow);
        assert_eq!(judge("bash -c 'seq 3'", &policy, &rules), Decision::Pass, "{list}");
    }
}

#[test]
fn a_rewrite_into_what_the_agent_denies_is_left_for_it_to_deny() {
    let policy =
        "[[rewrite]]\nrun = \"seq **\"\nto = \"factor {args}\"\nthen = \"allow\"\nreason = \"their parts\"\n";
    let judgement = judge_with("seq 3", policy, settings(&json!({"deny": ["Bash(factor:*)"]})));
    assert_ne!(judgement.verdict.decision, Decision::Allow);
    assert!(judgement.verdict.rewrite.is_some(), "the agent judges the new command");
    let judgement = judge_with("seq 3", policy, settings(&json!({"deny": ["Bash(seq:*)"]})));
    assert_eq!(judgement.verdict.decision, Decision::Handoff);
    assert!(judgement.verdict.rewrite.is_none(), "the agent judges the old command");
}

#[test]
fn settings_that_can_not_be_read_count_as_absent_and_are_told() {
    let broken = vec![Source {
        scope: Scope::User,
        path: "/home/dev/.claude/settings.json".to_owned(),
        text: "{broken".to_owned(),
    }];
    let judgement = judge_with("seq 3", ALLOW_SEQ, broken);
    assert_eq!(judgement.verdict.decision, Decision::Allow);
    assert!(judgement.verdict.notices.iter().any(|n| n.contains("/home/dev/.claude/settings.json")));
}

const COMMANDS: [&str; 14] = [
    "seq 3",
    "seq  3",
    "sudo seq 3",
    "env A=1 seq 3",
    "bash -c 'seq 3'",
    "echo $(seq 3)",
    "eval 'seq 3'",
    "date; seq 3",
    "echo x | xargs -n 1 seq",
    "find . -maxdepth 0 -exec seq 3 ';'",
    "X=seq; $X 3",
    "/usr/bin/seq 3",
    "if true; then seq 3; fi",
    "bash <<'E'\nseq 3\nE",
];

fn any_rule() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Bash",
        "Bash(seq)",
        "Bash(seq:*)",
        "Bash(seq *)",
        "Bash(*3)",
        "Bash(date)",
        "Bash(git push:*)",
        "Read(./.env)",
        "WebFetch",
    ])
}

/// How strict our decision and the agent's own rules are together.
fn strictness(command: &str, policy: &str, permissions: &serde_json::Value) -> u8 {
    let ours = match judge(command, policy, permissions) {
        Decision::Allow => 0,
        Decision::Pass | Decision::Handoff => 1,
        Decision::Ask => 2,
        Decision::Deny => 3,
        Decision::Halt => 4,
    };
    let theirs = match reading(&event(command), &Settings::read(&settings(permissions)), &places()) {
        Reading::Deny(_) => 3,
        Reading::Ask(_) => 2,
        Reading::Allow | Reading::Nothing => 0,
    };
    ours.max(theirs)
}

proptest! {
    #[test]
    fn nothing_is_allowed_against_a_rule_for_the_program(
        command in prop::sample::select(&COMMANDS[..]),
        rule in prop::sample::select(vec!["Bash", "Bash(seq:*)", "Bash(seq *)"]),
        list in prop::sample::select(vec!["deny", "ask"]),
        off in any::<bool>(),
    ) {
        let off = if off { "[rules]\nPERM001 = \"off\"\nPERM002 = \"off\"\n" } else { "" };
        let decision = judge(command, &format!("{off}{ALLOW_SEQ}"), &json!({ list: [rule] }));
        prop_assert!(decision != Decision::Allow, "{command} under {list} {rule}");
    }

    #[test]
    fn one_more_denial_of_the_agents_never_loosens(
        command in prop::sample::select(&COMMANDS[..]),
        deny in prop::collection::vec(any_rule(), 0..3),
        ask in prop::collection::vec(any_rule(), 0..3),
        added in any_rule(),
        policy in prop::sample::select(vec!["", ALLOW_SEQ, "presets = [\"strict\"]"]),
    ) {
        let before = strictness(command, policy, &json!({ "deny": deny, "ask": ask }));
        let mut more = deny;
        more.push(added);
        let rules = json!({ "deny": more, "ask": ask });
        let after = strictness(command, policy, &rules);
        prop_assert!(after >= before, "{command}: {before} became {after} by {added}");
    }
}

#[test]
fn the_reading_goes_where_the_text_goes() {
    let rules = settings(&json!({ "deny": ["Read(./secrets/**)", "Read(.env)"], "allow": ["Bash(cat:*)"] }));
    let read = Settings::read(&rules);
    let kind = |command: &str| match reading(&event(command), &read, &places()) {
        Reading::Deny(_) => "deny",
        Reading::Ask(_) => "ask",
        Reading::Allow => "allow",
        Reading::Nothing => "nothing",
    };
    for (command, expected) in [
        ("cat secrets/key", "deny"),
        ("cat notes.txt", "allow"),
        ("cd deep && cat notes.txt", "allow"),
        ("cd deep && cd .. && cat notes.txt", "allow"),
        // The client asks about these, and is not taken for granting or denying them.
        ("cd secrets && cat key", "nothing"),
        ("cd deep && cat ../.env", "nothing"),
        ("cd deep; cd ../secrets; cat < key", "nothing"),
        ("cd \"$D\" && cat key", "nothing"),
        ("cd /etc && cat hosts", "nothing"),
        ("cd - && cat notes.txt", "nothing"),
        ("pushd secrets && cat key", "nothing"),
        // What is named before is where the text is run.
        ("cat .env; cd deep", "deny"),
    ] {
        assert_eq!(kind(command), expected, "{command}");
    }
    // What the client misses or only asks about is found by what it does.
    let denials = json!({ "deny": ["Read(./secrets/**)"], "allow": ["Bash(cat:*)"] });
    assert_eq!(judge("cd secrets && cat key", "", &denials), Decision::Ask);
}

#[test]
fn directories_that_the_settings_add_are_the_sessions_own() {
    let read = |path: &str, added: &[&str]| {
        let rules = settings(&json!({ "additionalDirectories": added }));
        let event = json!({ "session_id": "s", "cwd": "/home/dev/app", "hook_event_name": "PreToolUse",
            "tool_name": "Read", "tool_input": { "file_path": path } });
        let hookgate_agents::Decoded::Event(event) = CLAUDE_CODE.decode(event.to_string().as_bytes(), None)
        else {
            return false;
        };
        matches!(reading(&event, &Settings::read(&rules), &places()), Reading::Allow)
    };
    assert!(read("/home/dev/app/a", &[]));
    assert!(!read("/home/dev/lib/a", &[]));
    for added in ["../lib", "~/lib", "/home/dev/lib/"] {
        assert!(read("/home/dev/lib/a", &[added]), "{added}");
        assert!(!read("/home/dev/library/a", &[added]), "{added}");
    }
}
