//! `init --import`: hooks that people have come under supervision, and go back as they were.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::{Value, json};

use crate::support::{Ground, decision};

const SETTINGS: &str = r#"{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [ { "type": "command", "command": "echo 'no \"deploys\"' >&2; exit 2", "timeout": 7 } ] },
            { "matcher": "Edit|Write", "hooks": [
                { "type": "command", "command": "./never.sh", "onFailure": "block" },
                { "type": "http", "url": "http://localhost:1/x" }
            ] }
        ],
        "SessionStart": [ { "matcher": "startup", "hooks": [ { "type": "command", "command": "echo hello", "async": true } ] } ],
        "Stop": [ { "hooks": [ { "type": "command", "command": "check", "args": ["--all"] } ] } ]
    },
    "cost": 1.50
}
"#;

fn ground() -> Ground {
    let ground = Ground::new();
    fs::create_dir_all(ground.home().join(".claude")).unwrap();
    fs::write(settings(&ground), SETTINGS).unwrap();
    ground
}

fn settings(ground: &Ground) -> PathBuf {
    ground.home().join(".claude/settings.json")
}

fn policy(ground: &Ground) -> PathBuf {
    ground.home().join(".config/hookgate/hookgate.toml")
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn init(ground: &Ground, more: &[&str]) -> Output {
    let mut arguments = vec!["init", "--yes", "--client-version", "2.1.330"];
    arguments.extend(more);
    ground.run(&arguments)
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn hooks_move_with_matcher_and_timeout_and_what_cannot_is_listed_and_left() {
    let ground = ground();
    let said = text(&init(&ground, &["--import"]));
    assert!(
        said.contains("not moved: PreToolUse http hook `http://localhost:1/x` (it calls a server"),
        "{said}"
    );
    assert!(
        said.contains("not moved: SessionStart command hook `echo hello` (it runs in the background"),
        "{said}"
    );
    assert!(said.contains("+[[hook]]") && said.contains("-            { \"matcher\": \"Bash\""), "{said}");
    let written: Value = serde_json::from_str(&read(settings(&ground))).unwrap();
    let left: Vec<String> = written["hooks"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|groups| groups.as_array().unwrap())
        .flat_map(|group| group["hooks"].as_array().unwrap())
        .filter(|handler| !handler["command"].as_str().unwrap_or("").ends_with("hookgate"))
        .map(|handler| handler["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(left, ["http", "command"], "{written:#}");
    let ours = |event: &str| {
        let groups = written["hooks"][event].as_array().unwrap();
        groups.last().unwrap()["hooks"][0].clone()
    };
    // As long as the slowest hook, and a little more; the agent waits still longer.
    assert_eq!(ours("PreToolUse")["args"], json!(["hook", "--event", "PreToolUse", "--deadline", "602s"]));
    assert_eq!(ours("PreToolUse")["timeout"], 607);
    assert_eq!(ours("Stop")["args"][2], "Stop");
    let entries = read(policy(&ground));
    assert!(entries.contains("when = { tool = [\"Bash\", \"Monitor\"] }\n"), "{entries}");
    assert!(entries.contains("deadline = \"7s\"\non-error = \"notice\"\n"), "{entries}");
    assert!(entries.contains("deadline = \"10m\"\non-error = \"deny\"\n"), "{entries}");
    assert!(entries.contains("run = [\"check\", \"--all\"]\n"), "{entries}");

    // They run now where they ran before, and nowhere else.
    let (decided, reason) = decision(&ground.hook(&ground.bash("git status")));
    assert!(decided == "deny" && reason.contains("[HOOK001] no \"deploys\""), "{decided} {reason}");
    let write = json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": "" } });
    let (decided, reason) = decision(&ground.hook(&ground.event("PreToolUse", &write)));
    assert!(
        decided == "deny" && reason.contains("[HOOK002] the hook `./never.sh` exited with 127"),
        "{reason}"
    );
    let fetch = json!({ "tool_name": "WebSearch", "tool_input": { "query": "x" } });
    assert_eq!(decision(&ground.hook(&ground.event("PreToolUse", &fetch))).0, "pass");
}

#[test]
fn it_is_idempotent_and_comes_back_byte_for_byte() {
    let ground = ground();
    ground.policy("mode = \"enforce\"\n");
    init(&ground, &["--import"]);
    let (after, entries) = (read(settings(&ground)), read(policy(&ground)));
    for more in [&["--import"][..], &[]] {
        assert!(text(&init(&ground, more)).contains("is up to date"));
        assert_eq!((read(settings(&ground)), read(policy(&ground))), (after.clone(), entries.clone()));
    }
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    assert_eq!(read(settings(&ground)), SETTINGS);
    assert_eq!(read(policy(&ground)), "mode = \"enforce\"\n");
}

#[test]
fn export_takes_them_back_and_leaves_the_gate() {
    let ground = ground();
    init(&ground, &[]);
    let gated = read(settings(&ground));
    init(&ground, &["--import"]);
    assert_ne!(read(settings(&ground)), gated);
    assert!(policy(&ground).exists());
    text(&init(&ground, &["--export"]));
    assert_eq!(read(settings(&ground)), gated);
    assert!(!policy(&ground).exists(), "what was made for the hooks goes with them");
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    assert_eq!(read(settings(&ground)), SETTINGS);
}

#[test]
fn settings_and_policy_that_were_edited_since_keep_the_edits_and_get_the_hooks_back() {
    let ground = ground();
    init(&ground, &["--import"]);
    let edited = read(settings(&ground)).replace("\"opus\"", "\"sonnet\"");
    fs::write(settings(&ground), &edited).unwrap();
    fs::write(policy(&ground), format!("# mine\nmode = \"shadow\"\n{}", read(policy(&ground)))).unwrap();
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    let mut expected: Value = serde_json::from_str(SETTINGS).unwrap();
    expected["model"] = json!("sonnet");
    let back: Value = serde_json::from_str(&read(settings(&ground))).unwrap();
    // A group that a hook is left in comes back with it at its end.
    let all = |value: &Value, event: &str| {
        let groups = value["hooks"][event].as_array().unwrap().clone();
        let mut rows: Vec<String> = groups
            .iter()
            .flat_map(|group| {
                group["hooks"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(move |hook| format!("{} {hook}", group["matcher"]))
            })
            .collect();
        rows.sort();
        rows
    };
    for event in ["PreToolUse", "SessionStart", "Stop"] {
        assert_eq!(all(&back, event), all(&expected, event));
    }
    assert_eq!(back["model"], "sonnet");
    assert!(!back.to_string().contains("hookgate"), "{back}");
    assert_eq!(read(policy(&ground)), "# mine\nmode = \"shadow\"\n");
}

#[test]
fn a_repositorys_hooks_stay_in_the_settings_until_its_policy_is_trusted() {
    let ground = Ground::new();
    let path = ground.project().join(".claude/settings.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, SETTINGS).unwrap();
    let said = text(&init(&ground, &["--import", "--scope", "project"]));
    assert!(said.contains("has to be trusted before it runs anything"), "{said}");
    assert!(read(path.clone()).contains("no \\\"deploys"), "the hook is where it was");
    let own = ground.project().join(".hookgate.toml");
    assert!(read(own.clone()).contains("[[hook]]"));
    // What `hookgate trust` writes once a person has confirmed.
    let name = format!("{:016x}", hookgate_policy::fingerprint(&own.display().to_string()));
    let record = ground.home().join(".local/state/hookgate/trust");
    fs::create_dir_all(&record).unwrap();
    fs::write(record.join(name), hookgate_policy::digest(&read(own.clone()))).unwrap();
    let said = text(&init(&ground, &["--import", "--scope", "project"]));
    assert!(said.contains("no longer runs the moved hooks"), "{said}");
    assert!(!read(path.clone()).contains("no \\\"deploys"));
    assert_eq!(decision(&ground.hook(&ground.bash("git status"))).0, "deny");
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    assert_eq!((read(path), own.exists()), (SETTINGS.to_owned(), false));
}

#[test]
fn a_dry_run_a_broken_policy_and_the_agent_change_nothing() {
    let ground = ground();
    assert!(text(&ground.run(&["init", "--import", "--dry-run"])).contains("+[[hook]]"));
    assert!(!policy(&ground).exists());
    ground.policy("mode = \"strikt\"\n");
    let output = ground.run(&["init", "--import", "--yes"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && said.contains("fix the policy first"), "{said}");
    assert_eq!(read(settings(&ground)), SETTINGS);
    fs::remove_file(policy(&ground)).unwrap();
    let (decided, reason) = decision(&ground.hook(&ground.bash("hookgate init --export --yes")));
    assert!(decided == "deny" && reason.contains("GATE"), "{reason}");
}

#[test]
fn hooks_that_ask_a_model_become_one_judge_and_come_back() {
    let ground = Ground::new();
    fs::create_dir_all(ground.home().join(".claude")).unwrap();
    let prompt = |text: &str| json!({ "type": "prompt", "prompt": text });
    let before = json!({ "hooks": {
        "Stop": [{ "hooks": [
            prompt("Is every task done? $ARGUMENTS"), prompt("Were the tests run?"), prompt("Did it ask before deleting?"),
            { "type": "agent", "prompt": "Does the code build?", "timeout": 120 },
        ] }],
        "PreToolUse": [{ "matcher": "Bash", "hooks": [prompt("Is this safe?")] }],
    } });
    let before = format!("{before:#}\n");
    fs::write(settings(&ground), &before).unwrap();
    let said = text(&init(&ground, &["--import"]));
    assert!(
        said.contains("not moved: PreToolUse prompt hook `Is this safe?` (it asks a model, but judges are asked only at the end of work)"),
        "{said}"
    );
    assert!(
        said.contains("moved, and without tools from now on: Stop agent hook `Does the code build?`"),
        "{said}"
    );
    let entries = read(policy(&ground));
    assert_eq!(entries.matches("[[judge]]").count(), 1, "{entries}");
    assert!(entries.contains("on = \"Stop\"\nmodel = \"agent:claude@haiku\"\ncriteria = [\n"), "{entries}");
    assert!(entries.contains("id = \"check-4\"") && !entries.contains("check-5"), "{entries}");
    assert!(entries.contains("Is every task done? the evidence"), "{entries}");
    assert!(entries.contains("deadline = \"2m\"\nunmeasured = true\n"), "{entries}");
    let written: Value = serde_json::from_str(&read(settings(&ground))).unwrap();
    assert_eq!(written["hooks"]["PreToolUse"][0]["hooks"][0]["prompt"], "Is this safe?");
    let stop = &written["hooks"]["Stop"];
    assert_eq!(stop.as_array().unwrap().len(), 1, "{stop}");
    assert_eq!(stop[0]["hooks"][0]["args"], json!(["hook", "--event", "Stop", "--deadline", "122s"]));
    assert!(text(&init(&ground, &["--import"])).contains("is up to date"));
    text(&init(&ground, &["--export"]));
    assert!(!policy(&ground).exists(), "what was made for the hooks goes with them");
    assert!(ground.run(&["uninstall", "--yes"]).status.success());
    assert_eq!(read(settings(&ground)), before);
}
