//! What a call does is found however it is disguised: through links, descriptors, the shell's own tables, the words of an output.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Ground, feed};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Disguises {
    group: Vec<Group>,
    /// What looks like a disguise and is none.
    plain: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    what: String,
    codes: Vec<String>,
    commands: Vec<String>,
}

fn disguises() -> Disguises {
    toml::from_str(include_str!("disguises.toml")).unwrap()
}

/// A home that isn't temporary, with what the commands are about.
fn ground() -> Ground {
    let ground = Ground::new();
    for (path, text) in [
        ("docs/d.txt", "d"),
        (".ssh/id_rsa", "KEY"),
        (".bashrc", ""),
        (".claude/settings.json", "{}"),
        ("project/README.md", "hi"),
        ("project/.env", "TOKEN=1"),
        ("project/.git/HEAD", "ref: refs/heads/main\n"),
        ("project/src/a.py", ""),
    ] {
        let file = ground.home().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    ground.policy("presets = [\"recommended\", \"infra\"]\n");
    ground
}

fn judged(ground: &Ground, commands: &[&String]) -> Vec<Value> {
    let input: String =
        commands.iter().map(|command| format!("{}\n", json!({ "command": command }))).collect();
    let mut check = ground.command();
    check.args(["check", "--batch", "--json"]);
    let output = feed(check, input.as_bytes());
    let lines = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), commands.len(), "{}", String::from_utf8_lossy(&output.stderr));
    answers
}

#[test]
fn every_disguise_is_seen_through_by_the_rule_that_is_for_what_it_hides() {
    let ground = ground();
    let disguises = disguises();
    let rows = disguises.group.iter().flat_map(|group| group.commands.iter().map(move |one| (one, group)));
    let (commands, groups): (Vec<&String>, Vec<&Group>) = rows.unzip();
    let mut missed = Vec::new();
    for ((command, group), answer) in commands.iter().zip(groups).zip(judged(&ground, &commands)) {
        let stopped = matches!(answer["decision"].as_str(), Some("ask" | "deny" | "halt"));
        let codes = answer["codes"].as_array().unwrap();
        let meant = codes.iter().any(|code| group.codes.iter().any(|known| code == known));
        let said = answer["reason"].as_str().is_some_and(|reason| !reason.is_empty());
        if !(stopped && meant && said) {
            missed.push(format!(
                "{}: {command}\n    {} {codes:?} {}",
                group.what, answer["decision"], answer["effects"]
            ));
        }
    }
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), commands.len(), missed.join("\n"));
}

#[test]
fn what_only_looks_like_a_disguise_passes() {
    let ground = ground();
    let disguises = disguises();
    let commands: Vec<&String> = disguises.plain.iter().collect();
    for (command, answer) in commands.iter().zip(judged(&ground, &commands)) {
        assert_eq!(answer["decision"], "pass", "{command}: {answer}");
    }
}
