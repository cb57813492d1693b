//! The page on rewrites, line by line, and the guard of required programs.

use std::fs;

use crate::support::Ground;

const PAGE: &str = include_str!("../../../../docs/rewrites.md");

/// The rows of the page's tables: command, exit code, what is printed.
fn rows() -> Vec<(String, i32, String)> {
    let plain = |cell: &str| cell.trim().trim_matches('`').replace("\\|", "|");
    let mut rows = Vec::new();
    for line in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split('|').map(|cell| plain(&cell.replace('\u{1}', "|"))).collect();
        if let Some(code) = cells.get(2).and_then(|code| code.parse().ok()) {
            rows.push((cells[1].clone(), code, cells[3].clone()));
        }
    }
    rows
}

#[test]
fn every_line_of_the_page_holds() {
    let ground = Ground::new();
    let policy = ground.folder.path().join("policy.toml");
    let text = PAGE.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    fs::write(&policy, text).unwrap();
    let rows = rows();
    assert_eq!(rows.len(), 15);
    for (command, code, prints) in rows {
        let output = ground.run(&["rewrite", "--isolated", "--policy", policy.to_str().unwrap(), &command]);
        let said = String::from_utf8_lossy(&output.stdout);
        let problem = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), said.trim_end()),
            (Some(code), prints.as_str()),
            "{command}: {problem}"
        );
        assert_eq!(problem.contains("releases are made by the pipeline"), code == 2, "{command}: {problem}");
    }
}

#[cfg(unix)]
#[test]
fn a_version_is_asked_once_by_the_doctor_and_never_by_a_hook() {
    let ground = Ground::new();
    ground.policy("presets = [\"rtk\"]");
    let bin = ground.folder.path().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let asked = ground.folder.path().join("asked");
    let program = bin.join("rtk");
    let text = format!("#!/bin/sh\necho x >> '{}'\necho rtk 0.40.1\n", asked.display());
    crate::support::write_program(&program, &text);
    let run = |arguments: &[&str], input: &[u8]| {
        let mut command = ground.command();
        command.env("PATH", format!("{}:/usr/bin:/bin", bin.display())).args(arguments);
        String::from_utf8(crate::support::feed(command, input).stdout).unwrap()
    };
    let hook = ["hook", "--event", "PreToolUse"];

    let answer = run(&hook, &ground.bash("git status"));
    assert!(answer.contains("the version of `rtk` isn't known yet"), "{answer}");
    assert!(!answer.contains("updatedInput"), "{answer}");
    assert!(!asked.exists(), "a hook asked the program");
    assert_eq!(run(&hook, &ground.bash("git status")), "", "told once per session");

    let doctor = run(&["doctor"], b"");
    assert!(doctor.contains("rewrites: `rtk` is installed, for RTK001"), "{doctor}");
    let answer = run(&hook, &ground.bash("git status"));
    assert!(answer.contains(r#""updatedInput":{"command":"rtk git status"}"#), "{answer}");
    assert!(answer.contains(r#""permissionDecision":"allow""#), "inherited: {answer}");
    run(&["doctor"], b"");
    assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n", "asked once");

    fs::remove_file(&program).unwrap();
    let doctor = run(&["doctor"], b"");
    assert!(doctor.contains("`rtk` isn't on PATH: RTK001 has no effect until it is installed"), "{doctor}");
}

#[test]
fn shadow_mode_records_what_would_have_been_rewritten_and_changes_nothing() {
    let ground = Ground::new();
    ground
        .policy("mode = \"shadow\"\n[[rewrite]]\nrun = \"git log **\"\nto = \"git --no-pager log {args}\"\n");
    assert!(ground.hook(&ground.bash("git log -3")).stdout.is_empty());
    let records = fs::read_to_string(ground.audit()).unwrap();
    let record: serde_json::Value = serde_json::from_str(records.lines().last().unwrap()).unwrap();
    assert_eq!(record["would_rewrite"], "git --no-pager log -3", "{record}");
    assert!(record.get("rewrite").is_none() && record["codes"].to_string().contains("REWRITE"), "{record}");
}

#[test]
fn a_rules_new_input_that_does_harm_is_refused() {
    let ground = Ground::new();
    let rule = |to: &str| {
        format!(
            "[[rule]]\ncode = \"ACME001\"\nwhen = {{ run = \"make deploy\" }}\nupdated-input = {{ command = \"{to}\" }}\n"
        )
    };
    ground.policy(&rule("make deploy DRY_RUN=1"));
    let answer: serde_json::Value =
        serde_json::from_slice(&ground.hook(&ground.bash("make deploy")).stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"]["command"], "make deploy DRY_RUN=1");
    ground.policy(&rule("git push --force origin main"));
    let answer: serde_json::Value =
        serde_json::from_slice(&ground.hook(&ground.bash("make deploy")).stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    assert_eq!(answer["hookSpecificOutput"].get("updatedInput"), None);
}
