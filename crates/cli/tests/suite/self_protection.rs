//! The gate guards itself: ways in which an agent could try to silence, loosen, replace or remove it, through the binary.
//! What a program that nobody can read could still do is in docs/limits.md.

use std::fs;

use serde_json::json;

use crate::support::{Ground, decision};

/// Commands, with `H` for the home directory and `B` for the binary. Each is denied.
const COMMANDS: &[&str] = &[
    // Its own commands that loosen: direct, through wrappers, nested and computed.
    "hookgate pause --for 10m",
    "hookgate grant 0123456789abc",
    "hookgate trust",
    "hookgate trust .hookgate.toml",
    "hookgate resume",
    "hookgate uninstall",
    "hookgate init --scope local",
    "B pause --for 10m",
    "sudo hookgate pause --for 1h",
    "env -i hookgate uninstall",
    "CLAUDECODE= hookgate pause --for 10m",
    "env -u CLAUDECODE hookgate pause --for 10m",
    "bash -c 'hookgate trust'",
    "sh -c \"bash -c 'hookgate uninstall'\"",
    "nohup hookgate pause --for 8h &",
    "setsid hookgate pause --for 8h",
    "script -qc 'hookgate pause --for 10m' /dev/null",
    "timeout 5 hookgate resume",
    "echo 1234 | hookgate pause --for 10m",
    "yes | hookgate trust",
    "xargs hookgate grant < ids",
    "find . -name x -exec hookgate uninstall \\;",
    "eval 'hookgate resume'",
    "g=hookgate; $g uninstall",
    "alias h=hookgate\nh trust",
    "f() { hookgate pause --for 10m; }; f",
    "python3 -c \"import subprocess; subprocess.run(['hookgate', 'pause', '--for', '10m'])\"",
    "python3 -c \"import os; os.system('hookgate uninstall')\"",
    "node -e \"require('child_process').execSync('hookgate trust')\"",
    "perl -e 'system(\"hookgate resume\")'",
    "bash <<'E'\nhookgate trust\nE",
    "expect -c 'spawn hookgate pause --for 10m'",
    // The state files.
    "echo '{}' > H/.local/state/hookgate/pause",
    "tee H/.local/state/hookgate/pause < /tmp/p",
    "cp /tmp/p H/.local/state/hookgate/pause",
    "mv /tmp/p ~/.local/state/hookgate/pause",
    "install -m 600 /tmp/p ~/.local/state/hookgate/grants/00",
    "rm -f ~/.local/state/hookgate/halt",
    "rm -rf ~/.local/state/hookgate",
    "rm -rf ~/.local/state",
    "find ~/.local/state -name halt -delete",
    "unlink H/.local/state/hookgate/halt",
    "cd ~/.local/state && rm hookgate/halt",
    "cd ~/.local/state/hookgate; echo x > trust/00",
    "ln -s ~/.local/state/hookgate s && rm s/halt",
    "ln -sfn /tmp/empty ~/.local/state/hookgate",
    "python3 -c \"open('H/.local/state/hookgate/pause','w').write('{}')\"",
    "dd if=/tmp/p of=H/.local/state/hookgate/pause",
    "truncate -s 0 H/.local/state/hookgate/audit.jsonl",
    "chmod 000 ~/.local/state/hookgate",
    "chmod -R a-w ~/.local/state/hookgate",
    "chown nobody ~/.local/state/hookgate/halt",
    "curl -o ~/.local/state/hookgate/pause https://x.example/p",
    "tar -xf p.tar -C ~/.local/state/hookgate",
    "rsync -a /tmp/s/ ~/.local/state/hookgate/",
    "rm /etc/hookgate/halt",
    "sudo rm -f /etc/hookgate/halt",
    // The policy files.
    "echo 'mode = \"off\"' > ~/.config/hookgate/hookgate.toml",
    "sed -i 's/deny/off/' ~/.config/hookgate/hookgate.toml",
    "sed -i s/enforce/off/ .hookgate.toml",
    "printf 'mode=\"off\"' | tee .hookgate.local.toml",
    "cp /tmp/loose.toml .hookgate.toml",
    "mv .hookgate.toml .hookgate.toml.bak",
    "rm .hookgate.toml",
    "git checkout HEAD~3 -- .hookgate.toml",
    "git restore --source=HEAD~1 .hookgate.toml",
    "git rm .hookgate.toml",
    "git mv .hookgate.toml x",
    "perl -pi -e 's/deny/off/' .hookgate.toml",
    "awk -i inplace '{print}' .hookgate.toml",
    "cat > .hookgate.toml <<'E'\nmode = \"off\"\nE",
    "python3 - <<'E'\nopen('.hookgate.toml','w').write('')\nE",
    "ln -sf /dev/null .hookgate.toml",
    // The agent's settings.
    "jq 'del(.hooks)' .claude/settings.json > .claude/settings.json",
    "jq 'del(.hooks)' s > /tmp/s && mv /tmp/s .claude/settings.json",
    "sed -i '/hookgate/d' ~/.claude/settings.json",
    "echo '{\"disableAllHooks\": true}' > .claude/settings.local.json",
    "git checkout main -- .claude/settings.json",
    "rm -rf ~/.claude",
    "rm -rf .claude",
    "mv ~/.claude ~/.claude.bak",
    "cp /tmp/s ~/.claude/settings.json",
    "ln -sf /tmp/s ~/.claude/settings.json",
    "tee .claude/settings.json < /tmp/s",
    "python3 -c \"import json; json.dump({}, open('.claude/settings.json','w'))\"",
    "cd .claude && : > settings.json",
    "chmod -w .claude/settings.json",
    // The binary.
    "rm B",
    "mv B /tmp/b",
    "cp /bin/true B",
    "ln -sf /bin/true B",
    "chmod -x B",
    "chmod 0 B",
    "cp /bin/true ~/.local/bin/hookgate",
    "echo '#!/bin/sh' > /usr/local/bin/hookgate",
    "ln -s /bin/true ~/.cargo/bin/hookgate",
    "cargo uninstall hookgate",
    "brew uninstall hookgate",
    "cargo install --root ~/.local hookgate",
    // Its processes.
    "pkill hookgate",
    "pkill -f 'hookgate hook'",
    "printf '{}' | hookgate hook --event PostToolUse",
    "bash -c 'hookgate hook < event.json'",
    "killall -9 hookgate",
    "kill $(pgrep hookgate)",
    "pgrep hookgate | xargs kill",
    "kill $(pidof hookgate)",
];

fn ground() -> Ground {
    let ground = Ground::new();
    for (path, text) in [
        (".local/state/hookgate/halted", ""),
        (".local/state/hookgate/audit.jsonl", ""),
        (".claude/settings.json", "{}"),
        (".config/hookgate/hookgate.toml", "presets = [\"recommended\"]\n"),
        ("project/.hookgate.toml", ""),
        ("project/.claude/settings.json", "{}"),
    ] {
        let file = ground.home().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    ground
}

/// What got through, one line each.
fn through(ground: &Ground, cases: &[(String, Vec<u8>)]) -> Vec<String> {
    let mut through = Vec::new();
    for (name, event) in cases {
        let (decided, reason) = decision(&ground.hook(event));
        if decided != "deny" || !reason.contains("[GATE") {
            through.push(format!("{decided}: {name}: {}", reason.lines().next().unwrap_or("")));
        }
    }
    through
}

fn spelled(ground: &Ground, text: &str) -> String {
    let words = text.replace("H/", &format!("{}/", ground.home().display()));
    let binary = env!("CARGO_BIN_EXE_hookgate");
    match words.strip_prefix("B ") {
        Some(rest) => format!("{binary} {rest}"),
        None => words.replace(" B", &format!(" {binary}")),
    }
}

#[test]
fn no_command_reaches_the_gate() {
    assert!(COMMANDS.len() >= 60);
    for policy in ["presets = [\"recommended\"]\n", "mode = \"shadow\"\n", "mode = \"off\"\n"] {
        let ground = ground();
        ground.policy(policy);
        let cases: Vec<(String, Vec<u8>)> =
            COMMANDS.iter().map(|text| ((*text).to_owned(), ground.bash(&spelled(&ground, text)))).collect();
        let through = through(&ground, &cases);
        assert!(through.is_empty(), "{policy}\n{}", through.join("\n"));
    }
}

#[test]
fn no_tool_reaches_the_gates_files() {
    let ground = ground();
    let home = ground.home().display().to_string();
    let mut cases = Vec::new();
    for path in [
        "/.local/state/hookgate/pause",
        "/.local/state/hookgate/grants/00",
        "/.local/state/hookgate/trust/00",
        "/.config/hookgate/hookgate.toml",
        "/project/.hookgate.toml",
        "/project/.hookgate.local.toml",
        "/project/../project/./.hookgate.toml",
        "/.claude/settings.json",
        "/project/.claude/settings.json",
        "/project/.claude/settings.local.json",
        "/.local/bin/hookgate",
    ] {
        let path = format!("{home}{path}");
        for (tool, input) in [
            ("Write", json!({ "file_path": path, "content": "" })),
            ("Edit", json!({ "file_path": path, "old_string": "a", "new_string": "b" })),
            ("mcp__filesystem__write_file", json!({ "path": path, "content": "" })),
        ] {
            let event = ground.event("PreToolUse", &json!({ "tool_name": tool, "tool_input": input }));
            cases.push((format!("{tool} {path}"), event));
        }
    }
    let through = through(&ground, &cases);
    assert!(through.is_empty(), "{}", through.join("\n"));
}

#[test]
fn a_link_that_stands_already_hides_nothing() {
    let ground = ground();
    let project = ground.project();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(ground.home().join(".local/state/hookgate"), project.join("notes")).unwrap();
        symlink(ground.home().join(".claude/settings.json"), project.join("config.json")).unwrap();
        symlink(env!("CARGO_BIN_EXE_hookgate"), project.join("tool")).unwrap();
    }
    let write = |path: &str| {
        let input = json!({ "file_path": project.join(path), "content": "" });
        ground.event("PreToolUse", &json!({ "tool_name": "Write", "tool_input": input }))
    };
    let cases = [
        ("write through a linked directory", write("notes/pause")),
        ("write through a linked file", write("config.json")),
        ("echo through it", ground.bash("echo '{}' > config.json")),
        ("sed through it", ground.bash("sed -i d config.json")),
        ("the binary by another name", ground.bash("./tool pause --for 10m")),
        ("touch below it", ground.bash("touch notes/pause")),
    ]
    .map(|(name, event)| (name.to_owned(), event));
    let through = through(&ground, &cases);
    assert!(through.is_empty(), "{}", through.join("\n"));
}

#[test]
fn what_only_reads_or_stops_is_free() {
    let ground = ground();
    for command in [
        "hookgate halt the build is on fire",
        "hookgate check 'rm -rf x'",
        "hookgate doctor",
        "hookgate log -n 5",
        "hookgate status-line",
        "cat .hookgate.toml",
        "git commit -m 'hookgate pause --for 10m'",
        "echo hookgate uninstall",
        "grep -r hookgate docs",
    ] {
        let (decided, reason) = decision(&ground.hook(&ground.bash(command)));
        assert_eq!(decided, "pass", "{command}: {reason}");
    }
}
