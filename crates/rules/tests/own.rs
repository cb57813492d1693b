//! Own rules against events, through the policy's text.

use std::sync::Arc;

use hookgate_agents::{CLAUDE_CODE, Event, EventName, Map, PermissionMode, ToolCall};
use hookgate_effects::{
    Argument, Call, Certainty, Effect, Effects, Kind, Manner, PathFact, Place, Places, Target, Traits,
};
use hookgate_policy::{Check, Date, LayerKind, Policy, Source, Vocabulary};
use hookgate_rules::own::{Branch, Question, Session};
use hookgate_rules::{Facts, Remedy};
use hookgate_shell::Span;

struct Here {
    branch: Option<&'static str>,
    variables: &'static [(&'static str, &'static str)],
    attended: bool,
}

const HERE: Here = Here { branch: Some("main"), variables: &[("TIER", "gold")], attended: true };

impl Session for Here {
    fn branch(&self) -> Branch {
        match self.branch {
            Some("?") => Branch::Unknown,
            Some(name) => Branch::Named(name.to_owned()),
            None => Branch::None,
        }
    }
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned())
    }
    fn today(&self) -> Date {
        Date { year: 2026, month: 11, day: 21 }
    }
    fn attended(&self) -> bool {
        self.attended
    }
}

fn places() -> Places {
    Places { cwd: "/p".into(), home: "/home/u".into(), project: "/p".into(), ..Places::default() }
}

fn call(words: &[&str]) -> Call {
    let mut words = words.iter();
    let word = (*words.next().unwrap_or(&"")).to_owned();
    Call {
        program: word.rsplit('/').next().unwrap_or("").to_owned(),
        word,
        arguments: words
            .map(|text| Argument { text: (*text != "$X").then(|| (*text).to_owned()), span: Span::default() })
            .collect(),
        span: Span { start: 3, end: 9 },
        ..Call::default()
    }
}

fn effect(kind: Kind, path: &str, recursive: bool, of: Option<usize>) -> Effect {
    let fact = PathFact {
        path: path.to_owned(),
        real: None,
        place: Place::Project,
        traits: Traits::default(),
        pattern: path.contains('*'),
        literal: false,
    };
    Effect {
        kind,
        target: Some(Target::Path(fact)),
        recursive,
        certainty: Certainty::Certain,
        span: Span::default(),
        call: of,
        note: None,
        manner: Manner::default(),
    }
}

fn tool(name: &str) -> Event {
    Event {
        call: Some(ToolCall::new(&CLAUDE_CODE, name, Map::new())),
        permission_mode: Some(PermissionMode::Plan),
        ..Event::new(EventName::PreToolUse)
    }
}

/// The effects that a rule with this `when` (and `then`) hits, or `None` if it does not hold.
fn hits(rule: &str, event: &Event, effects: &Effects, session: &Here) -> Option<Vec<usize>> {
    let text = format!("[[rule]]\ncode = \"ACME001\"\n{rule}");
    let source = Source { kind: LayerKind::User, path: "x", text: &text, trusted: true };
    let (policy, diagnostics) = Policy::load(&[source], &Vocabulary::default(), Check::Quick);
    assert_eq!(diagnostics, [], "{rule}");
    let places = places();
    let question = Question::new(Facts::of(event, effects, &places), session);
    question.check(&policy.rules).pop().map(|hit| hit.hit.effects)
}

fn bash(rule: &str, effects: &Effects) -> Option<Vec<usize>> {
    hits(rule, &tool("Bash"), effects, &HERE)
}

const DENY: &str = "then = \"deny\"";
const ALLOW: &str = "then = \"allow\"\nreason = \"r\"";

fn when(when: &str, then: &str) -> String {
    format!("when = {{ {when} }}\n{then}")
}

#[test]
fn all_parts_must_hold_for_the_same_effect() {
    let effects = Effects {
        calls: vec![call(&["sed", "-i", "s/a/b/", "x"]), call(&["tee", "db/a"])],
        effects: vec![
            effect(Kind::Write, "/p/x", false, Some(0)),
            effect(Kind::Write, "/p/db/a", false, Some(1)),
        ],
        ..Effects::default()
    };
    assert_eq!(bash(&when("run = \"sed **\", write = \"db/**\"", DENY), &effects), None);
    assert_eq!(bash(&when("run = \"tee **\", write = \"db/**\"", DENY), &effects), Some(vec![1]));
    assert_eq!(bash(&when("write = \"**\", not = { run = \"tee **\" }", DENY), &effects), Some(vec![0]));
    assert_eq!(bash(&when("tool = \"Bash\"", DENY), &effects), Some(vec![0, 1]));
    let any = "any = [{ run = \"sed **\" }, { write = \"db/**\" }]";
    assert_eq!(bash(&when(any, DENY), &effects), Some(vec![0, 1]));
}

#[test]
fn a_command_is_matched_by_program_and_arguments() {
    let run = |pattern: &str, words: &[&str], then: &str| {
        let effects = Effects { calls: vec![call(words)], ..Effects::default() };
        bash(&when(&format!("run = \"{pattern}\""), then), &effects).is_some()
    };
    assert!(run("rails db:migrate **", &["/opt/bin/rails", "db:migrate", "-v"], DENY));
    assert!(!run("rails db:migrate **", &["echo", "rails db:migrate"], DENY));
    assert!(run("/opt/bin/rails **", &["/opt/bin/rails", "x"], DENY));
    assert!(!run("/opt/bin/rails **", &["rails", "x"], DENY));
    assert!(run("make *", &["make", "$X"], DENY));
    assert!(!run("make *", &["make", "$X"], ALLOW));
    assert!(run("make **", &["make", "$X"], ALLOW));
}

#[test]
fn a_script_is_matched_whatever_shell_runs_it_and_however_its_place_is_written() {
    let run = |pattern: &str, words: &[&str], then: &str| {
        let script = words.iter().find(|word| word.ends_with(".sh")).copied().unwrap_or("");
        let effects = Effects {
            calls: vec![call(words)],
            effects: vec![effect(
                Kind::ProjectCode,
                &format!("/p/{}", script.trim_start_matches("./")),
                false,
                Some(0),
            )],
            ..Effects::default()
        };
        bash(&when(&format!("run = \"{pattern}\""), then), &effects).is_some()
    };
    for words in [
        &["./deploy.sh", "prod"][..],
        &["bash", "scripts/deploy.sh", "prod"],
        &["sh", "-e", "./scripts/deploy.sh", "prod"],
    ] {
        assert!(run("deploy.sh prod", words, DENY), "{words:?}");
    }
    assert!(run("./scripts/deploy.sh prod", &["scripts/deploy.sh", "prod"], DENY));
    assert!(run("scripts/deploy.sh prod", &["./scripts/deploy.sh", "prod"], DENY));
    assert!(!run("deploy.sh prod", &["bash", "deploy.sh", "staging"], DENY));
    assert!(!run("./deploy.sh prod", &["deploy.sh", "prod"], DENY), "a program on PATH is another one");
    assert!(!run("deploy.sh prod", &["bash", "deploy.sh", "prod"], ALLOW), "a grant names what it grants");
    let sourced = Effects {
        calls: vec![call(&["source", ".env"])],
        effects: vec![effect(Kind::ProjectCode, "/p/.env", false, Some(0))],
        ..Effects::default()
    };
    assert!(bash(&when("read = \".env\"", DENY), &sourced).is_some());
    assert!(bash(&when("read = \".env\"", ALLOW), &sourced).is_none());
}

#[test]
fn options_before_the_subcommand_hide_nothing_and_grant_nothing() {
    let mut push = call(&["git", "-C", "x", "push", "--force"]);
    push.subcommand = vec!["push".to_owned()];
    let effects = Effects { calls: vec![push], effects: vec![], ..Effects::default() };
    assert!(bash(&when("run = \"git push --force\"", DENY), &effects).is_some());
    assert!(bash(&when("run = \"git push --force\"", ALLOW), &effects).is_none());
}

#[test]
fn a_tree_and_a_glob_are_hit_by_what_may_be_in_them() {
    let one = |path: &str, recursive: bool, pattern: &str, then: &str| {
        let effects = Effects {
            calls: vec![],
            effects: vec![effect(Kind::Delete, path, recursive, None)],
            ..Effects::default()
        };
        bash(&when(&format!("delete = \"{pattern}\""), then), &effects).is_some()
    };
    for (path, recursive, pattern, may, surely) in [
        ("/p/src/a.rs", false, "src/**", true, true),
        ("/p/src", true, "src/a.rs", true, false),
        ("/p/src", true, "src/", true, true),
        ("/p", true, "src/a.rs", true, false),
        ("/", true, "src/a.rs", true, false),
        ("/p/docs", true, "src/a.rs", false, false),
        ("/p/*.log", false, "important.txt", false, false),
        ("/p/*.txt", false, "important.txt", true, false),
        ("/p/build/*.o", false, "build/**", true, true),
        ("/*", true, "src/a.rs", true, false),
        ("/q/src/a.rs", false, "src/**", false, false),
        ("/home/u/.ssh/id", false, "~/.ssh/", true, true),
        ("/etc/passwd", false, "/etc/*", true, true),
        ("/p/deep/down/x.pem", false, "*.pem", true, true),
    ] {
        assert_eq!(one(path, recursive, pattern, DENY), may, "may {path} {pattern}");
        assert_eq!(one(path, recursive, pattern, ALLOW), surely, "surely {path} {pattern}");
    }
}

#[test]
fn a_link_counts_under_both_names() {
    let mut write = effect(Kind::Write, "/p/link", false, None);
    if let Some(Target::Path(fact)) = &mut write.target {
        fact.real = Some("/p/db/schema".to_owned());
    }
    let effects = Effects { calls: vec![], effects: vec![write], ..Effects::default() };
    assert!(bash(&when("write = \"db/**\"", DENY), &effects).is_some());
    assert!(bash(&when("write = \"link\"", ALLOW), &effects).is_none());
    assert!(bash(&when("write = [\"link\", \"db/**\"]", ALLOW), &effects).is_some());
}

#[test]
fn deleting_is_a_change_to_a_restriction_only() {
    let effects = Effects {
        calls: vec![],
        effects: vec![effect(Kind::Delete, "/p/a/b", false, None)],
        ..Effects::default()
    };
    assert!(bash(&when("write = \"a/**\"", DENY), &effects).is_some());
    assert!(bash(&when("write = \"a/**\"", ALLOW), &effects).is_none());
}

#[test]
fn the_session_is_asked_for_branch_environment_and_person() {
    let mut own = call(&["rake", "x"]);
    own.environment =
        Arc::new(vec![("RAILS_ENV".to_owned(), Some("production".to_owned())), ("SECRET".to_owned(), None)]);
    let effects = Effects { calls: vec![own], effects: vec![], ..Effects::default() };
    for (condition, holds) in [
        ("env = { RAILS_ENV = \"prod*\" }", true),
        ("env = { RAILS_ENV = \"test\" }", false),
        ("env = { TIER = \"gold\" }", true),
        ("env = { SECRET = \"x\" }", true),
        ("env = { NOBODY = \"*\" }", false),
        ("branch = \"{main,release/*}\"", true),
        ("branch = \"dev\"", false),
        ("attended = false", false),
        ("permission-mode = \"plan\"", true),
        ("subagent = true", false),
        ("agent = \"claude-code\"", true),
    ] {
        assert_eq!(bash(&when(condition, DENY), &effects).is_some(), holds, "{condition}");
    }
    let detached = Here { branch: None, ..HERE };
    assert!(hits(&when("branch = \"*\"", DENY), &tool("Bash"), &effects, &detached).is_none());
    let untold = Here { branch: Some("?"), ..HERE };
    for condition in ["branch = \"main\"", "not = { branch = \"main\" }"] {
        assert!(hits(&when(condition, DENY), &tool("Bash"), &effects, &untold).is_some(), "{condition}");
        assert!(hits(&when(condition, ALLOW), &tool("Bash"), &effects, &untold).is_none(), "{condition}");
    }
}

#[test]
fn mcp_tools_are_matched_by_server_and_name() {
    let event = tool("mcp__github__delete_repo");
    let rule = when("mcp-server = \"github\", mcp-tool = \"delete_*\"", DENY);
    assert!(hits(&rule, &event, &Effects::default(), &HERE).is_some());
    assert!(hits(&rule, &tool("mcp__gitlab__delete_repo"), &Effects::default(), &HERE).is_none());
    assert!(hits(&rule, &tool("Bash"), &Effects::default(), &HERE).is_none());
}

#[test]
fn texts_and_fields_of_other_events_are_matched() {
    let prompt = Event {
        fields: Map::from_iter([("prompt".to_owned(), "Please DEPLOY now".into())]),
        ..Event::new(EventName::UserPromptSubmit)
    };
    for (pattern, holds) in [("deploy", true), ("/deploy/", false), ("/deploy/i", true), ("/(/", false)] {
        let rule = format!("on = \"UserPromptSubmit\"\n{}", when(&format!("prompt = \"{pattern}\""), DENY));
        assert_eq!(hits(&rule, &prompt, &Effects::default(), &HERE).is_some(), holds, "{pattern}");
    }
    let config = Event {
        fields: Map::from_iter([("source".to_owned(), "project_settings".into())]),
        ..Event::new(EventName::ConfigChange)
    };
    let rule = format!("on = \"ConfigChange\"\n{}", when("field = { source = \"project_*\" }", DENY));
    assert!(hits(&rule, &config, &Effects::default(), &HERE).is_some());
    assert!(hits(&rule, &prompt, &Effects::default(), &HERE).is_none());
}

#[test]
fn an_expired_rule_is_silent_from_the_next_day_on() {
    let effects = Effects::default();
    assert!(bash("then = \"deny\"\nuntil = 2026-11-21", &effects).is_some());
    assert!(bash("then = \"deny\"\nuntil = 2026-11-20", &effects).is_none());
}

#[test]
fn a_rule_without_words_gets_ours() {
    let text = "[[rule]]\ncode = \"ACME001\"\nwhen = { write = \"a\" }\nthen = \"deny\"";
    let source = Source { kind: LayerKind::Project, path: "x", text, trusted: false };
    let (policy, _) = Policy::load(&[source], &Vocabulary::default(), Check::Quick);
    let effects = Effects {
        calls: vec![],
        effects: vec![effect(Kind::Write, "/p/a", false, None)],
        ..Effects::default()
    };
    let (event, places) = (tool("Write"), places());
    let question = Question::new(Facts::of(&event, &effects, &places), &HERE);
    let hit = question.check(&policy.rules).pop().unwrap().hit;
    assert_eq!(hit.message, "rule `ACME001` of the project policy applies to write `/p/a`");
    assert_eq!(hit.remedy, Remedy::Forbidden);
}

#[test]
fn an_exception_covers_only_what_it_surely_names() {
    let text = "[[exception]]\ncode = \"FILE001\"\nwhen = { delete = \"cache/**\" }\nreason = \"r\"";
    let source = Source { kind: LayerKind::User, path: "x", text, trusted: true };
    let (policy, _) = Policy::load(&[source], &Vocabulary::default(), Check::Quick);
    let effects = Effects {
        calls: vec![],
        effects: vec![
            effect(Kind::Delete, "/p/cache/a", false, None),
            effect(Kind::Delete, "/p/src", true, None),
        ],
        ..Effects::default()
    };
    let (event, places) = (tool("Bash"), places());
    let question = Question::new(Facts::of(&event, &effects, &places), &HERE);
    let exception = policy.exceptions.first().unwrap();
    assert!(question.covers(&exception.when, &[0]));
    assert!(!question.covers(&exception.when, &[0, 1]));
    assert!(!question.covers(&exception.when, &[]));
}

#[test]
fn messages_addresses_and_inputs_are_matched_where_the_effect_is_theirs() {
    use hookgate_effects::{Part, Said};
    let said = |text: Option<&str>| {
        let said = Said { part: Part::Message, text: text.map(str::to_owned), span: Span::default() };
        let own = Call { said: vec![said], ..call(&["git", "commit", "-m", "x"]) };
        Effects { calls: vec![own], effects: vec![], ..Effects::default() }
    };
    let reaches = |words: &[&str], host: &str| {
        let target = Some(Target::Host(host.to_owned()));
        let download = Effect { target, ..effect(Kind::Download, "", false, Some(0)) };
        Effects { calls: vec![call(words)], effects: vec![download], ..Effects::default() }
    };
    let curl = |word: &str| reaches(&["curl", word], "api.acme.dev");
    for (condition, effects, restricts, grants) in [
        ("message = \"wip\"", said(Some("WIP: a draft")), true, true),
        ("message = \"/^wip/\"", said(Some("fix: no wip")), false, false),
        ("not = { message = \"wip\" }", said(Some("fix: it")), true, true),
        ("message = \"wip\"", said(None), false, false),
        ("not = { message = \"wip\" }", said(None), true, false),
        (
            "message = \"wip\"",
            Effects { calls: vec![call(&["echo", "wip"])], ..Effects::default() },
            false,
            false,
        ),
        ("url = \"api.acme.dev/v1/*\"", curl("https://me:pw@API.acme.dev:443/v1/pay?x=1#y"), true, true),
        ("url = \"api.acme.dev/v1/*\"", curl("--url=https://api.acme.dev/v1/pay"), true, true),
        ("url = \"api.acme.dev/v1/*\"", curl("api.acme.dev/v1/pay/all"), true, true),
        ("url = \"api.acme.dev/v1/*\"", curl("https://api.acme.dev/v2/pay"), false, false),
        ("url = \"*/v1/*\"", curl("https://elsewhere.dev/v1/pay"), true, false),
        ("url = \"api.acme.dev/v1/*\"", curl("$X"), true, false),
        ("not = { url = \"api.acme.dev/v1/*\" }", curl("$X"), true, false),
        ("url = \"other.dev/*\"", curl("$X"), false, false),
        (
            "url = \"github.com/acme/*\"",
            reaches(&["git", "clone", "git@github.com:acme/app"], "github.com"),
            true,
            true,
        ),
        (
            "url = \"*\"",
            Effects { calls: vec![call(&["echo", "https://api.acme.dev/v1"])], ..Effects::default() },
            false,
            false,
        ),
        // What is written can't be seen here, since no machine is asked.
        (
            "content = \"x\"",
            Effects { effects: vec![effect(Kind::Write, "/p/a", false, None)], ..Effects::default() },
            false,
            false,
        ),
        (
            "not = { content = \"x\" }",
            Effects { effects: vec![effect(Kind::Write, "/p/a", false, None)], ..Effects::default() },
            true,
            false,
        ),
    ] {
        assert_eq!(bash(&when(condition, DENY), &effects).is_some(), restricts, "{condition} {effects:?}");
        assert_eq!(bash(&when(condition, ALLOW), &effects).is_some(), grants, "{condition} {effects:?}");
    }
    let input = serde_json::json!({ "owner": "acme", "labels": ["a", "b"], "file": { "path": "x/y" }, "draft": true });
    let event = Event {
        call: Some(ToolCall::new(
            &CLAUDE_CODE,
            "mcp__github__create_issue",
            input.as_object().unwrap().clone(),
        )),
        ..tool("Bash")
    };
    for (condition, holds) in [
        ("input = { owner = \"ac*\" }", true),
        ("input = { owner = \"other\" }", false),
        ("input = { labels = \"b\" }", true),
        ("input = { \"file.path\" = \"x/*\" }", true),
        ("input = { file = \"*\" }", false),
        ("input = { draft = \"true\" }", true),
        ("input = { nothing = \"*\" }", false),
        ("input = { owner = \"acme\", draft = \"false\" }", false),
    ] {
        assert_eq!(
            hits(&when(condition, DENY), &event, &Effects::default(), &HERE).is_some(),
            holds,
            "{condition}"
        );
    }
}
