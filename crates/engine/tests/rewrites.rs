//! Rewrites: what is replaced, what stays, and what becomes of a command that can't be rewritten.

use hookgate_agents::{CLAUDE_CODE, Decision, Event, EventName, Map, ToolCall, Value};
use hookgate_clients::{Scope, Source as NativeSource};
use hookgate_effects::Places;
use hookgate_engine::{Finding, Judged, decide};
use hookgate_host::Fake;
use hookgate_policy::{Check, LayerKind, Policy, Source, Vocabulary};
use hookgate_rules::lookup::vocabulary;
use hookgate_shell::{Limits, Node, Statement, Visitor, parse};
use proptest::prelude::*;

fn policy(text: &str) -> Policy {
    let source = Source { kind: LayerKind::User, path: "hookgate.toml", text, trusted: true };
    let (policy, diagnostics) = Policy::load(&[source], &Vocabulary { rules: &vocabulary() }, Check::Quick);
    assert_eq!(diagnostics, []);
    policy
}

fn event(name: EventName, command: &str) -> Event {
    let mut input = Map::new();
    input.insert("command".to_owned(), Value::from(command));
    input.insert("description".to_owned(), Value::from("as it was"));
    input.insert("timeout".to_owned(), Value::from(1000));
    let call = ToolCall::new(&CLAUDE_CODE, "Bash", input);
    Event { cwd: "/home/me/project".to_owned(), call: Some(call), ..Event::new(name) }
}

fn places() -> Places {
    Places {
        cwd: "/home/me/project".to_owned(),
        home: "/home/me".to_owned(),
        project: "/home/me/project".to_owned(),
        temporary: vec!["/tmp".to_owned()],
        ..Places::default()
    }
}

/// A machine on which everything is there.
fn full_machine() -> Fake {
    let mut host = Fake::default();
    host.assume_present = true;
    host
}

fn judge_on(policy: &Policy, host: &Fake, name: EventName, command: &str) -> Judged {
    decide(&event(name, command), policy, &places(), host)
}

fn judge(policy: &Policy, command: &str) -> Judged {
    let host = full_machine();
    judge_on(policy, &host, EventName::PreToolUse, command)
}

fn new_command(judgement: &Judged) -> Option<&str> {
    judgement.verdict.rewrite.as_ref()?.get("command")?.as_str()
}

const PROXY: &str = r#"
presets = []
[[rewrite]]
run = ["git {status,log,diff,push} **", "cargo test **"]
to = "rtk {command}"
"#;

const TRASH: &str = "presets = [\"trash\"]";

#[test]
fn exactly_the_command_is_replaced() {
    let policy = policy(PROXY);
    for (command, expected) in [
        ("git status", "rtk git status"),
        ("git  status   -s", "rtk git  status   -s"),
        ("cd /tmp&&git status;ls", "cd /tmp&&rtk git status;ls"),
        ("FOO=1 BAR=\"a b\" git log", "FOO=1 BAR=\"a b\" rtk git log"),
        ("sudo -u me git status", "sudo -u me rtk git status"),
        ("env -u X git status", "env -u X rtk git status"),
        ("git log 2>&1", "rtk git log 2>&1"),
        ("git log 2>/dev/null", "rtk git log 2>/dev/null"),
        ("git log --grep 'a; b' # git log", "rtk git log --grep 'a; b' # git log"),
        ("git diff \\\n  HEAD~1 -- \"$f\" *.rs", "rtk git diff \\\n  HEAD~1 -- \"$f\" *.rs"),
        ("git -C sub status", "rtk git -C sub status"),
        ("if true; then git log; fi", "if true; then rtk git log; fi"),
        ("bash -c 'git status'", "bash -c 'rtk git status'"),
        ("bash -c \"git log --grep 'a b'\"", "bash -c \"rtk git log --grep 'a b'\""),
        ("git status\ngit log", "rtk git status\nrtk git log"),
        ("git log $'\\'' ; touch X #'", "rtk git log $'\\'' ; touch X #'"),
        ("git status # don't\ntouch x", "rtk git status # don't\ntouch x"),
        ("(git status)", "(rtk git status)"),
        ("f() { git status; }; f; f", "f() { rtk git status; }; f; f"),
        ("ls | wc -l; git log", "ls | wc -l; rtk git log"),
        ("cat <<'E'\ngit status\nE\ngit status", "cat <<'E'\ngit status\nE\nrtk git status"),
        ("LC_ALL=C git status && echo \"it's done\"", "LC_ALL=C rtk git status && echo \"it's done\""),
    ] {
        let judgement = judge(&policy, command);
        assert_eq!(new_command(&judgement), Some(expected), "{command}");
        assert_eq!(judgement.verdict.decision, Decision::Pass, "{command}");
        // The result is nothing to rewrite again.
        assert_eq!(new_command(&judge(&policy, expected)), None, "{expected}");
    }
}

#[test]
fn what_the_agent_does_not_read_itself_stays() {
    let policy = policy(PROXY);
    for command in [
        "git log | grep x",
        "git log > out.txt",
        "git log >> out.txt",
        "x=$(git log)",
        "echo \"`git log`\"",
        "diff <(git log) a",
        "if git diff --quiet; then true; fi",
        "while git status; do true; done",
        "find . -exec git log {} +",
        "ls | xargs git log",
        "docker exec app git status",
        "ssh host git status",
        "ssh host 'git status'",
        "alias g='git'; g status",
        "git {log,diff}",
        "f() { git log; }; f; f | wc -l",
        "git() { touch x; }; git status",
        "echo git status",
        "git commit -m 'git status'",
        "$x git status",
        "/usr/bin/git status",
        "git status | (",
        "rtk git status",
        "rtk proxy git status",
    ] {
        let judgement = judge(&policy, command);
        assert_eq!(new_command(&judgement), None, "{command}");
        assert!(judgement.verdict.decision == Decision::Pass || command.contains(['$', '(']), "{command}");
    }
}

#[test]
fn a_safety_rewrite_that_can_not_be_applied_asks() {
    let policy = policy(TRASH);
    for (command, expected) in [
        ("rm -rf 'a b'", Some("trash-put -rf 'a b'")),
        ("/bin/rm a | cat", Some("trash-put a | cat")),
        ("\\rm a > log", Some("trash-put a > log")),
        ("for f in a b; do rm \"$f\"; done", Some("for f in a b; do trash-put \"$f\"; done")),
        ("find . -name x -exec rm {} +", None),
        ("xargs rm", None),
        ("rm {a,b}", None),
        ("docker exec app rm a", None),
        ("eval 'rm a'", None),
        ("alias r='rm -f'; r a", None),
        ("trash-put() { rm \"$1\"; }; rm a", None),
    ] {
        let judgement = judge(&policy, command);
        let decision = if expected.is_some() { Decision::Pass } else { Decision::Ask };
        assert_eq!((new_command(&judgement), judgement.verdict.decision), (expected, decision), "{command}");
    }
    let asked = judge(&policy, "ls | xargs rm");
    let reason = asked.verdict.reasons.join(" ");
    assert!(reason.contains("[TRASH001] `rm` can't be rewritten here: another program runs it"), "{reason}");
}

#[test]
fn a_permission_request_is_not_rewritten() {
    let policy = policy(TRASH);
    let host = full_machine();
    let judgement = judge_on(&policy, &host, EventName::PermissionRequest, "rm a");
    assert_eq!((new_command(&judgement), judgement.verdict.decision), (None, Decision::Ask));
    let reason = judgement.verdict.reasons.join(" ");
    assert!(reason.contains("Fix: run `trash-put a` on its own."), "{reason}");
}

#[test]
fn every_other_field_of_the_input_is_kept() {
    let judgement = judge(&policy(PROXY), "git status");
    let input = judgement.verdict.rewrite.unwrap();
    let expected =
        serde_json::json!({"command": "rtk git status", "description": "as it was", "timeout": 1000});
    assert_eq!(Value::Object(input), expected);
}

#[test]
fn the_four_states() {
    let policy = policy(
        r#"
presets = []
[[rewrite]]
code = "ACME001"
run = "cargo test **"
to = "cargo test -q {args}"
then = "allow"
reason = "tests are harmless"
[[rewrite]]
code = "ACME002"
run = "cargo run **"
to = "cargo run -q {args}"
then = "ask"
[[rewrite]]
code = "ACME003"
run = "cargo build **"
to = "cargo build -q {args}"
[[rewrite]]
code = "ACME004"
run = "cargo publish **"
to = "cargo publish -q {args}"
[[rule]]
code = "ACME005"
when = { run = "cargo publish **" }
then = "deny"
"#,
    );
    for (command, decision, new) in [
        ("cargo test --lib", Decision::Allow, Some("cargo test -q --lib")),
        ("cargo test && touch x", Decision::Pass, Some("cargo test -q && touch x")),
        ("cargo test > x", Decision::Pass, None),
        ("cargo run", Decision::Ask, Some("cargo run -q")),
        ("cargo build", Decision::Pass, Some("cargo build -q")),
        ("cargo publish", Decision::Deny, None),
        ("cargo test -q --lib", Decision::Pass, None),
    ] {
        let judgement = judge(&policy, command);
        assert_eq!((judgement.verdict.decision, new_command(&judgement)), (decision, new), "{command}");
    }
    let denied = judge(&policy, "cargo publish");
    let context = denied.verdict.context.join(" ");
    assert!(context.contains("it was judged as `cargo publish -q`"), "{context}");
}

#[test]
fn what_a_rewrite_can_not_see_through_hides_nothing() {
    let rule = "[[rule]]\ncode = \"ACME001\"\nwhen = { run = \"git push **\" }\nthen = \"ask\"\n";
    // Nobody knows what `wrapit` does, so what was said about the old command stands.
    let hiding = policy(&format!(
        "presets = []\n{rule}[[rewrite]]\nrun = \"git push **\"\nto = \"wrapit {{command}}\""
    ));
    assert_eq!(judge(&hiding, "git push").verdict.decision, Decision::Ask);
    // What is denied in its new form is denied.
    let denied =
        policy("presets = [\"recommended\"]\n[[rewrite]]\nrun = \"git push\"\nto = \"git push --force\"");
    let judgement = judge(&denied, "git push");
    assert_eq!((judgement.verdict.decision, new_command(&judgement)), (Decision::Deny, None));
    // A safer command takes the place of what would have been denied.
    let safer = policy("presets = [\"recommended\", \"safer-git\"]");
    let judgement = judge(&safer, "git -C sub push -f origin main --force");
    let expected = Some("git -C sub push --force-with-lease origin main");
    assert_eq!((judgement.verdict.decision, new_command(&judgement)), (Decision::Pass, expected));
    assert_eq!(judge(&safer, "git push origin +main").verdict.decision, Decision::Deny);
}

#[test]
fn the_agents_own_rules_meet_the_command_that_they_were_written_for() {
    let inherits = format!("{PROXY}then = \"inherit\"");
    let safer = "presets = [\"recommended\", \"safer-git\"]";
    for (policy_text, permissions, command, decision, new) in [
        (
            inherits.as_str(),
            r#"{"allow": ["Bash(git status:*)"]}"#,
            "git status",
            Decision::Allow,
            Some("rtk git status"),
        ),
        (
            &inherits,
            r#"{"allow": ["Bash(git log:*)"]}"#,
            "git status && touch x",
            Decision::Pass,
            Some("rtk git status && touch x"),
        ),
        (&inherits, r#"{"deny": ["Bash(git push:*)"]}"#, "git push", Decision::Handoff, None),
        (&inherits, r#"{"ask": ["Bash(git push:*)"]}"#, "git status; git push", Decision::Handoff, None),
        (PROXY, r#"{"allow": ["Bash(git status:*)"]}"#, "git status", Decision::Pass, Some("rtk git status")),
        (PROXY, r#"{"deny": ["Bash(git:*)"]}"#, "git status", Decision::Handoff, None),
        // Without its rewrite the original is judged by our rules too.
        (safer, r#"{"ask": ["Bash(git push:*)"]}"#, "git push --force", Decision::Deny, None),
        (safer, "{}", "git push --force", Decision::Pass, Some("git push --force-with-lease")),
    ] {
        let mut host = full_machine();
        let text = format!("{{\"permissions\": {permissions}}}");
        let path = "/home/me/project/.claude/settings.json".to_owned();
        host.settings = vec![NativeSource { scope: Scope::Project, path, text }];
        let judgement = judge_on(&policy(policy_text), &host, EventName::PreToolUse, command);
        assert_eq!(
            (judgement.verdict.decision, new_command(&judgement)),
            (decision, new),
            "{command} {permissions}"
        );
    }
}

#[test]
fn shadow_keeps_everything_as_it_is_and_records() {
    for text in [format!("{PROXY}shadow = true"), format!("mode = \"shadow\"\n{PROXY}")] {
        let judgement = judge(&policy(&text), "git status");
        assert_eq!(new_command(&judgement), None);
        let shadowed = |finding: &Finding| finding.code == "REWRITE" && finding.shadow;
        assert!(!judgement.findings.is_empty(), "{text}");
        assert!(judgement.findings.iter().all(shadowed), "{:?}", judgement.findings);
        let planned = text.starts_with("mode").then_some("rtk git status");
        assert_eq!(judgement.planned.as_deref(), planned);
    }
    let off = judge(&policy(&format!("mode = \"off\"\n{PROXY}")), "git status");
    assert!(off.findings.is_empty() && off.planned.is_none());
    let mut machine = full_machine();
    machine.pause = Some(hookgate_engine::Pause { until: 60_000 });
    let paused = judge_on(&policy(PROXY), &machine, EventName::PreToolUse, "git status");
    assert_eq!((new_command(&paused), paused.planned.as_deref()), (None, Some("rtk git status")));
}

/// What a rule puts in a call's place is judged like any other call.
#[test]
fn an_own_rules_new_input_is_judged_again() {
    let rule = |to: &str, more: &str| {
        policy(&format!(
            "[[rule]]\ncode = \"ACME001\"\nwhen = {{ run = \"make deploy\" }}\nupdated-input = {{ command = '{to}' }}\n{more}"
        ))
    };
    let harmless = judge(&rule("make deploy DRY_RUN=1", ""), "make deploy");
    assert_eq!(new_command(&harmless), Some("make deploy DRY_RUN=1"));
    let denied = judge(&rule("git push --force origin main", ""), "make deploy");
    assert_eq!((denied.verdict.decision, new_command(&denied)), (Decision::Deny, None));
    assert!(
        denied.verdict.context.iter().any(|text| text.contains("judged as `git push --force origin main`"))
    );
    // What was wrong with the old call stands.
    let both = rule(
        "ls",
        "[[rule]]\ncode = \"ACME002\"\nwhen = { run = \"make **\" }\nthen = \"deny\"\nreason = \"x\"",
    );
    assert_eq!(judge(&both, "make deploy").verdict.decision, Decision::Deny);
    // A grant goes with the new input that it is for, and no further than what can be known of it.
    let allow = "then = \"allow\"\nreason = \"a dry run\"";
    assert_eq!(judge(&rule("touch out/plan", allow), "make deploy").verdict.decision, Decision::Allow);
    assert_ne!(judge(&rule("eval \"$X\"", allow), "make deploy").verdict.decision, Decision::Allow);
    assert_eq!(judge(&rule("rm -rf /", allow), "make deploy").verdict.decision, Decision::Deny);
    // What rewrites and rules make of each other ends.
    let chain = rule("ls", "[[rewrite]]\nrun = \"ls\"\nto = \"make deploy\"");
    assert_eq!(new_command(&judge(&chain, "ls")), None);
    assert_eq!(new_command(&judge(&chain, "make deploy")), Some("ls"));
}

#[test]
fn a_missing_program_is_told_once_and_nothing_is_rewritten() {
    let policy = policy("presets = [\"rtk\"]");
    for (said, expected, notice) in [
        (None, None, "`rtk` isn't on PATH"),
        (Some(None), None, "isn't known yet"),
        (Some(Some("rtk 0.22.9")), None, "`rtk` is 0.22.9, but RTK001 needs 0.23.0"),
        (Some(Some("something else")), None, "doesn't print a version"),
        (Some(Some("rtk 0.23.0")), Some("rtk git status"), ""),
    ] {
        let mut host = Fake::default();
        if let Some(said) = said {
            host.programs.insert("rtk".to_owned(), said.map(str::to_owned));
        }
        let judgement = judge_on(&policy, &host, EventName::PreToolUse, "git status");
        // The client runs `git status` without asking, so what stands in its place inherits that.
        let decision = if expected.is_some() { Decision::Allow } else { Decision::Pass };
        assert_eq!((new_command(&judgement), judgement.verdict.decision), (expected, decision));
        let notices = judgement.verdict.notices.join("\n");
        assert!(notices.contains(notice) && notices.is_empty() == notice.is_empty(), "{notices}");
        let again = judge_on(&policy, &host, EventName::PreToolUse, "git status");
        assert_eq!(again.verdict.notices, Vec::<String>::new());
    }
}

/// What the client runs without a rule is bound to the directories of the session, and to options that it knows: seen with the real one.
#[test]
fn what_the_client_asks_about_without_a_rule_is_not_inherited() {
    let rtk = policy("presets = [\"rtk\"]");
    for (command, decision) in [
        ("ls -la src", Decision::Allow),
        ("cat \"$PWD/src/a\"", Decision::Allow),
        ("git log --oneline -5", Decision::Allow),
        ("git diff --stat main evil", Decision::Allow),
        ("git show HEAD:x", Decision::Allow),
        ("ls -la /srv", Decision::Pass),
        ("ls ..", Decision::Pass),
        ("ls ~", Decision::Pass),
        ("cat /etc/hosts", Decision::Pass),
        ("cat ~/notes", Decision::Pass),
        ("cat $HOME/x", Decision::Pass),
        ("head -n 3 /etc/hosts", Decision::Pass),
        ("wc -l ../x", Decision::Pass),
        ("git diff /etc/hosts x", Decision::Pass),
        ("git diff --ext-diff", Decision::Pass),
        ("git diff --output=x", Decision::Pass),
        ("git log -3 --output=x", Decision::Pass),
        ("git log --of-tomorrow", Decision::Pass),
        ("git show --textconv", Decision::Pass),
        ("git status; echo \"$?\"", Decision::Pass),
        ("git status; echo \"$HOME\"", Decision::Allow),
    ] {
        let judgement = judge_on(&rtk, &full_machine(), EventName::PreToolUse, command);
        assert_eq!(judgement.verdict.decision, decision, "{command}");
    }
    // A rule of the client's covers its options, and takes no path along.
    let inherits = policy(&format!("{PROXY}then = \"inherit\""));
    for (command, decision) in
        [("git log --output=x", Decision::Allow), ("git diff /etc/hosts x", Decision::Pass)]
    {
        let mut host = full_machine();
        let path = "/home/me/.claude/settings.json".to_owned();
        let text = "{\"permissions\": {\"allow\": [\"Bash(git:*)\"]}}".to_owned();
        host.settings = vec![NativeSource { scope: Scope::User, path, text }];
        let judgement = judge_on(&inherits, &host, EventName::PreToolUse, command);
        assert_eq!(judgement.verdict.decision, decision, "{command}");
    }
}

#[test]
fn the_first_of_two_rewrites_counts_and_the_person_hears_of_it() {
    let policy = policy(&format!(
        "{PROXY}[[rewrite]]\ncode = \"ACME001\"\nrun = \"git log **\"\nto = \"git log -3 {{args}}\""
    ));
    let host = full_machine();
    let judgement = judge_on(&policy, &host, EventName::PreToolUse, "git log");
    assert_eq!(new_command(&judgement), Some("rtk git log"));
    let expected = "two rewrites match `git log`: hookgate uses the rewrite on line 3 of the user policy, not ACME001 of the user policy";
    assert_eq!(judgement.verdict.notices, [expected]);
    assert_eq!(
        judge_on(&policy, &host, EventName::PreToolUse, "git log").verdict.notices,
        Vec::<String>::new()
    );
}

#[test]
fn variables_and_patterns_keep_a_command_as_it_is() {
    let policy = policy(
        "presets = []\n[[rewrite]]\nrun = \"git **\"\nunless = \"git ** --porcelain* **\"\nunless-env = \"RAW\"\nto = \"rtk {command}\"",
    );
    for command in [
        "RAW=1 git status",
        "env RAW=1 git status",
        "git status --porcelain=v2",
        "git -C x status --porcelain",
    ] {
        assert_eq!(new_command(&judge(&policy, command)), None, "{command}");
    }
    let mut host = full_machine();
    host.variables.insert("RAW".to_owned(), "1".to_owned());
    assert_eq!(new_command(&judge_on(&policy, &host, EventName::PreToolUse, "git status")), None);
}

#[test]
fn a_part_of_a_word_is_quoted_again() {
    let policy = policy("presets = []\n[[rewrite]]\nrun = \"head -n * *\"\nto = \"show {2} --lines={1}\"");
    for (command, expected) in [
        ("head -n 5 'a b'", Some("show 'a b' --lines=5")),
        ("head -n '5 6' x", Some("show x '--lines=5 6'")),
        ("head -n \"it's\" x", Some("show x '--lines=it'\\''s'")),
        ("head -n $N x", None),
        ("bash -c 'head -n \"5 6\" x'", None),
    ] {
        assert_eq!(new_command(&judge(&policy, command)), expected, "{command}");
    }
}

/// Pieces that commands are made of, hostile ones among them.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "git status",
        "git log -3",
        "cargo test",
        "rm -rf x",
        "rm a",
        "rm",
        "git",
        "push -f",
        "'a b'",
        "\"$x\"",
        "$'\\''",
        "$(git log)",
        "`rm a`",
        "<<E\nrm a\nE\n",
        "# don't\n",
        " ; ",
        " && ",
        " || ",
        " | ",
        "\n",
        "  ",
        "(",
        ")",
        "{ ",
        "; }",
        "if ",
        "; then ",
        "; fi",
        "FOO=1 ",
        "sudo ",
        "bash -c 'rm a'",
        "bash -c \"rm 'a'\"",
        "> out",
        "2>&1",
        "\\\n",
        "&",
        "*.o",
        "{a,b}",
        "for f in a; do ",
        "; done",
        "f() ",
        "é",
        "!",
        "${x:-rm a}",
        "eval ",
        "xargs ",
    ]);
    prop::collection::vec(piece, 1..9).prop_map(|pieces| pieces.join(" "))
}

/// The statements of a text, by kind.
fn statements(text: &str) -> Vec<std::mem::Discriminant<Node>> {
    struct Kinds(Vec<std::mem::Discriminant<Node>>);
    impl Visitor for Kinds {
        fn statement(&mut self, statement: &Statement) {
            self.0.push(std::mem::discriminant(&statement.node));
        }
    }
    let mut kinds = Kinds(Vec::new());
    let script = parse(text, &Limits::default());
    assert_eq!(script.problems, [], "{text}");
    script.walk(&mut kinds);
    kinds.0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// What is taken out of the new text and put back as it was gives the old text, byte for byte; both parse alike;
    /// and the result of a rewrite is not rewritten.
    #[test]
    fn bytes_outside_of_matched_commands_never_change(text in text(), set in 0usize..4) {
        let anywhere = set % 2 == 1;
        let policy = policy(&match set {
            0 | 1 => format!("presets = []\n[[rewrite]]\nrun = [\"git **\", \"rm **\", \"cargo **\"]\nto = \"@@ {{command}} @@\"\nanywhere = {anywhere}"),
            _ => format!("presets = []\n[[rewrite]]\nrun = [\"git **\", \"rm **\", \"cargo **\"]\nto = \"@@ {{args}}\"\nanywhere = {anywhere}"),
        });
        let judgement = judge(&policy, &text);
        if let Some(new) = new_command(&judgement) {
            if set < 2 {
                let restored = new.replace("@@ ", "").replace(" @@", "");
                prop_assert_eq!(&restored, &text);
            }
            prop_assert_eq!(statements(new), statements(&text), "{} became {}", text, new);
            // What could not be rewritten in the old text may be possible in the new one.
            let is_dropped = |finding: &Finding| finding.message.contains("can't be rewritten here");
            if !judgement.findings.iter().any(is_dropped) {
                let again = judge(&policy, new);
                prop_assert_eq!(new_command(&again), None, "{} again", new);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Rewriting is idempotent with every shipped set: what comes out is left as it is, whole or in part.
    #[test]
    fn what_a_shipped_rewrite_made_is_left_as_it_is(text in shipped_text(), name in prop::sample::select(vec!["rtk", "trash", "safer-git", "quiet"])) {
        let policy = policy(&format!("presets = [\"{name}\"]\n"));
        let judgement = judge(&policy, &text);
        if let Some(new) = new_command(&judgement) {
            let again = judge(&policy, new);
            let is_dropped = |finding: &Finding| finding.message.contains("can't be rewritten here");
            if !judgement.findings.iter().any(is_dropped) {
                prop_assert_eq!(new_command(&again), None, "{}: {} became {}", name, text, new);
            }
        }
    }
}

/// Everyday commands that the shipped sets are about, put together.
fn shipped_text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "git status",
        "git log",
        "git log --oneline -3",
        "git diff HEAD~1",
        "git --no-pager log",
        "git -c color.ui=never diff",
        "git push",
        "git push --force",
        "git push -f origin work",
        "git push --force-with-lease origin work",
        "git -C sub push -f",
        "rm a b",
        "rm -rf 'x y'",
        "rm -- -a",
        "trash a",
        "ls -la",
        "cat a",
        "grep -rn x .",
        "cargo test",
        "cargo build -q",
        "npm install",
        "npm ci --silent",
        "npm --silent test",
        "pytest",
        "pytest -q tests",
        "python -m pytest",
        "docker ps",
        "pnpm list",
        "find . -name a",
        "make",
        "pip install -q x",
        "rtk git status",
        "go test ./...",
        "curl -s http://h",
    ]);
    let joint = prop::sample::select(vec![" && ", "; ", "\n", " || ", " | ", " > out; "]);
    prop::collection::vec((word, joint), 1..5).prop_map(|pieces| {
        let mut text: String = pieces.iter().flat_map(|(word, joint)| [*word, *joint]).collect();
        text.push_str("true");
        text
    })
}
