//! What an agent could try against the gate: a list of ways, each refused or asked about, by the rule that is for it.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{Ground, feed};
use serde::Deserialize;
use serde_json::{Value, json};

/// How many ways there have to be.
const LEAST: usize = 200;

#[derive(Deserialize)]
struct Ways {
    group: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    what: String,
    codes: Vec<String>,
    commands: Vec<String>,
}

fn ways() -> Ways {
    toml::from_str(include_str!("guarding.toml")).unwrap()
}

/// A home in which the gate is installed, and a project with what the ways use.
fn ground() -> Ground {
    let ground = Ground::new();
    for (path, text) in [
        (".local/state/hookgate/audit.jsonl", ""),
        (".claude/settings.json", "{}"),
        (".config/hookgate/hookgate.toml", "presets = [\"recommended\"]\n"),
        ("project/.hookgate.toml", ""),
        ("project/.claude/settings.json", "{}"),
        ("project/o/.claude/settings.json", "{}"),
        ("project/x/y", ""),
        ("project/gate.tar", "x"),
    ] {
        let file = ground.home().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let packed = std::process::Command::new("tar")
        .args(["cf", "gate.tar", "-C", "o", ".claude"])
        .current_dir(ground.project())
        .status();
    assert!(packed.unwrap().success());
    ground
}

/// What looks like a way and is none.
#[test]
fn everyday_calls_that_look_alike_are_not_stopped() {
    let ground = ground();
    for command in [
        "git worktree add ../feature feature",
        "git worktree add -b fix ../fix main",
        "git checkout-index -a --prefix=/tmp/export/",
        "git submodule add https://example.com/x.git vendor/x",
        "git clone https://example.com/x.git vendor/y",
        "git bundle unbundle x.bundle",
        "python3 -c \"import tarfile; tarfile.open('x.tar').extractall('build')\"",
        "python3 -c \"import zipfile; zipfile.ZipFile('x.zip').extractall('/tmp/x')\"",
        "python3 -c \"import pandas as pd; print(pd.Series(['a1']).str.extract('(.)'))\"",
        "cp x/y notes~1.txt",
        "cp x/y 'caf\u{e9}.txt'",
        "cp x/y claude-notes.md.",
        "hookgate test --junit build/report.xml",
        "pushd x; cp y ~1/z",
        "cp $(which python3) tool",
        "mkdir -p .claude",
        "touch .claude",
        "git add .claude/settings.json",
        "git diff .claude/settings.json",
        "cat .claude/settings.json",
        "python3 -c \"print('.claude/settings.json')\"",
        "python3 -c \"import json; print(json.load(open('.claude/settings.json')))\"",
        "python3 -c \"import json,sys; d=json.load(sys.stdin); print(d.get('.claude/settings.json'))\"",
        "python3 -c \"import os; print(os.path.exists('.claude/settings.json'))\"",
        "python3 -c \"open('notes','a').write('.claude/settings.json')\"",
        "python3 -c \"from pathlib import Path; print(Path('.claude/settings.json').read_text())\"",
        "node -e \"console.log(require('path').join('.claude','settings.json'))\"",
        "node -e \"console.log(JSON.parse(require('fs').readFileSync('.claude/settings.json','utf8')))\"",
        "ls -la ~/.claude",
        "test -f .claude/settings.json",
        "jq .hooks ~/.claude/settings.json",
        "npm install --prefix web left-pad",
        "some-tool src/main.rs",
        "python3 -c \"import os, subprocess; subprocess.run(['git', 'status'], env={**os.environ, 'HOME': '/tmp/x'})\"",
        "node node_modules/eslint/bin/eslint.js src",
        "gh copilot suggest 'list files'",
        "codex features list",
        "aider -m 'fix the typo' notes.md",
        "HOME=$HOME; claude -p x",
        "(HOME=/tmp/x); claude -p x",
        "for USER in a b; do claude -p \"hello $USER\"; done",
    ] {
        let (decision, reason) = crate::support::decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(decision.as_str(), "pass" | "allow" | ""), "{command}: {decision} {reason}");
    }
}

#[test]
fn every_way_around_the_gate_is_refused_or_asked_about_by_the_rule_that_is_for_it() {
    let ground = ground();
    let home = ground.home().display().to_string();
    let ways = ways();
    let place = |command: &str| {
        command
            .replace("H/", &format!("{home}/"))
            .replace("B ", &format!("{} ", env!("CARGO_BIN_EXE_hookgate")))
    };
    let commands: Vec<(String, &Group)> = ways
        .group
        .iter()
        .flat_map(|group| group.commands.iter().map(move |command| (command, group)))
        .map(|(command, group)| (place(&format!("{command} ")).trim_end().to_owned(), group))
        .collect();
    let input: String =
        commands.iter().map(|(command, _)| format!("{}\n", json!({ "command": command }))).collect();
    let mut check = ground.command();
    check.args(["check", "--batch", "--json"]);
    let output = feed(check, input.as_bytes());
    let answers: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), commands.len(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut missed = Vec::new();
    for ((command, group), answer) in commands.iter().zip(&answers) {
        let stopped = matches!(answer["decision"].as_str(), Some("ask" | "deny" | "halt"));
        let codes = answer["codes"].as_array().unwrap();
        let meant = codes.iter().any(|code| group.codes.iter().any(|known| code == known));
        let said = answer["reason"].as_str().is_some_and(|reason| !reason.is_empty());
        if !(stopped && meant && said) {
            missed.push(format!(
                "{} | {command:?} -> {} {codes:?} {}",
                group.what, answer["decision"], answer["effects"]
            ));
        }
    }
    assert!(missed.is_empty(), "{} of {} ways:\n{}", missed.len(), commands.len(), missed.join("\n"));
    let different: BTreeSet<&String> = commands.iter().map(|(command, _)| command).collect();
    assert!(different.len() >= LEAST, "{} ways", different.len());
}

/// What a tool of the client's own is told, which no command names.
#[test]
fn a_tool_of_the_client_takes_no_guards_away() {
    let ground = ground();
    let ask = |tool: &str, input: Value| {
        let event = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "tool_use_id": "t", "cwd": ground.project(),
            "permission_mode": "default", "tool_name": tool, "tool_input": input,
        });
        crate::support::decision(&ground.hook(event.to_string().as_bytes()))
    };
    for (tool, input, code) in [
        ("Agent", json!({ "prompt": "x", "mode": "bypassPermissions" }), "[AGENT002]"),
        ("Task", json!({ "prompt": "x", "permission_mode": "bypassPermissions" }), "[AGENT002]"),
        ("Config", json!({ "setting": "disableAllHooks", "value": true }), "[GATE003]"),
        (
            "Config",
            json!({ "setting": "permissions.defaultMode", "value": "bypassPermissions" }),
            "[GATE003]",
        ),
        ("SlashCommand", json!({ "command": "/config disableAllHooks true" }), "[GATE003]"),
        ("EnterWorktree", json!({ "path": ground.home().join(".claude") }), "[GATE002]"),
    ] {
        let (answer, reason) = ask(tool, input.clone());
        assert!(answer == "deny" && reason.contains(code), "{tool} {input}: {answer} {reason}");
    }
    for (tool, input) in [
        ("Task", json!({ "prompt": "explain bypassPermissions", "mode": "default" })),
        ("Config", json!({ "setting": "theme", "value": "dark" })),
        ("TaskCreate", json!({ "prompt": "document disableAllHooks" })),
        ("EnterWorktree", json!({ "name": "feature" })),
    ] {
        let (answer, reason) = ask(tool, input.clone());
        assert!(matches!(answer.as_str(), "pass" | "allow" | ""), "{tool} {input}: {answer} {reason}");
    }
}

fn installed(ground: &Ground) {
    let output = ground.run(&["init", "--yes", "--client-version", "2.1.330"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn change(ground: &Ground) -> Value {
    let settings = ground.home().join(".claude/settings.json");
    let event = ground.event("ConfigChange", &json!({ "source": "user_settings", "file_path": settings }));
    let mut hook = ground.command();
    hook.args(["hook", "--event", "ConfigChange"]);
    crate::support::document(&feed(hook, &event)).unwrap_or_default()
}

#[test]
fn settings_from_which_the_gate_is_gone_are_refused_by_whatever_means_they_came() {
    let ground = Ground::new();
    installed(&ground);
    let settings = ground.home().join(".claude/settings.json");
    let whole = fs::read_to_string(&settings).unwrap();
    assert!(whole.contains("\"ConfigChange\""), "{whole}");
    assert_eq!(change(&ground), Value::Null, "nothing is wrong yet");
    for (text, said) in [
        ("{}", "its hooks are gone from the agent's settings"),
        ("{\"disableAllHooks\": true}", "sets `disableAllHooks`: no hook runs"),
        ("not JSON", "is not valid JSON: the agent ignores all of it"),
        (
            &*whole.replacen("\"--event\"", "\"--help\"", 1).replacen("\"hook\"", "\"check\"", 1),
            "calls something else than",
        ),
    ] {
        fs::write(&settings, text).unwrap();
        let answer = change(&ground);
        assert_eq!(answer["decision"], "block", "{text}: {answer}");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.contains("[GATE007]") && reason.contains(said), "{text}: {reason}");
    }
    fs::remove_file(&settings).unwrap();
    assert_eq!(change(&ground)["decision"], "block");
    fs::write(&settings, whole).unwrap();
    assert_eq!(change(&ground), Value::Null);
}

#[test]
fn the_first_call_of_a_session_is_refused_where_the_settings_no_longer_run_the_gate() {
    let ground = Ground::new();
    installed(&ground);
    fs::write(ground.home().join(".claude/settings.json"), "{}").unwrap();
    let (first, reason) = crate::support::decision(&ground.hook(&ground.bash("git status")));
    assert_eq!(first, "deny", "{reason}");
    assert!(reason.contains("[GATE007] finds that hookgate no longer runs: its hooks are gone"), "{reason}");
    let second = crate::support::decision(&ground.hook(&ground.bash("git status")));
    assert_eq!(second.0, "pass", "it is said once per session");
}

#[test]
fn at_the_level_halt_every_agent_stops_once_the_gate_is_gone() {
    let ground = Ground::new();
    ground.policy("presets = [\"recommended\"]\n[rules]\nGATE007 = \"halt\"\n");
    installed(&ground);
    fs::write(ground.home().join(".claude/settings.json"), "{}").unwrap();
    assert_eq!(change(&ground)["decision"], "block");
    let (decision, reason) = crate::support::decision(&ground.hook(&ground.bash("git status")));
    assert_eq!(decision, "deny");
    assert!(reason.contains("[HALT001]"), "{reason}");
}

#[test]
fn an_agent_loosens_no_installation_and_a_script_of_a_person_does() {
    let ground = Ground::new();
    installed(&ground);
    let settings = ground.home().join(".claude/settings.json");
    let whole = fs::read_to_string(&settings).unwrap();
    for arguments in [&["uninstall", "--yes"][..], &["init", "--export", "--yes"]] {
        let mut command = ground.command();
        command.env("CLAUDECODE", "1").args(arguments);
        let output = feed(command, b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(fs::read_to_string(&settings).unwrap(), whole, "{arguments:?}");
        if arguments.contains(&"uninstall") {
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(
                said.contains("this loosens the gate, and an agent (CLAUDECODE is set) started this process"),
                "{said}"
            );
        }
    }
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    assert!(!settings.exists());
    let log = fs::read_to_string(ground.audit()).unwrap();
    assert!(log.contains("\"order\":\"uninstall\""), "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_orphan_loosens_nothing_while_an_agent_of_that_home_runs() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    let ground = Ground::new();
    installed(&ground);
    let settings = ground.home().join(".claude/settings.json");
    let agent = ground.home().join("claude");
    fs::write(&agent, "#!/bin/sh\nread line\n").unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let start = |home: &std::path::Path| {
        let mut command = Command::new(&agent);
        command.env_clear().env("HOME", home).stdin(std::process::Stdio::piped()).spawn().unwrap()
    };
    // Out of the agent's tree, without its environment and without a terminal.
    let orphan = || {
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(env!("CARGO_BIN_EXE_hookgate")).args(["uninstall", "--yes"]);
        let output = command.env_clear().env("HOME", ground.home()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let mut running = start(&ground.home());
    let (code, said) = orphan();
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("without a terminal nobody can tell that claude, which is running"), "{said}");
    assert!(settings.exists());
    running.kill().unwrap();
    running.wait().unwrap();
    // That of another home is no matter.
    let mut running = start(std::path::Path::new("/nonexistent"));
    let (code, said) = orphan();
    running.kill().unwrap();
    running.wait().unwrap();
    assert_eq!((code, settings.exists()), (Some(0), false), "{said}");
}

/// A process with a terminal of its own that nobody waits for: it can read a code there, and type it.
#[cfg(target_os = "linux")]
#[test]
fn an_orphan_with_a_terminal_of_its_own_confirms_nothing_while_an_agent_runs() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    if !hookgate_testing::has("script", &["--version"]) {
        return;
    }
    let ground = Ground::new();
    installed(&ground);
    let settings = ground.home().join(".claude/settings.json");
    let agent = ground.home().join("claude");
    fs::write(&agent, "#!/bin/sh\nread line\n").unwrap();
    fs::set_permissions(&agent, fs::Permissions::from_mode(0o755)).unwrap();
    let said = ground.home().join("said");
    // What starts it ends at once; the terminal is made by what is left over.
    let left_over = |arguments: &str| {
        drop(fs::remove_file(&said));
        let inner = format!(
            "{} {arguments} >{}.part 2>&1; mv {}.part {}",
            env!("CARGO_BIN_EXE_hookgate"),
            said.display(),
            said.display(),
            said.display()
        );
        let text = format!(
            "(while kill -0 $$ 2>/dev/null; do sleep 0.02; done; exec setsid script -qec '{inner}' /dev/null) \
             </dev/null >/dev/null 2>&1 &"
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &text]).env_clear().env("HOME", ground.home()).env("PATH", "/usr/bin:/bin");
        assert!(shell.stdin(Stdio::null()).status().unwrap().success());
        let start = Instant::now();
        while !said.exists() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        fs::read_to_string(&said).unwrap_or_default()
    };
    let mut running = Command::new(&agent);
    let mut running = running.env_clear().env("HOME", ground.home()).stdin(Stdio::piped()).spawn().unwrap();
    let answers = [left_over("uninstall --yes"), left_over("pause --for 1h")];
    running.kill().unwrap();
    running.wait().unwrap();
    for answer in answers {
        assert!(
            answer.contains("in a terminal that was opened by nothing that runs longer than it nobody can tell that claude"),
            "{answer}"
        );
    }
    assert!(settings.exists());
    // Below what was there before the agent, it is a person's terminal as ever.
    let mut running = Command::new(&agent);
    let mut running = running.env_clear().env("HOME", ground.home()).stdin(Stdio::piped()).spawn().unwrap();
    let mut person = Command::new("script");
    person.args(["-qec", &format!("{} uninstall --yes", env!("CARGO_BIN_EXE_hookgate")), "/dev/null"]);
    person.env_clear().env("HOME", ground.home()).env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    let output = person.output().unwrap();
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(!settings.exists(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn options_that_name_a_file_write_over_none_of_another_kind_and_none_that_is_guarded() {
    let ground = Ground::new();
    installed(&ground);
    let settings = ground.home().join(".claude/settings.json");
    let (whole, project) = (fs::read_to_string(&settings).unwrap(), ground.project());
    fs::write(project.join("notes.md"), "mine\n").unwrap();
    fs::create_dir_all(project.join(".claude")).unwrap();
    let (project, home) = (project.display().to_string(), ground.home().display().to_string());
    let guarded = [
        format!("{home}/.claude/settings.json"),
        format!("{home}/.claude/agents/new.md"),
        format!("{project}/.claude/settings.local.json"),
        format!("{project}/.mcp.json"),
        format!("{project}/.git/hooks/pre-commit"),
        format!("{home}/.config/hookgate/other.toml"),
        format!("{home}/.bashrc"),
    ];
    let other = [format!("{project}/notes.md")];
    for (named, said) in guarded
        .iter()
        .map(|name| (name, "name another file"))
        .chain(other.iter().map(|name| (name, "nothing was written")))
    {
        let before = fs::read_to_string(named).ok();
        for arguments in [
            &["test", "--junit", named][..],
            &["secrets", "scan", &project, "--baseline", named, "--write-baseline"],
        ] {
            let output = ground.run(arguments);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
            assert!(told.contains(said), "{arguments:?}: {told}");
            assert_eq!(fs::read_to_string(named).ok(), before, "{arguments:?}");
        }
    }
    for named in &guarded {
        let before = fs::read_to_string(named).ok();
        assert_eq!(ground.run(&["brief", "--write", named]).status.code(), Some(2), "{named}");
        assert_eq!(fs::read_to_string(named).ok(), before, "{named}");
    }
    assert_eq!(fs::read_to_string(&settings).unwrap(), whole);
    let report = format!("{project}/report.xml");
    for _ in 0..2 {
        assert!(ground.run(&["test", "--junit", &report]).status.success(), "a report is written anew");
    }
    assert!(fs::read_to_string(report).unwrap().contains("<testsuite name=\"hookgate\""));
}

/// Tools that nobody knows, under verbs and keys that nobody lists: a guarded path in their input is taken for written, and a list of
/// words for the command that it makes.
#[test]
fn a_tool_of_a_server_changes_nothing_that_is_guarded_whatever_its_verb_and_keys() {
    let ground = ground();
    let settings = ground.home().join(".claude/settings.json").display().to_string();
    let call = |tool: &str, input: Value| {
        let event = ground.event("PreToolUse", &json!({ "tool_name": tool, "tool_input": input }));
        crate::support::decision(&ground.hook(&event))
    };
    let verbs =
        ["edit", "write", "patch", "put", "save", "str_replace", "edit_block", "replace_regex", "sync", "x"];
    let keys =
        ["path", "file", "filename", "uri", "absolute_path", "relative_path", "target", "files", "dst"];
    for (at, verb) in verbs.iter().enumerate() {
        for key in [keys[at % keys.len()], keys[(at + 4) % keys.len()]] {
            let value = match (key, at % 2) {
                ("files", _) => json!([{ "name": settings, "text": "{}" }]),
                ("uri", _) => json!(format!("file://{settings}")),
                (_, 0) => json!(settings),
                _ => json!("~/.claude/settings.json"),
            };
            let tool = format!("mcp__fs__{verb}");
            let (decision, reason) = call(&tool, json!({ key: value, "content": "{}" }));
            assert!(
                matches!(decision.as_str(), "deny" | "ask") && reason.contains("[GATE002]"),
                "{tool} {key}: {decision} {reason}"
            );
        }
    }
    for input in [
        json!({ "args": ["hookgate", "uninstall", "--yes"] }),
        json!({ "command": "hookgate", "args": ["pause", "--for", "1h"] }),
        json!({ "steps": [{ "argv": ["bash", "-c", "hookgate trust"] }] }),
    ] {
        let (decision, reason) = call("mcp__t__run", input.clone());
        assert!(decision == "deny" && reason.contains("[GATE003]"), "{input}: {decision} {reason}");
    }
    for (tool, input) in [
        ("mcp__fs__read_file", json!({ "path": settings })),
        ("mcp__fs__write_file", json!({ "path": "src/main.rs", "content": "x" })),
        (
            "mcp__github__create_issue",
            json!({ "title": "x", "body": "see https://example.com/.claude/settings.json" }),
        ),
        ("mcp__t__run", json!({ "args": ["ls", "-la"] })),
    ] {
        let (decision, reason) = call(tool, input.clone());
        assert!(matches!(decision.as_str(), "" | "pass" | "allow"), "{tool} {input}: {decision} {reason}");
    }
}
