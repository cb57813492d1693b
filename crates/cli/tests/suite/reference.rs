//! The generated reference of the command line is fresh.

use serde_json::{Value, json};

use crate::support::{Ground, document, feed, write_settled};

#[test]
fn the_reference_of_the_command_line_is_up_to_date() {
    let written = include_str!("../../../../docs/cli.md");
    let generated = String::from_utf8(Ground::new().run(&["reference"]).stdout).unwrap();
    assert!(written == generated, "docs/cli.md is stale: run `cargo xtask gen`");
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let ground = Ground::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = ground.run(&["completions", shell]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("hookgate"), "{shell}");
    }
    assert!(String::from_utf8_lossy(&ground.run(&["man"]).stdout).contains(".TH hookgate"));
    assert!(String::from_utf8_lossy(&ground.run(&["man", "check"]).stdout).contains("isolated"));
    assert_eq!(ground.run(&["man", "nothing"]).status.code(), Some(2));
}

#[test]
fn a_mistyped_option_is_no_command() {
    let ground = Ground::new();
    for name in ["check", "explain"] {
        let output = ground.run(&[name, "--isolatd", "git push --force"]);
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        let behind = ground.run(&[name, "git push --force", "--json"]);
        assert_eq!(behind.status.code(), Some(2), "{name}: {behind:?}");
        assert!(String::from_utf8_lossy(&behind.stderr).contains("`--json` goes before the command"));
    }
    let options_of_the_command = ground.run(&["check", "--isolated", "git", "push", "--force"]);
    assert_eq!(options_of_the_command.status.code(), Some(1), "{options_of_the_command:?}");
}

#[test]
fn what_is_found_twice_is_said_once() {
    let output = Ground::new().run(&["check", "--isolated", "dd if=/dev/zero of=/dev/sda"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("[SYS004]").count(), 1, "{output:?}");
}

/// What a person reads beside the answer to an event.
fn notices(ground: &Ground, event: &str, fields: &Value) -> Vec<String> {
    let mut command = ground.command();
    command.args(["hook", "--event", event, "--deadline", "60s"]);
    let answer = document(&feed(command, &ground.event(event, fields))).unwrap_or_default();
    let text = answer["systemMessage"].as_str().unwrap_or_default();
    let project = ground.project().display().to_string();
    text.lines().map(|line| line.replace(&project, "/home/dev/app")).collect()
}

#[test]
fn the_page_of_messages_has_the_notices_word_for_word() {
    let page = include_str!("../../../../docs/messages.md").replace("\\|", "|");
    let starts = json!({ "source": "startup" });
    let bash = json!({ "tool_name": "Bash", "tool_use_id": "t", "tool_input": { "command": "make" } });
    let mut told = Vec::new();

    let ground = Ground::new();
    let gate = "[[gate]]\ncheck = \"tests\"\n";
    ground.policy(&format!("[[rule]]\ncode = \"ACME001\"\nwhen = {{ run = \"x\" }}\nthen = \"ask\"\n{gate}"));
    told.extend(notices(&ground, "SessionStart", &starts));

    let ground = Ground::new();
    let policy = ground.project().join(".hookgate.toml");
    write_settled(&policy, "[[gate]]\nrun = \"make\"\n[[lint]]\nuse = \"ruff\"\n");
    told.extend(notices(&ground, "PreToolUse", &bash));
    write_settled(&policy, "precets = []\n");
    let mut later = bash.clone();
    later["session_id"] = json!("s2");
    told.extend(notices(&ground, "PreToolUse", &later));

    let ground = Ground::new();
    write_settled(&ground.project().join(".hookgate.toml"), "precets = []\n");
    told.extend(notices(&ground, "PreToolUse", &bash));

    let ground = Ground::new();
    let path = ground.project().join(".git/HEAD/audit.jsonl");
    ground.policy(&format!("[audit]\npath = \"{}\"\n", path.display()));
    told.extend(notices(&ground, "PreToolUse", &bash));

    assert!(told.len() >= 5, "{told:#?}");
    for notice in told {
        assert!(page.contains(&notice), "docs/messages.md lacks: {notice}");
    }
}

/// All texts below a directory whose names end so.
fn texts_below(directory: &std::path::Path, end: &str, texts: &mut String) {
    for entry in std::fs::read_dir(directory).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts_below(&path, end, texts);
        } else if path.to_string_lossy().ends_with(end) {
            texts.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn every_test_script_and_scenario_of_the_page_of_evidence_exists() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut sources = String::new();
    texts_below(&root.join("crates"), ".rs", &mut sources);
    let page = std::fs::read_to_string(root.join("docs/evidence.md")).unwrap();
    let functions: Vec<&str> = sources.lines().filter(|line| line.trim_start().starts_with("fn ")).collect();
    let rows =
        page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix("` |")?.split_once(" | "));
    // Every other piece of the second column is a command.
    let commands: Vec<&str> = rows.flat_map(|(_, column)| column.split('`').skip(1).step_by(2)).collect();
    assert!(commands.len() > 40, "{commands:?}");
    for command in commands {
        if let Some(script) = command.split(' ').find(|word| word.starts_with("scripts/")) {
            assert!(root.join(script).is_file(), "{command}");
        }
        if let Some(scenario) = command.split('"').nth(1) {
            assert!(sources.contains(scenario), "no scenario of the lab: {scenario}");
        }
        // A word with underscores is a test's name or a part of it, unless it is the name of a whole suite.
        let mut before = "";
        for word in command.split(' ') {
            if word.contains('_') && !word.contains('=') && before != "--test" {
                assert!(functions.iter().any(|function| function.contains(word)), "no such test: {word}");
            }
            before = word;
        }
    }
}
