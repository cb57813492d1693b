//! What a call leaves in files, what other sessions have there, and what an agent is told before it starts.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::support::{Ground, decision, document, feed};

fn git(ground: &Ground, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=n", "-c", "user.email=n@example.com"]).args(arguments);
    git.current_dir(ground.project()).env("HOME", ground.home());
    git.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    assert!(git.status().unwrap().success(), "git {arguments:?}");
}

/// A ground whose project is a repository with one commit.
fn repository() -> Ground {
    let ground = Ground::new();
    fs::remove_dir_all(ground.project().join(".git")).unwrap();
    git(&ground, &["init", "-q", "-b", "main", "."]);
    fs::create_dir_all(ground.project().join("src")).unwrap();
    fs::write(ground.project().join("src/theirs.txt"), "one\n").unwrap();
    git(&ground, &["add", "."]);
    git(&ground, &["commit", "-q", "-m", "x"]);
    ground
}

fn write(ground: &Ground, session: &str, path: &str, content: &str) -> Vec<u8> {
    let input = json!({ "file_path": ground.project().join(path), "content": content });
    ground.event("PreToolUse", &json!({ "session_id": session, "tool_name": "Write", "tool_input": input }))
}

const SESSIONS: &str = "[rules]\nSESS101 = \"ask\"\nSESS102 = \"ask\"\nSESS103 = \"ask\"\nSESS104 = \"ask\"\nSESS105 = \"ask\"\n";

#[test]
fn seven_findings_of_one_call_reach_the_model_with_line_and_column() {
    let ground = repository();
    ground.policy("[rules]\nSRC010 = \"deny\"\n");
    let steps: String = (1..=7).map(|number| format!("      - uses: acme/action-{number}@v1\n")).collect();
    let text = format!("on: push\npermissions: {{}}\njobs:\n  a:\n    steps:\n{steps}");
    let (decided, reason) = decision(&ground.hook(&write(&ground, "s1", ".github/workflows/a.yml", &text)));
    assert_eq!(decided, "deny", "{reason}");
    for number in 1..=7 {
        let line = number + 5;
        let found = format!(
            "`acme/action-{number}@v1`, a tag or branch that can be moved, in `.github/workflows/a.yml`, line {line}, column 9"
        );
        assert!(reason.contains(&found), "{number}: {reason}");
    }
    assert!(reason.len() < 10_000);
}

#[test]
fn a_file_that_could_be_read_is_not_broken_and_a_new_one_is_only_told() {
    let ground = repository();
    fs::write(ground.project().join("a.json"), "{\"a\": 1}\n").unwrap();
    let (decided, reason) = decision(&ground.hook(&write(&ground, "s1", "a.json", "{\"a\": 1,}\n")));
    assert_eq!(decided, "deny");
    assert!(
        reason.contains("[SRC001] breaks JSON (") && reason.contains("in `a.json`, line 1, column 9"),
        "{reason}"
    );
    let heredoc = ground.bash("cat > a.json <<'EOF'\n{\"a\": 1,}\nEOF");
    assert_eq!(decision(&ground.hook(&heredoc)).0, "deny");
    let new = document(&ground.hook(&write(&ground, "s1", "b.json", "{\n"))).unwrap();
    assert_eq!(new["hookSpecificOutput"]["permissionDecision"], json!(null), "{new}");
    assert!(new.to_string().contains("SRC002"), "{new}");
    assert_eq!(document(&ground.hook(&write(&ground, "s1", "c.json", "{}\n"))), None);
}

#[test]
fn another_session_is_named_before_its_work_is_taken() {
    let ground = repository();
    ground.policy(SESSIONS);
    let theirs = write(&ground, "other-session", "src/theirs.txt", "two\n");
    assert_eq!(document(&ground.hook(&theirs)), None);
    fs::write(ground.project().join("src/theirs.txt"), "two\n").unwrap();
    for (command, code) in [
        ("git stash", "SESS101"),
        ("git switch -c feat/x", "SESS102"),
        ("git checkout -- src/theirs.txt", "SESS103"),
        ("git add .", "SESS104"),
    ] {
        let (decided, reason) = decision(&ground.hook(&ground.bash(command)));
        assert_eq!(decided, "ask", "{command}");
        assert!(reason.contains(code) && reason.contains("`other-se`"), "{command}: {reason}");
    }
    // Its own session is no other one.
    let own = ground.event(
        "PreToolUse",
        &json!({ "session_id": "other-session", "tool_name": "Bash", "tool_input": { "command": "git stash" } }),
    );
    assert_eq!(decision(&ground.hook(&own)).0, "pass");
}

#[test]
fn sixty_four_processes_in_one_repository_lose_no_trace_and_tear_no_line() {
    let ground = repository();
    ground.policy(SESSIONS);
    std::thread::scope(|scope| {
        for number in 0..64 {
            let ground = &ground;
            scope.spawn(move || {
                let event = write(ground, &format!("s{}", number % 4), &format!("src/f{number}.txt"), "x\n");
                assert_eq!(document(&ground.hook(&event)), None);
            });
        }
    });
    let folder = ground.home().join(".local/state/hookgate/repositories");
    let repository = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let mut changed = Vec::new();
    for file in fs::read_dir(repository).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let trace: serde_json::Value = serde_json::from_str(line).unwrap();
            changed.push(trace["changed"][0].as_str().unwrap().to_owned());
        }
    }
    changed.sort();
    changed.dedup();
    assert_eq!(changed.len(), 64);
}

#[test]
fn a_brief_is_given_at_the_start_and_kept_in_a_file() {
    let ground = repository();
    ground.policy("brief = true\npresets = [\"recommended\", \"conventions\"]\n");
    let mut command = ground.command();
    command.args(["hook", "--event", "SessionStart"]);
    let started = feed(command, &ground.event("SessionStart", &json!({ "source": "startup" })));
    let context = document(&started).unwrap()["hookSpecificOutput"]["additionalContext"].to_string();
    assert!(context.contains("Commits: `type(scope): text`") && context.len() < 2_600, "{context}");

    let file = ground.project().join("AGENTS.md");
    fs::write(&file, "# Agents\n").unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(ground.run(&["brief", "--check", name]).status.code(), Some(1));
    assert_eq!(ground.run(&["brief", "--write", name]).status.code(), Some(0));
    assert_eq!(ground.run(&["brief", "--check", name]).status.code(), Some(0));
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Agents\n\n<!-- hookgate brief") && text.contains("Pull requests:"), "{text}");
}

#[test]
fn what_takes_files_away_does_not_take_the_policy() {
    let ground = repository();
    let decided = |command: &str| {
        let input = json!({ "tool_name": "Bash", "tool_input": { "command": command } });
        let answer = ground.hook(&ground.event("PreToolUse", &input));
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        (text.contains("\"permissionDecision\":\"deny\""), text)
    };
    let policy = ground.project().join(".hookgate.toml");
    let denied = |commands: &[&str]| {
        for command in commands {
            let (denied, text) = decided(command);
            assert!(denied && text.contains("GATE001"), "{command}: {text}");
        }
    };
    let free = |commands: &[&str]| {
        for command in commands {
            let (_, text) = decided(command);
            assert!(!text.contains("GATE001"), "{command}: {text}");
        }
    };
    fs::write(&policy, "[protect]\ndeny-write = [\"migrations/**\"]\n").unwrap();
    denied(&[
        "git stash push -u -- .hookgate.toml",
        "git stash push -u -- '.hook*'",
        "git stash push -u -- :/",
        "git stash push -a",
        "git stash save -u x",
        "git add -A; git stash",
        "git add .hookgate.toml; git reset --hard",
        "git clean -fd",
    ]);
    // It isn't known to git.
    free(&["git stash", "git stash push -u -- src"]);
    git(&ground, &["add", "."]);
    denied(&[
        "git stash",
        "git stash -S",
        "git reset --hard",
        "git checkout -f",
        "git switch --discard-changes main",
    ]);
    git(&ground, &["commit", "-q", "-m", "y"]);
    free(&[
        "git stash",
        "git stash -u",
        "git stash push -a",
        "git stash && git stash pop",
        "git reset --hard",
        "git clean -fd",
    ]);
    fs::write(&policy, "").unwrap();
    denied(&["git stash", "git reset --hard"]);
    free(&["git stash push -- src"]);
}
