//! `init`, `uninstall` and `doctor`: minimal, reversible, proven.

use std::fs;

use crate::support::{Ground, feed};
use serde_json::{Value, json};

const FOREIGN: &str = "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"./check.sh\" } ] } ]\n    },\n    \"cost\": 1.50\n}\n";

fn settings(ground: &Ground, name: &str) -> std::path::PathBuf {
    ground.project().join(".claude").join(name)
}

fn text(output: &std::process::Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn handler<'a>(settings: &'a Value, event: &str) -> &'a Value {
    settings["hooks"][event].as_array().unwrap().last().unwrap()["hooks"].as_array().unwrap().last().unwrap()
}

#[test]
fn init_writes_the_smallest_block_and_uninstall_restores_every_byte() {
    let ground = Ground::new();
    let path = settings(&ground, "settings.local.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, FOREIGN).unwrap();
    let output = ground.run(&["init", "--scope", "local", "--yes", "--client-version", "2.1.330"]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("+"), "the change is shown");

    let written = fs::read_to_string(&path).unwrap();
    let value: Value = serde_json::from_str(&written).unwrap();
    let events: Vec<&String> = value["hooks"].as_object().unwrap().keys().collect();
    assert_eq!(
        events,
        ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "ConfigChange"],
        "only what the policy uses, and what guards it"
    );
    let handler = handler(&value, "PreToolUse");
    let arguments = ["hook", "--event", "PreToolUse", "--deadline", "5s", "--scope", "local"];
    assert_eq!(handler["args"], serde_json::json!(arguments));
    assert_eq!(handler["timeout"], 10);
    assert_eq!(handler["onFailure"], "block");
    assert!(handler["command"].as_str().unwrap().starts_with('/'));
    assert!(written.contains(
        "{ \"matcher\": \"Bash\", \"hooks\": [ { \"type\": \"command\", \"command\": \"./check.sh\" } ] }"
    ));

    ground.run(&["init", "--scope", "local", "--yes", "--client-version", "2.1.330"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), written, "idempotent");

    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), FOREIGN);
}

#[test]
fn a_file_that_init_made_is_gone_after_uninstall() {
    let ground = Ground::new();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let path = ground.home().join(".claude/settings.json");
    assert!(path.exists());
    ground.run(&["uninstall", "--yes"]);
    assert!(!path.exists());
}

#[test]
fn shared_settings_get_the_bare_name_and_no_block_unless_asked_for() {
    let ground = Ground::new();
    ground.run(&["init", "--scope", "project", "--yes", "--client-version", "2.1.330"]);
    let read = || -> Value {
        serde_json::from_str(&fs::read_to_string(settings(&ground, "settings.json")).unwrap()).unwrap()
    };
    assert_eq!(handler(&read(), "PreToolUse")["command"], "hookgate");
    assert!(handler(&read(), "PreToolUse").get("onFailure").is_none());
    ground.run(&["init", "--scope", "project", "--require", "--yes", "--client-version", "2.1.330"]);
    assert_eq!(handler(&read(), "PreToolUse")["onFailure"], "block");
}

#[test]
fn an_older_client_gets_no_on_failure_and_a_word_about_it() {
    let ground = Ground::new();
    let output = ground.run(&["init", "--yes", "--client-version", "2.1.200"]);
    assert!(text(&output).contains("`onFailure: \"block\"` needs 2.1.295"), "{}", text(&output));
    let written = fs::read_to_string(ground.home().join(".claude/settings.json")).unwrap();
    assert!(!written.contains("onFailure"));
    let report = ground.run(&["doctor"]);
    assert_eq!(report.status.code(), Some(1), "a gate that can't start lets calls run: {}", text(&report));
    assert!(text(&report).contains("2.1.295"), "{}", text(&report));
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert!(!text(&ground.run(&["doctor"])).contains("2.1.295"));
}

#[test]
fn events_of_own_rules_are_asked_for_and_no_others() {
    let ground = Ground::new();
    ground.policy(
        "[[rule]]\ncode = \"OWN001\"\non = [\"Stop\", \"PreCompact\"]\nthen = \"note\"\ncontext = \"x\"\n",
    );
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let value: Value =
        serde_json::from_str(&fs::read_to_string(ground.home().join(".claude/settings.json")).unwrap())
            .unwrap();
    let mut events: Vec<&String> = value["hooks"].as_object().unwrap().keys().collect();
    events.sort();
    // Secrets come along with a prompt and with a result.
    let always = ["ConfigChange", "PostToolUse", "PreToolUse", "SessionStart", "UserPromptSubmit"];
    let mut expected = [&always[..], &["PreCompact", "Stop"]].concat();
    expected.sort_unstable();
    assert_eq!(events, expected);
}

#[test]
fn nobody_to_ask_and_no_yes_writes_nothing() {
    let ground = Ground::new();
    let output = ground.run(&["init", "--client-version", "2.1.330"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("--yes"), "{}", text(&output));
    assert!(!ground.home().join(".claude/settings.json").exists());
}

#[test]
fn doctor_proves_a_good_installation_with_a_canary() {
    let ground = Ground::new();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let output = ground.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["healthy"], true, "{report:#}");
    let canary = report["findings"].as_array().unwrap().iter().find(|f| f["check"] == "canary").unwrap();
    assert!(
        canary["text"].as_str().unwrap().starts_with("denied a call that would loosen hookgate"),
        "{canary}"
    );
}

#[test]
fn doctor_finds_what_would_let_calls_through() {
    for (settings, check, says) in [
        (r#"{"disableAllHooks":true}"#, "hooks disabled", "no hook runs"),
        (r#"{"hooks":{"PreToolUse":[{"type":"command"}]}}"#, "settings", "ignores the whole file"),
        ("{ not json", "settings", "is not valid JSON"),
        (
            r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"/nowhere/hookgate","args":["hook"]}]}]}}"#,
            "binary",
            "can't be started",
        ),
        ("{}", "installed", "isn't installed in any of the agent's settings files"),
    ] {
        let ground = Ground::new();
        let folder = ground.home().join(".claude");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("settings.json"), settings).unwrap();
        let output = ground.run(&["doctor", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{settings}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = report["findings"].as_array().unwrap().iter().any(|finding| {
            finding["check"] == check
                && finding["health"] == "problem"
                && finding["text"].as_str().unwrap().contains(says)
        });
        assert!(found, "{settings}: {report:#}");
    }
}

/// Whoever's file it is, the client does what it says.
#[test]
fn doctor_finds_in_every_scope_what_lets_calls_run() {
    let ours = |more: Value| {
        let mut handler = json!({ "type": "command", "command": env!("CARGO_BIN_EXE_hookgate"),
                                  "args": ["hook", "--event", "PreToolUse"], "timeout": 15 });
        handler.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        handler
    };
    let group = |matcher: &str, more: Value| json!({ "hooks": { "PreToolUse": [{ "matcher": matcher, "hooks": [ours(more)] }] } });
    for (settings, says) in [
        (json!({ "disableAllHooks": true }), "no hook runs"),
        (group("Write", json!({})), "matcher `Write`"),
        (group("", json!({ "async": true })), "asynchronous"),
        (group("", json!({ "if": "Bash(git *)" })), "`if` holds"),
        (group("", json!({ "timeout": 0.001 })), "ended after 0.001 s"),
        (group("", json!({ "args": ["status-line"] })), "something else than `hookgate hook`"),
    ] {
        for file in [
            "home/.claude/settings.json",
            "home/project/.claude/settings.json",
            "home/project/.claude/settings.local.json",
        ] {
            let ground = Ground::new();
            ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
            let path = ground.folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, settings.to_string()).unwrap();
            let output = ground.run(&["doctor", "--json"]);
            assert_eq!(output.status.code(), Some(1), "{file} {settings}");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let found = report["findings"].as_array().unwrap().iter().any(|finding| {
                finding["health"] == "problem" && finding["text"].as_str().unwrap().contains(says)
            });
            assert!(found, "{file} {settings}: {report:#}");
        }
    }
}

#[test]
fn doctor_counts_the_calls_of_a_session_that_were_never_judged() {
    let ground = Ground::new();
    ground.hook(&ground.bash("git status"));
    let call = |id: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"{id}","name":"Bash","input":{{}}}}]}}}}"#
        )
    };
    let transcript = ground.folder.path().join("t.jsonl");
    fs::write(&transcript, format!("{}\n{}\n", call("toolu_1"), call("toolu_2"))).unwrap();
    let output = ground.run(&["doctor", "--session", transcript.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("1 of 2 tool calls were never judged (Bash)"), "{}", text(&output));
}

#[test]
fn trust_needs_a_person_at_a_terminal() {
    let ground = Ground::new();
    fs::write(ground.project().join(".hookgate.toml"), "mode = \"off\"\n").unwrap();
    let mut command = ground.command();
    command.arg("trust");
    let output = feed(command, b"0000\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("needs a person"), "{}", text(&output));
    let mut command = ground.command();
    command.arg("trust").env("CLAUDECODE", "1");
    assert!(text(&feed(command, b"")).contains("an agent (CLAUDECODE is set) started this process"));
}

#[test]
fn trust_refuses_a_file_that_has_an_error() {
    let ground = Ground::new();
    fs::write(ground.project().join(".hookgate.toml"), "precets = [\"infra\"]\n").unwrap();
    let output = ground.run(&["trust"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output);
    assert!(said.contains("fix the policy first, then trust it"), "{said}");
    assert!(said.contains("did you mean `presets`?"), "{said}");
    assert!(!said.contains("Trusted."), "{said}");
    // What is broken can still be withdrawn.
    assert!(ground.run(&["trust", "--revoke"]).status.success());
}

#[test]
fn doctor_finds_a_deadline_that_ends_a_hook_before_its_own() {
    let ground = Ground::new();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    ground.policy("[[hook]]\non = \"PreToolUse\"\nrun = \"true\"\ndeadline = \"30s\"\n");
    let said = |ground: &Ground| text(&ground.run(&["doctor"]));
    let problem = "the settings give hookgate 5 s on PreToolUse, but a hook in the policy may take 30 s";
    assert!(said(&ground).contains(problem), "{}", said(&ground));
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert!(!said(&ground).contains("a hook in the policy may take"), "{}", said(&ground));
}

/// The settings were edited between two runs of `init`; what is put back is never older than the edit.
#[test]
fn uninstall_after_edits_by_others_leaves_nothing_of_ours_and_all_of_theirs() {
    let ground = Ground::new();
    let path = ground.home().join(".claude/settings.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "{\"model\":\"opus\"}").unwrap();
    let init = || ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert!(init().status.success());
    let edited = fs::read_to_string(&path).unwrap().replace("\"opus\"", "\"sonnet\", \"theme\": \"dark\"");
    fs::write(&path, &edited).unwrap();
    ground.policy("[[rule]]\ncode = \"ACME014\"\non = \"Stop\"\nthen = \"deny\"\nreason = \"x\"\n");
    assert!(init().status.success());
    assert!(fs::read_to_string(&path).unwrap().contains("\"Stop\""));
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    let left = fs::read_to_string(&path).unwrap();
    assert!(!left.contains("hookgate"), "{left}");
    let value: Value = serde_json::from_str(&left).unwrap();
    assert_eq!(value, serde_json::json!({ "model": "sonnet", "theme": "dark" }));
    let backups = ground.home().join(".local/state/hookgate/settings");
    assert_eq!(fs::read_dir(backups).unwrap().count(), 0, "backups leave with hookgate");
}

#[test]
fn init_refuses_settings_that_the_client_would_ignore() {
    for (text, says) in [
        ("{ // mine\n \"model\": \"opus\" }", "not valid JSON"),
        ("{ \"model\": \"opus\", }", "not valid JSON"),
        ("{ \"hooks\": {}, \"hooks\": {} }", "`hooks` twice"),
        ("{ \"disableAllHooks\": true }", "disableAllHooks"),
    ] {
        let ground = Ground::new();
        let path = ground.home().join(".claude/settings.json");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let output = ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(self::text(&output).contains(says), "{text}: {}", self::text(&output));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn what_is_not_known_about_the_client_loosens_nothing() {
    let ground = Ground::new();
    let path = ground.home().join(".claude/settings.json");
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    ground.policy("[[rule]]\ncode = \"ACME014\"\non = \"Stop\"\nthen = \"deny\"\nreason = \"x\"\n");
    ground.run(&["init", "--yes"]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"Stop\"") && text.contains("\"onFailure\": \"block\""), "{text}");
    assert_eq!(ground.run(&["init", "--yes", "--client-version", "banana"]).status.code(), Some(2));
}

#[test]
#[cfg(unix)]
fn a_backup_of_settings_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let ground = Ground::new();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let folder = ground.home().join(".local/state/hookgate/settings");
    for entry in fs::read_dir(&folder).unwrap() {
        assert_eq!(entry.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn the_status_line_says_what_keeps_hookgate_from_being_asked() {
    let ground = Ground::new();
    assert!(text(&ground.run(&["status-line"])).contains("NOT INSTALLED"));
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let line = text(&ground.run(&["status-line"]));
    assert!(line.starts_with("hookgate: enforcing"), "{line}");
    ground.policy("mode = \"enforced\"\n");
    assert!(text(&ground.run(&["status-line"])).contains("POLICY ERROR"));
}

/// A person's hooks and the team's: whoever has both is asked once, and the record says so.
#[test]
fn hooks_of_the_user_and_of_the_project_judge_once() {
    let ground = Ground::new();
    for scope in ["user", "project", "local"] {
        let program = env!("CARGO_BIN_EXE_hookgate");
        let mut command = ground.command();
        command.env(
            "PATH",
            format!("{}:/usr/bin:/bin", std::path::Path::new(program).parent().unwrap().display()),
        );
        command.args(["init", "--scope", scope, "--yes", "--client-version", "2.1.330"]);
        let output = feed(command, b"");
        assert!(output.status.success(), "{}", text(&output));
    }
    let judged = |scope: &str| {
        let mut command = ground.command();
        command.args(["hook", "--event", "PreToolUse", "--scope", scope]);
        crate::support::decision(&feed(command, &ground.bash("git push --force"))).0
    };
    assert_eq!([judged("user"), judged("project"), judged("local")], ["deny", "pass", "pass"]);
    let log = fs::read_to_string(ground.audit()).unwrap();
    assert_eq!(
        log.matches("\"GIT002\"").count(),
        log.lines().filter(|line| line.contains("GIT002")).count() * 2
    );
    assert_eq!(log.lines().filter(|line| line.contains("GIT002")).count(), 1, "{log}");
    let said = text(&ground.run(&["doctor"]));
    assert!(said.contains("only the latter's hooks judge") && !said.contains("judged twice"), "{said}");
    assert_eq!(said.matches("canary").count(), 1, "{said}");

    // Where the person's own can't be relied on, the project's judge.
    let own = ground.home().join(".claude/settings.json");
    let written = fs::read_to_string(&own).unwrap();
    for broken in [
        written.replace("\"PreToolUse\"", "\"Notification\""),
        written.replace("/hookgate\"", "/gone/hookgate\""),
        written.replacen('{', "{ // mine\n", 1),
    ] {
        assert_ne!(broken, written);
        fs::write(&own, broken).unwrap();
        assert_eq!(judged("project"), "deny");
    }
    // A hook from before there was the argument judges, and doctor says that it is one too many.
    fs::write(&own, &written).unwrap();
    let project = settings(&ground, "settings.json");
    let old = fs::read_to_string(&project).unwrap().replace(", \"--scope\", \"project\"", "");
    fs::write(&project, old).unwrap();
    assert!(text(&ground.run(&["doctor"])).contains("every event is judged twice"));
}

/// Whoever writes a rule for an event that the agent isn't told to ask about hears that it doesn't hold.
#[test]
fn a_rule_for_an_event_that_is_not_registered_is_said_not_to_be_in_force() {
    let ground = Ground::new();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    ground.policy(
        "[[rule]]\ncode = \"ACME001\"\non = [\"UserPromptExpansion\", \"Stop\"]\nthen = \"deny\"\nreason = \"x\"\n",
    );
    let told = "not in force: what the policy says about UserPromptExpansion, Stop; run `hookgate init`";
    let start = || {
        let mut command = ground.command();
        command.args(["hook", "--event", "SessionStart"]);
        text(&feed(command, &ground.event("SessionStart", &serde_json::json!({ "source": "startup" }))))
    };
    assert!(start().contains(told), "{}", start());
    assert!(text(&ground.run(&["config"])).contains(told));
    assert!(text(&ground.run(&["status-line"])).contains("NOT IN FORCE: UserPromptExpansion, Stop"));
    let event = ground.folder.path().join("event.json");
    fs::write(&event, ground.event("Stop", &serde_json::json!({}))).unwrap();
    let checked = ground.run(&["check", "--event", event.to_str().unwrap()]);
    assert!(
        text(&checked).contains("not in force: what the policy says about Stop; run"),
        "{}",
        text(&checked)
    );
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert!(!start().contains("not in force"), "{}", start());
    assert!(!text(&ground.run(&["config"])).contains("not in force"));
}

#[test]
fn presets_are_written_into_the_policy_and_leave_with_hookgate() {
    let ground = Ground::new();
    let projects = ground.home().join(".claude/projects/p");
    fs::create_dir_all(&projects).unwrap();
    let call = r#"{"message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"terraform destroy -auto-approve"}}]}}"#;
    fs::write(projects.join("s.jsonl"), format!("{call}\n{call}\n")).unwrap();
    let screen = text(&ground.run(&["init", "--dry-run", "--client-version", "2.1.330"]));
    assert!(screen.contains("the last 2 shell commands of your sessions"), "{screen}");
    let row =
        |name: &str| screen.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_default();
    assert!(row("infra ").contains(" 2 ") && row("readonly ").contains(" 0 "), "{screen}");

    let output = ground.run(&[
        "init",
        "--preset",
        "recommended",
        "--preset",
        "infra",
        "--yes",
        "--client-version",
        "2.1.330",
    ]);
    assert!(output.status.success(), "{}", text(&output));
    let policy = ground.home().join(".config/hookgate/hookgate.toml");
    assert_eq!(fs::read_to_string(&policy).unwrap(), "presets = [\"recommended\", \"infra\"]\n");
    let left = text(&ground.run(&["uninstall", "--yes"]));
    assert!(left.contains("The log stays in") && !left.contains("policy stays in"), "{left}");
    assert!(!policy.exists() && !ground.home().join(".claude/settings.json").exists());
    let unknown = ground.run(&["init", "--preset", "infar", "--yes"]);
    assert!(text(&unknown).contains("no preset `infar`; there are"), "{}", text(&unknown));
    // A policy that somebody wrote stays, and is named.
    ground.policy("rules = { GIT007 = \"ask\" }");
    assert!(ground.run(&["init", "--yes", "--client-version", "2.1.330"]).status.success());
    let left = text(&ground.run(&["uninstall", "--yes"]));
    assert!(left.contains(&format!("The user policy stays in {}.", policy.display())), "{left}");
}

#[test]
fn doctor_names_the_registered_program_its_version_and_another_one_on_path_and_leaves_no_trace_in_the_log() {
    let ground = Ground::new();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let bin = ground.folder.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    crate::support::write_program(&bin.join("hookgate"), "#!/bin/sh\necho hookgate 0.0.7\n");
    let mut command = ground.command();
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).arg("doctor");
    let said = text(&feed(command, b""));
    assert!(said.contains(&format!("`{}` is version", env!("CARGO_BIN_EXE_hookgate"))), "{said}");
    assert!(
        said.contains(&format!("another hookgate is on PATH: {}/hookgate, version 0.0.7", bin.display())),
        "{said}"
    );
    assert!(!fs::read_to_string(ground.audit()).unwrap_or_default().contains("GATE003"));
}

#[test]
#[cfg(unix)]
fn doctor_waits_a_second_for_a_version_and_no_longer() {
    let ground = Ground::new();
    ground.policy("[[rewrite]]\nrun = \"x\"\nto = \"slow x\"\nrequires = { slow = \">=1\" }\n");
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    let bin = ground.folder.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    for name in ["hookgate", "slow"] {
        crate::support::write_program(&bin.join(name), "#!/bin/sh\n(sleep 300) &\nsleep 300\n");
    }
    let mut command = ground.command();
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).arg("doctor");
    let start = std::time::Instant::now();
    let said = text(&feed(command, b""));
    assert!(start.elapsed() < std::time::Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(said.contains("another hookgate is on PATH"), "{said}");
    assert!(said.contains("`slow`"), "{said}");
}

#[test]
#[cfg(unix)]
fn links_and_read_only_files_stay_what_they_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let ground = Ground::new();
    let path = ground.home().join(".claude/settings.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // A link to what isn't there yet, as dotfiles have it.
    std::os::unix::fs::symlink("../dotfiles.json", &path).unwrap();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert!(path.is_symlink() && ground.home().join("dotfiles.json").exists());
    ground.run(&["uninstall", "--yes"]);
    assert!(path.is_symlink() && !ground.home().join("dotfiles.json").exists());
    fs::remove_file(&path).unwrap();
    // An empty file is a file.
    fs::write(&path, "").unwrap();
    ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    ground.run(&["uninstall", "--yes"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "");
    fs::write(&path, "{}").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let output = ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("is read-only"), "{}", text(&output));
}

/// Any order of installations (scopes, presets, versions of the client), edits by others and uninstallations, through the program.
/// `HOOKGATE_SEQUENCES=500` runs as many; the same over the text alone is tried a thousand times where it is edited.
#[test]
fn any_sequence_of_commands_and_edits_ends_with_every_foreign_byte_and_none_of_ours() {
    let sequences = std::env::var("HOOKGATE_SEQUENCES").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    for seed in 0..sequences {
        let ground = Ground::new();
        let mut state: u64 = seed;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let files = [
            ground.home().join(".claude/settings.json"),
            settings(&ground, "settings.json"),
            settings(&ground, "settings.local.json"),
        ];
        // What the files are without hookgate: the same edits, made to a copy.
        let mut foreign: Vec<Option<String>> = vec![None; files.len()];
        for (at, file) in files.iter().enumerate() {
            if below(2) == 0 {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, FOREIGN).unwrap();
                foreign[at] = Some(FOREIGN.to_owned());
            }
        }
        for step in 0..=below(6) {
            let at = usize::try_from(below(3)).unwrap();
            let scope = ["user", "project", "local"][at];
            let done = match below(4) {
                0 | 1 => {
                    let version = ["2.1.330", "2.1.200"][usize::try_from(below(2)).unwrap()];
                    let mut arguments = vec!["init", "--scope", scope, "--yes", "--client-version", version];
                    if below(3) == 0 {
                        arguments.extend(["--preset", "recommended", "--preset", "infra"]);
                    }
                    ground.run(&arguments)
                }
                2 => {
                    let edit = |text: &str| {
                        text.replacen('{', &format!("{{\n    \"edit{step}\": {{ \"kept\":  [1,  2] }},"), 1)
                    };
                    let text = fs::read_to_string(&files[at]).unwrap_or_default();
                    if let Some(other) = foreign[at].as_mut().filter(|_| !text.is_empty()) {
                        fs::write(&files[at], edit(&text)).unwrap();
                        *other = edit(other);
                    }
                    continue;
                }
                _ => ground.run(&["uninstall", "--scope", scope, "--yes"]),
            };
            assert!(done.status.success(), "{seed}: {}", text(&done));
        }
        let done = ground.run(&["uninstall", "--yes"]);
        assert!(done.status.success(), "{seed}: {}", text(&done));
        for (file, foreign) in files.iter().zip(&foreign) {
            assert_eq!(fs::read_to_string(file).ok(), *foreign, "{seed}: {}", file.display());
        }
        for policy in
            [".config/hookgate/hookgate.toml", "project/.hookgate.toml", "project/.hookgate.local.toml"]
        {
            assert!(!ground.home().join(policy).exists(), "{seed}: {policy}");
        }
    }
}

#[test]
fn a_program_that_nothing_would_recognise_is_not_written_into_settings() {
    let ground = Ground::new();
    let (odd, usual) = (ground.home().join("my-gate"), ground.home().join("hookgate-0.1.0"));
    for name in [&odd, &usual] {
        fs::copy(env!("CARGO_BIN_EXE_hookgate"), name).unwrap();
    }
    let init = |program: &std::path::Path| {
        let mut command = std::process::Command::new(program);
        command.args(["init", "--yes", "--client-version", "2.1.330"]).env_clear().env("HOME", ground.home());
        command.env("PATH", "/usr/bin:/bin").current_dir(ground.project());
        command.stdin(std::process::Stdio::null()).output().unwrap()
    };
    let refused = init(&odd);
    assert!(
        !refused.status.success() && text(&refused).contains("rename it to `hookgate`"),
        "{}",
        text(&refused)
    );
    assert!(!ground.home().join(".claude/settings.json").exists());
    let written = init(&usual);
    assert!(
        written.status.success() && text(&written).contains("hookgate is installed"),
        "{}",
        text(&written)
    );
}

/// As the administrator of a name space whose `/etc` is empty.
#[test]
#[cfg(target_os = "linux")]
fn an_administrator_installs_for_the_machine_and_nobody_below_loosens_it() {
    let alone = |script: &str, ground: &Ground| {
        let mut command = std::process::Command::new("unshare");
        command.args(["-rm", "sh", "-ec", script]).env_clear().env("HOME", ground.home());
        command.env("PATH", "/usr/bin:/bin").env("GATE", env!("CARGO_BIN_EXE_hookgate"));
        command.current_dir(ground.project());
        command.stdin(std::process::Stdio::null()).output().unwrap()
    };
    let ground = Ground::new();
    if !hookgate_testing::has("unshare", &["--version"])
        || !alone("mount -t tmpfs none /etc", &ground).status.success()
    {
        // The kernel lets nobody make name spaces here.
        return;
    }
    ground.policy("[rules]\nGIT002 = \"off\"\n");
    let output = alone(
        "mount -t tmpfs none /etc\n\
         $GATE init --scope managed --yes --preset recommended --preset infra --client-version 2.1.330\n\
         cat /etc/hookgate/hookgate.toml\n\
         $GATE check 'git push --force' || echo \"exit $?\"\n\
         $GATE doctor || true\n\
         $GATE uninstall --yes\n\
         $GATE uninstall --scope managed --yes\n\
         ls -A /etc",
        &ground,
    );
    let said = text(&output);
    assert!(output.status.success(), "{said}");
    for part in [
        "Wrote /etc/claude-code/managed-settings.json.",
        "hookgate is installed",
        "presets = [\"recommended\", \"infra\"]",
        "deny  [GIT002]",
        "what the user policy loosens (GIT002) has no effect",
        "exit 1",
        "ok       canary: denied",
        "`hookgate uninstall --scope managed` removes it there",
        "Removed /etc/claude-code/managed-settings.json",
        "Removed /etc/hookgate/hookgate.toml",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(
        said.trim_end().ends_with("delete the folder if you don't need it."),
        "nothing is left in /etc: {said}"
    );
}
