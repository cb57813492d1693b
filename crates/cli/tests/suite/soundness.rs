//! What a command is said to write and delete contains what it does write and delete: commands that touch nothing but a
//! fresh directory run there for real, and the tree before and after is compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::bypass::{table, texts};
use crate::support;

/// Every path below the folder, with its content or what it links to.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let kind = path.symlink_metadata().unwrap();
            let content = if kind.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else if kind.is_symlink() {
                fs::read_link(&path).unwrap().to_str().unwrap().as_bytes().to_vec()
            } else {
                fs::read(&path).unwrap_or_default()
            };
            found.insert(path.to_str().unwrap().to_owned(), content);
        }
    }
    found
}

/// A directory with a few files and a repository of git in it, all of it new.
fn ground() -> tempfile::TempDir {
    let ground = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for (name, text) in [
        ("a.txt", "one\ntwo\n"),
        ("b.txt", "three\n"),
        ("d/c.txt", "four\n"),
        ("d/e/f.txt", "five\n"),
        ("g.log", "x\n"),
    ] {
        let path = ground.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    ground
}

fn bash(folder: &Path, text: &str) -> bool {
    let mut command = Command::new("timeout");
    command.args(["10", "bash", "-c", text]).current_dir(folder).env_clear();
    command.env("HOME", folder).env("PATH", "/usr/local/bin:/usr/bin:/bin").env("GIT_CONFIG_NOSYSTEM", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().unwrap().success()
}

/// The targets of the effects that change files.
fn predicted(folder: &Path, text: &str) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookgate"));
    command.args(["check", "--batch", "--isolated", "--cwd"]).arg(folder);
    command.current_dir(folder).env_clear().env("HOME", folder).env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let line = format!("{}\n", json!({ "command": text }));
    let output = support::feed(command, line.as_bytes());
    let judged: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kinds =
        ["write", "append", "delete", "move", "link", "destroy", "git-discard", "git-change", "git-commit"];
    let effects = judged["effects"].as_array().unwrap().iter().filter_map(Value::as_str);
    effects
        .filter_map(|effect| {
            let (kind, target) = effect.split_once(' ').unwrap_or((effect, ""));
            let target = if target.starts_with('/') { target } else { folder.to_str().unwrap() };
            kinds.contains(&kind).then(|| target.trim_end_matches('/').to_owned())
        })
        .collect()
}

/// Is the path the target, below it, a directory made for it, a file named after it beside it (`a.gz`), or one that its
/// pattern stands for?
fn covers(target: &str, path: &str) -> bool {
    let fixed = target.split(['*', '?', '[', '{']).next().unwrap_or(target);
    path.starts_with(fixed) || target.starts_with(&format!("{path}/"))
}

#[test]
fn what_happens_was_said_before() {
    if cfg!(not(target_os = "linux")) {
        eprintln!("skipped: the commands are those of Linux");
        return;
    }
    let file = table(include_str!("soundness.toml"));
    let (mut ran, mut said, mut touched) = (0, 0, 0);
    let mut unsaid = Vec::new();
    for command in texts(&file["run"]) {
        let ground = ground();
        let folder = ground.path().canonicalize().unwrap();
        if command.starts_with("git ") {
            bash(
                &folder,
                "git init -q && git add . && git -c user.name=a -c user.email=a@b.c commit -qm x && echo z >> a.txt",
            );
        }
        let targets = predicted(&folder, &command);
        let before = tree(&folder);
        if !bash(&folder, &command) {
            continue;
        }
        let after = tree(&folder);
        ran += 1;
        let mut changed: Vec<&String> =
            before.keys().filter(|path| after.get(*path) != before.get(*path)).collect();
        changed.extend(after.keys().filter(|path| !before.contains_key(*path)));
        // What git keeps for itself is part of what its effects mean.
        changed.retain(|path| !path.contains("/.git/"));
        for path in &changed {
            if !targets.iter().any(|target| covers(target, path)) {
                unsaid.push(format!("{command}\n    changed {path}, said {targets:?}"));
            }
        }
        said += targets.len();
        touched += targets.iter().filter(|target| changed.iter().any(|path| covers(target, path))).count();
    }
    println!("{ran} commands ran; {touched} of {said} predicted targets were touched");
    assert!(unsaid.is_empty(), "{} changes were not said:\n{}", unsaid.len(), unsaid.join("\n"));
    assert!(ran >= 100, "only {ran} commands ran");
    assert!(touched * 100 >= said * 80, "only {touched} of {said} predicted targets were touched");
}
