//! An environment that would have hookgate look for a person's policy and state in the project: a repository can set one, so it is
//! not followed, and said.

use std::fs;
use std::path::PathBuf;

use crate::support::{Ground, decision, feed, write_settled};
use serde_json::Value;

const STRICT: &str = "[[rule]]\ncode = \"ACME001\"\nwhen = { run = \"make deploy **\" }\nthen = \"deny\"\nreason = \"deploys are announced\"\n";
const LOOSE: &str = "presets = [\"unguarded\"]\n[rules]\nGIT002 = \"off\"\n";

fn ground() -> (Ground, PathBuf) {
    let ground = Ground::new();
    let moved = ground.project().join("settings");
    for (path, text) in [
        (ground.home().join(".config/hookgate/hookgate.toml"), STRICT),
        (moved.join("hookgate/hookgate.toml"), LOOSE),
        (moved.join(".config/hookgate/hookgate.toml"), LOOSE),
    ] {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write_settled(&path, text);
    }
    fs::create_dir_all(ground.project().join(".git")).unwrap();
    (ground, moved)
}

#[test]
fn a_variable_that_points_into_the_project_is_not_followed() {
    let (ground, moved) = ground();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&moved, ground.home().join("linked")).unwrap();
    let linked = ground.home().join("linked");
    let dotted = ground.home().join("x/../project/settings");
    for place in [&moved, &linked, &dotted] {
        for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            let mut hook = ground.command();
            hook.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]).env(name, place);
            let output = feed(hook, &ground.bash("make deploy web"));
            let (answer, reason) = decision(&output);
            assert!(
                answer == "deny" && reason.contains("[ACME001]"),
                "{name}={}: {answer} {reason}",
                place.display()
            );
            assert!(!place.join("hookgate/audit.jsonl").exists(), "its state isn't kept there either");
            let mut doctor = ground.command();
            doctor.args(["doctor", "--json"]).env(name, place);
            let report: Value = serde_json::from_slice(&feed(doctor, b"").stdout).unwrap();
            let said = format!("{name} points into the project, so it isn't followed");
            let findings = report["findings"].as_array().unwrap();
            assert!(findings.iter().any(|finding| finding["text"] == said.as_str()), "{report}");
        }
    }
}

/// Of a home in the project the person's policy can't be told.
#[test]
fn a_home_in_the_project_is_not_the_persons() {
    let (ground, moved) = ground();
    let mut hook = ground.command();
    hook.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]).env("HOME", &moved);
    let (answer, reason) = decision(&feed(hook, &ground.bash("git push --force origin main")));
    assert_eq!(answer, "deny", "{reason}");
    let mut hook = ground.command();
    hook.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]).env("HOME", &moved);
    let (answer, reason) = decision(&feed(hook, &ground.bash("make deploy web")));
    assert!(answer == "ask" && reason.contains("[POLICY001]"), "{answer} {reason}");
    assert!(reason.contains("HOME lies in the project"), "{reason}");
    // What the policy there restricts holds still.
    write_settled(&moved.join(".config/hookgate/hookgate.toml"), STRICT);
    let mut hook = ground.command();
    hook.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]).env("HOME", &moved);
    let (answer, reason) = decision(&feed(hook, &ground.bash("make deploy web")));
    assert!(answer == "deny" && reason.contains("[ACME001]"), "{answer} {reason}");
    let mut doctor = ground.command();
    doctor.args(["doctor", "--json"]).env("HOME", &moved);
    let report = String::from_utf8(feed(doctor, b"").stdout).unwrap();
    assert!(report.contains("HOME points into the project, so it isn't followed"), "{report}");
}

#[test]
fn another_folder_of_the_persons_own_is_followed() {
    let (ground, _) = ground();
    let own = ground.home().join("own/hookgate/hookgate.toml");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    write_settled(&own, "presets = [\"recommended\"]\n");
    let mut hook = ground.command();
    hook.args(["hook", "--event", "PreToolUse", "--deadline", "60s"]);
    hook.env("XDG_CONFIG_HOME", ground.home().join("own"));
    let (answer, reason) = decision(&feed(hook, &ground.bash("make deploy web")));
    assert!(matches!(answer.as_str(), "" | "pass"), "{answer} {reason}");
}

#[test]
fn settings_of_the_repository_that_move_the_gate_are_named_at_the_first_call() {
    let (ground, _) = ground();
    let settings = ground.project().join(".claude/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, "{\"env\": {\"XDG_CONFIG_HOME\": \"/nonexistent\"}}").unwrap();
    let (answer, reason) = decision(&ground.hook(&ground.bash("git status")));
    assert!(answer == "deny" && reason.contains("[GATE007]"), "{answer} {reason}");
    assert!(reason.contains("sets `XDG_CONFIG_HOME`, so that a person's policy isn't found"), "{reason}");
    let report = String::from_utf8(ground.run(&["doctor", "--json"]).stdout).unwrap();
    assert!(
        report.contains("sets XDG_CONFIG_HOME, so that hookgate looks for your policy elsewhere"),
        "{report}"
    );
    fs::write(&settings, "{\"env\": {\"RUST_LOG\": \"debug\"}}").unwrap();
    let other = String::from_utf8(ground.bash("git status")).unwrap().replace("s1", "s2");
    assert_eq!(decision(&ground.hook(other.as_bytes())).0, "pass");
}
