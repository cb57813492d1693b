//! Halt, pause and grant, as the agent and the person meet them.

use std::fs;
use std::path::PathBuf;

use crate::support::{Ground, decision, document};
use serde_json::{Value, json};

fn state(ground: &Ground) -> PathBuf {
    ground.home().join(".local/state/hookgate")
}

fn touch(ground: &Ground, reason: &str) {
    fs::create_dir_all(state(ground)).unwrap();
    fs::write(state(ground).join("halt"), reason).unwrap();
}

/// Writes a file that loosens, as `pause` and `grant` do once a person has confirmed.
fn lease(ground: &Ground, name: &str, fields: &Value) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let mut value = json!({ "from": now - 1000, "until": now + 600_000, "boot": boot.trim() });
    value.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let path = state(ground).join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, value.to_string()).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

#[test]
fn a_touched_sentinel_stops_every_tool_call_and_ends_the_turn_in_every_mode() {
    for mode in ["enforce", "shadow", "off"] {
        let ground = Ground::new();
        ground.policy(&format!("mode = \"{mode}\"\n"));
        touch(&ground, "the build is broken\n");
        let output = ground.hook(&ground.bash("git status"));
        let (decision, reason) = decision(&output);
        assert_eq!(decision, "deny", "{mode}");
        assert!(reason.contains("[HALT001] all agents are halted: `the build is broken`."), "{reason}");
        assert!(reason.contains("hookgate resume") && !reason.contains("[[exception]]"), "{reason}");
        let answer = document(&output).unwrap();
        assert_eq!(answer["continue"], json!(false));
        assert!(answer["stopReason"].as_str().unwrap().contains("the build is broken"));
    }
}

#[test]
fn a_halt_holds_prompts_permission_requests_and_stops_as_each_can_carry_it() {
    let ground = Ground::new();
    touch(&ground, "");
    let ask = |name: &str, fields: Value| document(&ground.hook(&ground.event(name, &fields)));
    let prompt = ask("UserPromptSubmit", json!({ "prompt": "hello" })).unwrap();
    assert_eq!(prompt["decision"], "block", "{prompt}");
    assert!(prompt["reason"].as_str().unwrap().contains("[HALT001]"), "{prompt}");
    let stop = ask("Stop", json!({ "stop_hook_active": false })).unwrap();
    assert_eq!((&stop["continue"], &stop["decision"]), (&json!(false), &Value::Null), "{stop}");
    let request =
        ask("PermissionRequest", json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } })).unwrap();
    assert_eq!(request["hookSpecificOutput"]["decision"]["behavior"], "deny");
    assert_eq!(request["hookSpecificOutput"]["decision"]["interrupt"], true);
}

#[test]
fn anybody_halts_and_nobody_without_a_terminal_resumes() {
    let ground = Ground::new();
    let halted = ground.run(&["halt", "stop", "it"]);
    assert!(halted.status.success());
    assert_eq!(fs::read_to_string(state(&ground).join("halt")).unwrap(), "stop it");
    let line = String::from_utf8(ground.run(&["status-line"]).stdout).unwrap();
    // Nothing is installed in this home, which the line says first.
    assert!(line.starts_with("hookgate: NOT INSTALLED") && line.contains("; HALTED by "), "{line}");
    for arguments in [&["resume"][..], &["pause", "--for", "10m"], &["pause", "--for", "9h"], &["pause"]] {
        let output = ground.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    assert!(state(&ground).join("halt").exists() && !state(&ground).join("pause").exists());
}

#[test]
fn an_agents_mark_in_the_environment_refuses_a_pause() {
    let ground = Ground::new();
    let mut command = ground.command();
    command.args(["pause", "--for", "10m"]).env("CLAUDECODE", "1");
    let output = crate::support::feed(command, b"");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("this needs a person, but an agent (CLAUDECODE is set) started this process"),
        "{text}"
    );
}

#[test]
fn a_pause_stops_nothing_but_attempts_on_the_gate_and_says_so_on_every_answer() {
    let ground = Ground::new();
    lease(&ground, "pause", &json!({}));
    for command in ["git push --force origin main", "git status"] {
        let output = ground.hook(&ground.bash(command));
        let answer = document(&output).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], Value::Null, "{command}");
        let notice = answer["systemMessage"].as_str().unwrap();
        assert!(notice.contains("hookgate is paused for 10 minutes more"), "{notice}");
    }
    let (decided, reason) = decision(&ground.hook(&ground.bash("hookgate grant abc")));
    assert!(decided == "deny" && reason.contains("GATE003"), "{decided} {reason}");
}

#[test]
fn a_pause_that_is_over_or_malformed_changes_nothing() {
    for fields in [json!({ "until": 1 }), json!({ "boot": "another" }), json!({ "from": "now" })] {
        let ground = Ground::new();
        lease(&ground, "pause", &fields);
        assert_eq!(
            decision(&ground.hook(&ground.bash("git push --force origin main"))).0,
            "deny",
            "{fields}"
        );
    }
}

#[test]
fn a_grant_lets_exactly_its_call_pass_the_rules_that_it_names() {
    let ground = Ground::new();
    assert_eq!(decision(&ground.hook(&ground.bash("git push --force origin main"))).0, "deny");
    let records = fs::read_to_string(ground.audit()).unwrap();
    let record: Value = serde_json::from_str(records.lines().last().unwrap()).unwrap();
    let call = record["call"].as_str().unwrap();
    let fields = json!({ "decision": record["id"], "codes": record["codes"] });
    lease(&ground, &format!("grants/{call}"), &fields);

    let output = ground.hook(&ground.bash("git push --force origin main"));
    let answer = document(&output).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], Value::Null);
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(
        context.contains("EXC:") && context.contains("granted once by a person for decision"),
        "{context}"
    );
    assert_eq!(decision(&ground.hook(&ground.bash("git push --force origin main "))).0, "deny");
    let doctor = String::from_utf8(ground.run(&["doctor"]).stdout).unwrap();
    assert!(!doctor.contains("granted"), "it is used: {doctor}");
    let listed = String::from_utf8(ground.run(&["grant", "--list"]).stdout).unwrap();
    assert!(listed.contains(": GIT002 granted once, used at "), "{listed}");
}

/// What is denied first is granted as a person would, once or for ten minutes.
fn granted(ground: &Ground, command: &str, fields: &Value) {
    assert_eq!(decision(&ground.hook(&ground.bash(command))).0, "deny", "{command}");
    let records = fs::read_to_string(ground.audit()).unwrap();
    let record: Value = serde_json::from_str(records.lines().last().unwrap()).unwrap();
    let mut all = json!({ "decision": record["id"], "codes": record["codes"] });
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    lease(ground, &format!("grants/{}", record["call"].as_str().unwrap()), &all);
}

fn call(ground: &Ground, event: &str, command: &str, id: &str) -> Vec<u8> {
    let mut fields = json!({ "tool_name": "Bash", "tool_input": { "command": command } });
    if !id.is_empty() {
        fields["tool_use_id"] = json!(id);
    }
    ground.event(event, &fields)
}

#[test]
fn a_grant_is_used_by_one_call_with_all_of_its_events() {
    const PUSH: &str = "git push --force";
    let ground = Ground::new();
    let stopped = |event: &str, id: &str| {
        let answer = document(&ground.hook(&call(&ground, event, PUSH, id))).unwrap_or_default();
        answer.to_string().contains("\"deny\"")
    };
    granted(&ground, PUSH, &json!({}));
    let doctor = String::from_utf8(ground.run(&["doctor"]).stdout).unwrap();
    assert!(doctor.contains(": GIT002 granted once, until "), "{doctor}");
    assert!(!stopped("PreToolUse", "a") && !stopped("PreToolUse", "a"), "one event that two hooks are told");
    assert!(!stopped("PermissionRequest", ""), "the client's own question about it");
    assert!(stopped("PreToolUse", "b") && stopped("PreToolUse", ""));
    let answer = document(&ground.hook(&call(&ground, "PreToolUse", PUSH, "c"))).unwrap().to_string();
    assert!(answer.contains("was for one call, which has been made"), "{answer}");
    let records = fs::read_to_string(ground.audit()).unwrap();
    let excused = records.lines().filter(|line| line.contains("\"excused\":\"grant\"")).count();
    assert_eq!(excused, 3, "the record says which events it let through");

    let ground = Ground::new();
    granted(&ground, PUSH, &json!({ "once": false }));
    for id in ["a", "b", ""] {
        assert_eq!(decision(&ground.hook(&call(&ground, "PreToolUse", PUSH, id))).0, "", "{id}");
    }
}

#[test]
fn a_call_that_is_stopped_all_the_same_uses_no_grant() {
    const PUSH: &str = "git push --force";
    let ground = Ground::new();
    granted(&ground, PUSH, &json!({}));
    let own = "[[rule]]\ncode = \"ACME001\"\nwhen = { run = \"git push **\" }\nthen = \"deny\"\nreason = \"frozen\"\n";
    ground.policy(own);
    let (decided, reason) = decision(&ground.hook(&call(&ground, "PreToolUse", PUSH, "a")));
    assert!(decided == "deny" && reason.contains("ACME001"), "{decided} {reason}");
    ground.policy("");
    assert_eq!(decision(&ground.hook(&call(&ground, "PreToolUse", PUSH, "b"))).0, "", "it is still there");
    assert_eq!(decision(&ground.hook(&call(&ground, "PreToolUse", PUSH, "c"))).0, "deny");
}

#[test]
fn of_parallel_calls_one_uses_a_grant() {
    const PUSH: &str = "git push --force";
    let ground = Ground::new();
    granted(&ground, PUSH, &json!({}));
    let ran = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8)
            .map(|number| {
                let event = call(&ground, "PreToolUse", PUSH, &format!("toolu_{number}"));
                let ground = &ground;
                scope.spawn(move || decision(&ground.hook(&event)).0)
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).filter(|decided| decided != "deny").count()
    });
    assert_eq!(ran, 1);
}

#[test]
fn what_guards_the_gate_cannot_be_granted() {
    let ground = Ground::new();
    assert_eq!(decision(&ground.hook(&ground.bash("hookgate uninstall"))).0, "deny");
    let records = fs::read_to_string(ground.audit()).unwrap();
    let record: Value = serde_json::from_str(records.lines().last().unwrap()).unwrap();
    let output = ground.run(&["grant", record["id"].as_str().unwrap()]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("can't be granted"), "{text}");
    lease(
        &ground,
        &format!("grants/{}", record["call"].as_str().unwrap()),
        &json!({ "decision": record["id"], "codes": ["GATE003"] }),
    );
    assert_eq!(decision(&ground.hook(&ground.bash("hookgate uninstall"))).0, "deny");
}

/// An exception says no more than what was stopped, and is tried before it is offered.
#[test]
fn an_exception_is_by_effect_and_for_nothing_else() {
    let ground = Ground::new();
    fs::create_dir_all(ground.project().join("data")).unwrap();
    fs::write(ground.project().join("data/a.txt"), "x").unwrap();
    let stopped = |command: &str| {
        let (decided, reason) = decision(&ground.hook(&ground.bash(command)));
        assert!(matches!(decided.as_str(), "ask" | "deny"), "{command}: {decided} {reason}");
        let log = fs::read_to_string(ground.audit()).unwrap();
        let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        last["id"].as_str().unwrap().to_owned()
    };
    for (command, exception) in [
        ("rm -rf data", "code = \"FILE015\"\nwhen = { delete = \"./data/\" }"),
        (
            "git push --force",
            "code = \"GIT002\"\nwhen = { effect = \"git-force-push\", run = \"git push --force\" }",
        ),
    ] {
        let id = stopped(command);
        let output = ground.run(&["except", &id[..12], "--dry-run"]);
        let said =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(exception), "{command}: {said}");
        // Nobody is at the terminal, so nothing is written.
        assert_eq!(ground.run(&["except", &id]).status.code(), Some(2));
        assert!(!ground.home().join(".config/hookgate/hookgate.toml").exists());
        ground.policy(&String::from_utf8_lossy(&output.stdout));
        let checked = ground.run(&["check", command]);
        assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
        fs::remove_file(ground.home().join(".config/hookgate/hookgate.toml")).unwrap();
    }
    for command in ["hookgate pause --for 10m", "rm -rf \"$X\""] {
        let output = ground.run(&["except", &stopped(command), "--dry-run"]);
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
    let output = ground.run(&["rule", "GIT002", "--level", "ask"]);
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("+GIT002 = \"ask\"") && said.contains("needs a person"), "{said}");
}

/// What a command says at a terminal of its own where somebody types something: the code that it shows, or another one. `None`
/// where the program that makes terminals is missing.
#[cfg(target_os = "linux")]
fn at_a_terminal(ground: &Ground, arguments: &[&str], is_right: bool) -> Option<(String, bool)> {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    if !hookgate_testing::has("script", &["--version"]) {
        return None;
    }
    let words: Vec<String> = std::iter::once(env!("CARGO_BIN_EXE_hookgate"))
        .chain(arguments.iter().copied())
        .map(|word| format!("'{word}'"))
        .collect();
    let mut command = Command::new("script");
    command.args(["-qec", &words.join(" "), "/dev/null"]).env_clear().current_dir(ground.project());
    command.env("HOME", ground.home()).env("PATH", "/usr/bin:/bin").env("TZ", "UTC");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut said = Vec::new();
    let mut byte = [0];
    while !said.ends_with(b" to confirm: ") && output.read(&mut byte).unwrap() == 1 {
        said.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&said).into_owned();
    if let Some((_, code)) = text.rsplit_once("Type ") {
        let code = code.split(' ').next().unwrap();
        let other = if code.starts_with('1') { "2" } else { "1" };
        writeln!(input, "{}", if is_right { code } else { other }).unwrap();
    }
    output.read_to_end(&mut said).unwrap();
    drop(input);
    let status = child.wait().unwrap();
    Some((String::from_utf8_lossy(&said).replace('\r', ""), status.success()))
}

#[test]
#[cfg(target_os = "linux")]
fn a_person_types_the_code_that_the_terminal_shows_and_nothing_else_loosens() {
    let ground = Ground::new();
    let (first, reason) = decision(&ground.hook(&ground.bash("git push --force")));
    assert_eq!(first, "deny");
    let id = reason.split("check ").nth(1).unwrap().trim_end_matches('.').to_owned();
    let denied = || decision(&ground.hook(&ground.bash("git push --force"))).0 == "deny";
    let Some((said, done)) = at_a_terminal(&ground, &["grant", &id], false) else { return };
    assert!(!done && said.contains("not confirmed; nothing was changed"), "{said}");
    assert!(denied());
    let (said, done) = at_a_terminal(&ground, &["grant", &id], true).unwrap();
    assert!(done && said.contains("Granted once, until "), "{said}");
    assert!(!denied(), "the same call runs now");
    assert_eq!(decision(&ground.hook(&ground.bash("rm -rf /"))).0, "deny", "another one doesn't");

    let ground = Ground::new();
    let denied = || decision(&ground.hook(&ground.bash("git push --force"))).0 == "deny";
    let (said, done) = at_a_terminal(&ground, &["pause", "--for", "5m"], false).unwrap();
    assert!(!done && denied(), "{said}");
    let (said, done) = at_a_terminal(&ground, &["pause", "--for", "5m"], true).unwrap();
    assert!(done && said.contains("Paused until ") && !denied(), "{said}");
    let output = ground.run(&["resume"]);
    assert!(output.status.success() && denied());

    let file = ground.project().join(".hookgate.toml");
    crate::support::write_settled(&file, "[rules]\nGIT002 = \"off\"\n");
    let (said, done) = at_a_terminal(&ground, &["trust"], false).unwrap();
    assert!(!done && denied(), "{said}");
    let (said, done) = at_a_terminal(&ground, &["trust"], true).unwrap();
    assert!(done && said.contains("GIT002 = \"off\"") && !denied(), "{said}");

    let output = ground.run(&["pause", "--for", "5m"]);
    assert!(!output.status.success(), "without a terminal");
}
