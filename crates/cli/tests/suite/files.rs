//! Protected settings, linters after an edit, and protected files at the end of a turn.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Ground, decision, document, feed, write_program};

/// `PATH` with the linters of `scripts/install-linters.sh` first.
fn path() -> String {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/linters");
    let own = [target.join("venv/bin"), target.join("node_modules/.bin")];
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let all: Vec<PathBuf> = own.into_iter().chain(std::env::split_paths(&usual)).collect();
    std::env::join_paths(all).unwrap().into_string().unwrap()
}

/// Is that linter there?
fn has(tool: &str) -> bool {
    let works = Command::new(tool).arg("--version").env("PATH", path()).output().is_ok();
    hookgate_testing::needs(tool, works)
}

fn hook(ground: &Ground, event: &str, fields: &Value) -> Option<Value> {
    let mut command = ground.command();
    command.args(["hook", "--event", event, "--deadline", "60s"]).env("PATH", path());
    for name in ["CARGO_HOME", "RUSTUP_HOME"] {
        let usual = Path::new(&std::env::var("HOME").unwrap_or_default())
            .join(format!(".{}", name.trim_end_matches("_HOME").to_lowercase()));
        command.env(name, std::env::var(name).map_or(usual, PathBuf::from));
    }
    document(&feed(command, &ground.event(event, fields)))
}

/// The answer to an edit that has just changed a file from one text to another.
fn edited(ground: &Ground, name: &str, before: &str, after: &str) -> Option<Value> {
    let path = ground.project().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, after).unwrap();
    let input = json!({ "file_path": path, "old_string": before, "new_string": after });
    let response = json!({ "filePath": path, "originalFile": before, "structuredPatch": [] });
    hook(
        ground,
        "PostToolUse",
        &json!({ "tool_name": "Edit", "tool_use_id": "t1", "tool_input": input, "tool_response": response }),
    )
}

fn reason(answer: &Value) -> &str {
    assert_eq!(answer["decision"], "block", "{answer}");
    answer["reason"].as_str().unwrap()
}

fn edit(ground: &Ground, tool: &str, input: &Value) -> (String, String) {
    let fields = json!({ "tool_name": tool, "tool_use_id": "t1", "tool_input": input });
    decision(&ground.hook(&ground.event("PreToolUse", &fields)))
}

#[test]
fn a_weaker_setting_is_refused_by_every_tool_and_a_stricter_one_passes() {
    let ground = Ground::new();
    ground.policy("presets = [\"recommended\", \"linters\"]");
    let file = ground.project().join("ruff.toml");
    fs::write(&file, "line-length = 100\nlint.ignore = [\"E501\"]\n").unwrap();
    let (found, why) =
        edit(&ground, "Edit", &json!({ "file_path": file, "old_string": "= 100", "new_string": "= 200" }));
    assert_eq!(found, "deny");
    assert!(
        why.contains("[CONF001] weakens `ruff` in `ruff.toml`: `line-length` from `100` to `200`"),
        "{why}"
    );
    let stricter =
        json!({ "file_path": "src/../ruff.toml", "old_string": "= 100", "new_string": "=   80 # less" });
    assert_eq!(edit(&ground, "Edit", &stricter).0, "pass");
    for command in [
        "sed -i s/100/200/ ruff.toml",
        "cat > ruff.toml <<'EOF'\nlint.select = []\nEOF",
        "python3 -c \"open('ruff.toml','w').write('')\"",
        "cp /tmp/mine.toml ruff.toml",
        "rm ruff.toml",
        "mkdir -p src && echo 'lint.ignore = [\"ALL\"]' > src/.ruff.toml",
        "ln -sf /dev/null ruff.toml",
        "sed -i s/100/200/ *.toml",
        "find . -name '*.toml' -exec sed -i s/100/200/ {} +",
        "find . -name 'ruff*' | xargs sed -i s/100/200/",
        "git ls-files | xargs sed -i s/100/200/",
    ] {
        let (found, why) = decision(&ground.hook(&ground.bash(command)));
        assert_eq!(found, "deny", "{command}");
        assert!(why.contains("[CONF001]"), "{command}: {why}");
    }
    let passed = decision(&ground.hook(&ground.bash("find . -name '*.rs' -exec sed -i s/100/200/ {} +")));
    assert_eq!(passed.0, "pass", "{}", passed.1);
    // A new file takes the place of the settings that were there, however strict it is itself.
    for (name, text) in [(".ruff.toml", ""), ("src/ruff.toml", "line-length = 40\n")] {
        let (found, why) = edit(&ground, "Write", &json!({ "file_path": name, "content": text }));
        assert_eq!(found, "deny", "{name}");
        let what =
            format!("[CONF001] adds `{name}`, which takes the place of the settings that `ruff` has there");
        assert!(why.contains(&what), "{why}");
    }
    fs::write(ground.project().join("package.json"), "{\"name\": \"a\", \"eslintConfig\": {}}").unwrap();
    let ignores = json!({ "file_path": "package.json", "old_string": "{\"name", "new_string": "{\"eslintIgnore\": [\"src\"], \"name" });
    let (found, why) = edit(&ground, "Edit", &ignores);
    assert!(found == "deny" && why.contains("changes `eslintIgnore` of `package.json`"), "{why}");
    // A member that takes over what the workspace says takes nothing away, and neither do a linter's first settings.
    fs::write(ground.project().join("Cargo.toml"), "[workspace.lints.clippy]\nall = \"deny\"\n").unwrap();
    for (name, text) in [("app/Cargo.toml", "[lints]\nworkspace = true\n"), (".prettierrc", "{}")] {
        let (found, why) = edit(&ground, "Write", &json!({ "file_path": name, "content": text }));
        assert_eq!(found, "pass", "{name}: {why}");
    }
    // A first file that only leaves others out does.
    for (name, text) in [(".prettierignore", "src\n"), (".eslintignore", "src\n")] {
        let (found, why) = edit(&ground, "Write", &json!({ "file_path": name, "content": text }));
        assert!(found == "deny" && why.contains("[CONF001]"), "{name}: {why}");
    }
    for (flags, wanted) in
        [("[build]\nrustflags = [\"-A\", \"warnings\"]\n", "deny"), ("[build]\njobs = 2\n", "pass")]
    {
        let (found, why) =
            edit(&ground, "Write", &json!({ "file_path": ".cargo/config.toml", "content": flags }));
        assert_eq!(found, wanted, "{flags}: {why}");
    }
    for command in ["cat ruff.toml", "ruff check .", "git commit -m 'ruff.toml: line-length = 200'"] {
        assert_ne!(decision(&ground.hook(&ground.bash(command))).0, "deny", "{command}");
    }
    let ignored = json!({ "file_path": "a.py", "content": "import os  # noqa: F401\n" });
    let (found, why) = edit(&ground, "Write", &ignored);
    assert_eq!(found, "ask");
    assert!(
        why.contains("[CONF002] adds `# noqa` to `a.py` on line 1, which turns `ruff` off there"),
        "{why}"
    );
}

#[test]
fn a_link_to_protected_settings_protects_them_too() {
    let ground = Ground::new();
    ground.policy("[[protect]]\npaths = \"settings/limits.json\"\n");
    fs::create_dir(ground.project().join("settings")).unwrap();
    fs::write(ground.project().join("settings/limits.json"), "{\"most\": 3}\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("settings/limits.json", ground.project().join("link.json")).unwrap();
    let input = json!({ "file_path": "link.json", "old_string": "3", "new_string": "4" });
    let (found, why) = edit(&ground, "Edit", &input);
    assert_eq!(found, "deny");
    assert!(
        why.contains("changes `settings/limits.json`, which is protected: `most` from `3` to `4`"),
        "{why}"
    );
}

#[test]
fn a_finding_of_any_linter_reaches_the_model_once_and_old_ones_dont() {
    let ground = Ground::new();
    write_program(
        &ground.project().join("check.sh"),
        "#!/bin/sh\nfor file; do grep -n bad \"$file\" | sed \"s|^\\([0-9]*\\):.*|$file:\\1:1: X1 holds what is bad|\"; done\n",
    );
    ground.policy(
        "[[lint]]\nfiles = \"*.txt\"\nrun = [\"./check.sh\", \"{files}\"]\n\
         output = { shape = \"pattern\", pattern = '(?m)^(?<file>[^:]+):(?<line>\\d+):(?<column>\\d+): (?<code>\\w+) (?<message>.+)$' }\n",
    );
    let answer = edited(&ground, "a.txt", "bad\n", "bad\nstill bad\n").unwrap();
    let why = reason(&answer);
    assert!(why.contains("[LINT] check.sh X1 in `a.txt`, line 2, column 1: holds what is bad"), "{why}");
    assert!(!why.contains("line 1,"), "the old one is none of this edit's: {why}");
    assert_eq!(edited(&ground, "a.txt", "bad\nstill bad\n", "bad\ngood\n"), None);
    let records = fs::read_to_string(ground.audit()).unwrap();
    let timed = "\"linters\":[{\"tool\":\"check.sh\",\"phase\":\"check\",\"millis\":";
    assert_eq!(records.matches(timed).count(), 2, "what finds nothing takes time as well: {records}");
    assert_eq!(edited(&ground, "a.rb", "", "bad\n"), None, "no entry names it");
    let found = ground.run(&["lint", "a.txt", "--output", "github"]);
    assert_eq!(found.status.code(), Some(1));
    let shown = String::from_utf8_lossy(&found.stdout).into_owned();
    assert_eq!(shown, "::error file=a.txt,line=1,col=1,title=check.sh X1::holds what is bad\n");
}

#[test]
fn a_linter_that_is_missing_or_fails_is_told_once_and_stops_nothing() {
    let ground = Ground::new();
    write_program(&ground.project().join("broken.sh"), "#!/bin/sh\necho 'no such option' >&2\nexit 3\n");
    ground.policy(
        "[[lint]]\nfiles = \"*.txt\"\nrun = [\"./broken.sh\", \"{files}\"]\noutput = { shape = \"sarif\" }\n\
         [[lint]]\nfiles = \"*.txt\"\nrun = [\"not-installed-here\", \"{files}\"]\noutput = { shape = \"sarif\" }\n",
    );
    let answer = edited(&ground, "a.txt", "", "x\n").unwrap();
    let shown = answer["systemMessage"].as_str().unwrap();
    assert!(shown.contains("the linter `not-installed-here` isn't installed here"), "{shown}");
    assert!(shown.contains("the linter `broken.sh` exited with 3: no such option"), "{shown}");
    assert_eq!(answer.get("decision"), None);
    assert_eq!(edited(&ground, "a.txt", "x\n", "y\n"), None, "once per session");
}

#[test]
fn linters_of_a_repository_run_only_when_it_is_trusted() {
    let ground = Ground::new();
    write_program(&ground.project().join("check.sh"), "#!/bin/sh\ntouch ran\n");
    fs::write(
        ground.project().join(".hookgate.toml"),
        "[[lint]]\nfiles = \"*.txt\"\nrun = [\"./check.sh\", \"{files}\"]\noutput = { shape = \"sarif\" }\n",
    )
    .unwrap();
    let answer = edited(&ground, "a.txt", "", "x\n").unwrap();
    assert!(answer["systemMessage"].as_str().unwrap().contains("its linters don't run"), "{answer}");
    assert!(!ground.project().join("ran").exists());
}

#[test]
fn a_delegate_works_on_what_is_left_and_its_own_edits_start_no_other() {
    let ground = Ground::new();
    let project = ground.project();
    write_program(
        &project.join("check.sh"),
        "#!/bin/sh\ngrep -q bad \"$1\" && echo \"$1:1:1: X1 bad\"\nexit 0\n",
    );
    write_program(
        &project.join("fixer.sh"),
        "#!/bin/sh\ncat > task\necho \"$HOOKGATE_DELEGATED\" > guard\nsed -i s/bad/good/ a.txt\n",
    );
    ground.policy(
        "[[lint]]\nfiles = \"*.txt\"\nrun = [\"./check.sh\", \"{files}\"]\n\
         output = { shape = \"pattern\", pattern = '(?m)^(?<file>[^:]+):(?<line>\\d+):(?<column>\\d+): (?<code>\\w+) (?<message>.+)$' }\n\
         delegate = [{ run = [\"./fixer.sh\"], codes = \"X*\" }]\n",
    );
    assert_eq!(edited(&ground, "a.txt", "", "bad\n"), None, "the delegate corrected it");
    assert_eq!(fs::read_to_string(project.join("a.txt")).unwrap(), "good\n");
    assert_eq!(fs::read_to_string(project.join("guard")).unwrap(), "1\n");
    let task = fs::read_to_string(project.join("task")).unwrap();
    assert!(
        task.contains("add no comment that turns a linter off") && task.contains("\"code\":\"X1\""),
        "{task}"
    );
}

#[test]
fn real_linters_format_correct_and_report_what_is_new() {
    let ground = Ground::new();
    ground.policy("[[lint]]\nuse = [\"ruff\", \"shellcheck\", \"taplo\", \"biome\", \"yamllint\"]\ndeadline = \"60s\"\n");
    if has("ruff") {
        let answer = edited(&ground, "a.py", "x = 1\n", "import os\nx = 1\nprint( undefined )\n").unwrap();
        assert!(reason(&answer).contains("ruff F821 in `a.py`, line 2"), "{answer}");
        let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
        assert!(context.contains("linters have formatted or corrected `a.py`; read it again"), "{context}");
        let text = fs::read_to_string(ground.project().join("a.py")).unwrap();
        assert_eq!(text, "x = 1\nprint(undefined)\n", "formatted, and the unused import is gone");
        assert_eq!(edited(&ground, "a.py", &text, "x = 1\nprint(x)\n"), None, "corrected");
        let old = "print(undefined)\n";
        assert_eq!(edited(&ground, "b.py", old, "print(undefined)\nx = 2\n"), None, "an old finding");
    }
    if has("shellcheck") {
        let answer =
            edited(&ground, "a.sh", "#!/bin/bash\necho $1\n", "#!/bin/bash\necho $1\nls $2\n").unwrap();
        assert!(reason(&answer).contains("shellcheck SC2086 in `a.sh`, line 3"), "{answer}");
        assert!(!reason(&answer).contains("line 2,"), "{answer}");
    }
    if has("taplo") {
        let answer = edited(&ground, "a.toml", "", "a = \n").unwrap();
        assert!(reason(&answer).contains("taplo in `a.toml`, line 1, column 5: invalid TOML"), "{answer}");
    }
    if has("biome") {
        let answer = edited(&ground, "a.js", "", "if (a == 2) { debugger }\n").unwrap();
        assert!(reason(&answer).contains("biome lint/suspicious/noDebugger in `a.js`"), "{answer}");
    }
    if has("yamllint") {
        let answer = edited(&ground, "a.yml", "---\na: 1\n", "---\na: 1\nb: yes\n").unwrap();
        assert!(reason(&answer).contains("yamllint truthy in `a.yml`, line 3"), "{answer}");
    }
}

#[test]
fn clippy_checks_the_package_around_the_edited_file() {
    if !hookgate_testing::has("cargo", &["clippy", "--version"]) {
        return;
    }
    let ground = Ground::new();
    ground.policy("[[lint]]\nuse = \"clippy\"\ndeadline = \"60s\"\n");
    let package = ground.project().join("tool");
    fs::create_dir_all(package.join("src")).unwrap();
    fs::write(
        package.join("Cargo.toml"),
        "[package]\nname = \"tool\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    )
    .unwrap();
    let text = "fn main() {\n    let list = vec![1];\n    if list.len() == 0 {}\n}\n";
    let answer = edited(&ground, "tool/src/main.rs", "fn main() {}\n", text).unwrap();
    assert!(reason(&answer).contains("clippy clippy::len_zero in `tool/src/main.rs`, line 3"), "{answer}");
}

/// A session that began with these protected settings.
fn session() -> (Ground, PathBuf) {
    let ground = Ground::new();
    ground.policy("presets = [\"recommended\", \"linters\"]");
    let file = ground.project().join("ruff.toml");
    fs::write(&file, "line-length = 100\n").unwrap();
    hook(&ground, "SessionStart", &json!({ "source": "startup" }));
    (ground, file)
}

fn stop(ground: &Ground) -> Option<String> {
    let answer = hook(ground, "Stop", &json!({ "stop_hook_active": false }))?;
    Some(reason(&answer).to_owned())
}

/// The question that the directive dictates.
fn question(reason: &str) -> String {
    let from = reason.find("exactly this question: `").unwrap() + "exactly this question: `".len();
    reason[from..].split('`').next().unwrap().to_owned()
}

fn answer(ground: &Ground, question: &str, options: [&str; 2], chosen: &str) -> Option<Value> {
    let options = options.map(|label| json!({ "label": label, "description": "" }));
    let input = json!({ "questions": [{ "question": question, "header": "Settings", "options": options, "multiSelect": false }] });
    let response = json!({ "questions": input["questions"], "answers": { question: chosen } });
    let fields = json!({ "tool_name": "AskUserQuestion", "tool_use_id": "q", "tool_input": input, "tool_response": response });
    hook(ground, "PostToolUse", &fields)
}

#[test]
fn the_end_of_a_turn_is_held_back_until_the_user_keeps_what_changed() {
    let (ground, file) = session();
    assert_eq!(stop(&ground), None);
    fs::write(&file, "line-length = 200\n").unwrap();
    let why = stop(&ground).unwrap();
    assert!(
        why.contains("[GUARD] protected settings in `ruff.toml` changed since the session began: `line-length` from `100` to `200`"),
        "{why}"
    );
    let question = question(&why);
    assert!(question.ends_with("Keep the changed protected settings in ruff.toml?"), "{question}");
    // The agent's word, another question, other options and other answers count for nothing.
    for (asked, options, chosen) in [
        ("Keep?", ["Keep", "Restore"], "Keep"),
        (question.as_str(), ["Keep", "Correct the code"], "Keep"),
        (question.as_str(), ["Keep", "Restore"], "Keep it"),
    ] {
        assert_eq!(answer(&ground, asked, options, chosen), None, "{asked} {options:?} {chosen}");
        assert!(stop(&ground).is_some());
    }
    let told = answer(&ground, &question, ["Restore", "Keep"], "Keep").unwrap();
    assert!(told.to_string().contains("the user keeps the changed `ruff.toml`"), "{told}");
    assert_eq!(stop(&ground), None);
    fs::write(&file, "line-length = 300\n").unwrap();
    assert!(stop(&ground).is_some(), "an approval is of one content");
}

#[test]
fn restore_puts_the_old_settings_back_after_a_backup() {
    let (ground, file) = session();
    let nested = ground.project().join("src/ruff.toml");
    fs::create_dir_all(nested.parent().unwrap()).unwrap();
    fs::write(&nested, "lint.ignore = [\"ALL\"]\n").unwrap();
    fs::remove_file(&file).unwrap();
    let why = stop(&ground).unwrap();
    assert!(
        why.contains("the protected file `ruff.toml` was deleted") && why.contains("src/ruff.toml"),
        "{why}"
    );
    answer(&ground, &question(&why), ["Keep", "Restore"], "Restore").unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "line-length = 100\n");
    assert!(!nested.exists());
    let state = ground.home().join(".local/state/hookgate/sessions/s1");
    let backups = fs::read_dir(state).unwrap().flatten().filter(|entry| {
        fs::read_to_string(entry.path()).is_ok_and(|text| text == "lint.ignore = [\"ALL\"]\n")
    });
    assert_eq!(backups.count(), 1);
    assert_eq!(stop(&ground), None);
}

#[test]
fn an_agent_cant_answer_for_the_user_and_what_changed_meanwhile_isnt_approved() {
    let (ground, file) = session();
    fs::write(&file, "line-length = 200\n").unwrap();
    let question = question(&stop(&ground).unwrap());
    let input = json!({ "questions": [], "answers": { question.as_str(): "Keep" } });
    let (found, why) = edit(&ground, "AskUserQuestion", &input);
    assert_eq!(found, "deny");
    assert!(why.contains("answers a question that only the user can answer"), "{why}");
    fs::write(&file, "line-length = 400\n").unwrap();
    answer(&ground, &question, ["Keep", "Restore"], "Keep");
    assert!(stop(&ground).is_some(), "the user was asked about another text");
    fs::write(&file, "line-length = 90\n").unwrap();
    assert_eq!(stop(&ground), None, "stricter than at the start");
}
