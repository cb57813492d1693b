//! `cargo xtask budget`: instructions of the hook on golden events, held to their budgets.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// What counts instructions.
const COUNTER: &str = "valgrind";

/// A golden event and what it may cost.
struct Golden {
    name: &'static str,
    /// The event's name.
    hook: &'static str,
    event: String,
    /// The project's policy; none where empty.
    policy: String,
    /// The user's policy; none where empty.
    own: String,
    /// How many other files the project has.
    files: usize,
    /// The project's settings of the agent; none where empty.
    settings: String,
    /// It is the first call of its session, at which the agent's settings are looked through once.
    first: bool,
    /// Millions of instructions of the whole process.
    budget: f64,
}

/// Measures every golden event under callgrind and fails above a budget. The table is printed either way.
pub(crate) fn run(workspace: &Path) -> Result<String, String> {
    if Command::new(COUNTER).arg("--version").stdout(Stdio::null()).status().is_err() {
        return Ok("skipped: valgrind is not installed (scripts/install-tools.sh installs it)".to_owned());
    }
    let binaries = crate::dist::build(workspace)?;
    let folder = binaries.join("budget");
    let _ = fs::remove_dir_all(&folder);
    let mut table = String::from("| event | million instructions | budget |\n|---|---|---|\n");
    let mut over = Vec::new();
    let bare =
        instructions(&binaries.join("bare"), &[], &Ground::new(&folder, &bash("a bare process", "", 0.3))?)?;
    let _ = writeln!(table, "| a bare process | {bare:.2} | - |");
    for golden in golden() {
        let ground = Ground::new(&folder, &golden)?;
        if !golden.first {
            let answer = hook(&binaries.join("hookgate"), golden.hook, &ground)?;
            // Under a policy that can't be read something else would be measured.
            if answer.contains("can't read its policy") {
                return Err(format!("{}: {answer}", golden.name));
            }
        }
        let used = least(&binaries.join("hookgate"), &golden, &ground)?;
        let _ = writeln!(table, "| {} | {used:.2} | {:.1} |", golden.name, golden.budget);
        if used > golden.budget {
            over.push(format!(
                "{}: {used:.2} M instructions, the budget is {:.1} M",
                golden.name, golden.budget
            ));
        }
    }
    if over.is_empty() {
        Ok(format!("{table}every event is within its budget"))
    } else {
        Err(format!("{table}{}", over.join("\n")))
    }
}

fn golden() -> Vec<Golden> {
    let commit = "git add -A && git commit -m \"$(cat <<'EOF'\nMend the parser\n\nIt read (too) much.\nEOF\n)\" && git push";
    vec![
        bash("Bash: git status", "git status", 0.5),
        bash("Bash: add, commit with a heredoc, push", commit, 1.2),
        bash("Bash: a denial", "sudo rm -rf /etc", 1.1),
        bash("Bash: ten paths", "cat a b c d e f g h i j", 0.5),
        Golden { policy: own_rules(40), ..bash("Bash: git status, 200-line policy", "git status", 1.8) },
        Golden {
            settings: native_rules(20_000),
            ..bash("Bash: git status, 20 KB of permission rules", "git status", 0.8)
        },
        Golden {
            settings: native_rules(20_000),
            first: true,
            ..bash("Bash: the same, the first call of a session", "git status", 4.0)
        },
        Golden { policy: own_rules(1000), ..bash("Bash: git status, 1,000 own rules", "git status", 20.0) },
        edited("Edit, done: no linter named", 1.0),
        Golden {
            own:
                "[[lint]]\nfiles = \"*.py\"\nrun = [\"true\", \"{files}\"]\noutput = { shape = \"sarif\" }\n"
                    .to_owned(),
            ..edited("Edit, done: one linter, in a project of 2,000 files", 3.0)
        },
        stop("Stop: no gate named", 1.0),
    ]
}

/// After an edit, in a project of 2,000 files.
fn edited(name: &'static str, budget: f64) -> Golden {
    let input =
        serde_json::json!({ "file_path": "@CWD@/a.py", "old_string": "x = 1", "new_string": "x = 2" });
    let response = serde_json::json!({ "filePath": "@CWD@/a.py", "oldString": "x = 1", "newString": "x = 2",
        "originalFile": "x = 1\n", "structuredPatch": [], "userModified": false, "replaceAll": false });
    let event = event(
        "PostToolUse",
        &serde_json::json!({ "tool_name": "Edit", "tool_use_id": "toolu_01",
        "tool_input": input, "tool_response": response }),
    );
    Golden { hook: "PostToolUse", event, files: 2_000, ..bash(name, "", budget) }
}

fn stop(name: &'static str, budget: f64) -> Golden {
    let fields = serde_json::json!({ "stop_hook_active": false, "last_assistant_message": "Done." });
    Golden { hook: "Stop", event: event("Stop", &fields), ..bash(name, "", budget) }
}

/// Settings of about that many bytes, all of them permission rules.
fn native_rules(bytes: usize) -> String {
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    let mut left = bytes;
    for index in 0_usize.. {
        let rule = if index % 4 == 0 {
            format!("Read(./private-{index}/**)")
        } else {
            format!("Bash(tool-{index} deploy:*)")
        };
        left = left.saturating_sub(rule.len() + 3);
        if left == 0 {
            break;
        }
        if let Some(list) = lists.get_mut(index % 3) {
            list.push(rule);
        }
    }
    let [deny, ask, allow] = lists;
    serde_json::json!({ "permissions": { "deny": deny, "ask": ask, "allow": allow } }).to_string()
}

/// A policy of that many rules, five lines each.
fn own_rules(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, index| {
        let _ = write!(
            text,
            "[[rule]]\ncode = \"OWN{index:04}\"\nwhen = {{ run = \"tool-{index} deploy **\" }}\nthen = \"deny\"\n\n"
        );
        text
    })
}

fn bash(name: &'static str, command: &str, budget: f64) -> Golden {
    let fields = serde_json::json!({ "tool_name": "Bash", "tool_use_id": "toolu_01",
        "tool_input": { "command": command, "description": "what it does" } });
    Golden {
        name,
        hook: "PreToolUse",
        event: event("PreToolUse", &fields),
        policy: String::new(),
        own: String::new(),
        files: 0,
        settings: String::new(),
        first: false,
        budget,
    }
}

/// An event with these fields beside those that every event has.
fn event(name: &str, fields: &serde_json::Value) -> String {
    let mut event = serde_json::json!({ "session_id": "0b1c", "transcript_path": "/t.jsonl", "cwd": "@CWD@",
        "permission_mode": "default", "hook_event_name": name });
    if let (Some(event), Some(fields)) = (event.as_object_mut(), fields.as_object()) {
        event.extend(fields.clone());
    }
    event.to_string()
}

/// A home and a project of their own, so that nothing of this machine is in the figure.
struct Ground {
    home: PathBuf,
    project: PathBuf,
    event: PathBuf,
}

impl Ground {
    fn new(folder: &Path, golden: &Golden) -> Result<Ground, String> {
        let ground = Ground {
            home: folder.join("home"),
            project: folder.join("project"),
            event: folder.join("event.json"),
        };
        let failed = |error: std::io::Error| error.to_string();
        // What an event before left behind, such as the last good copy of its policy, isn't part of this one.
        let _ = fs::remove_dir_all(&ground.home);
        let _ = fs::remove_dir_all(&ground.project);
        fs::create_dir_all(ground.project.join(".git")).map_err(failed)?;
        fs::write(ground.project.join(".git/HEAD"), "ref: refs/heads/main\n").map_err(failed)?;
        // The audit log exists: the first write of a machine's life is not what is measured.
        fs::create_dir_all(ground.home.join(".local/state/hookgate")).map_err(failed)?;
        fs::write(ground.home.join(".local/state/hookgate/audit.jsonl"), "").map_err(failed)?;
        settled(&ground.project.join(".hookgate.toml"), &golden.policy)?;
        settled(&ground.home.join(".config/hookgate/hookgate.toml"), &golden.own)?;
        for index in 0..golden.files {
            let folder = ground.project.join(format!("package{}", index % 50));
            fs::create_dir_all(&folder).map_err(failed)?;
            fs::write(folder.join(format!("module{index}.py")), "x = 1\n").map_err(failed)?;
        }
        if golden.files > 0 {
            fs::write(ground.project.join("a.py"), "x = 2\n").map_err(failed)?;
        }
        let settings = ground.project.join(".claude/settings.json");
        if golden.settings.is_empty() {
            let _ = fs::remove_file(&settings);
        } else {
            fs::create_dir_all(ground.project.join(".claude")).map_err(failed)?;
            fs::write(&settings, &golden.settings).map_err(failed)?;
        }
        let event = golden.event.replace("@CWD@", &ground.project.display().to_string());
        fs::write(&ground.event, format!("{event}\n")).map_err(failed)?;
        Ok(ground)
    }
}

/// Writes a policy, if there is one, as of a minute ago: one that was written just now may still be in the middle of being saved.
fn settled(path: &Path, policy: &str) -> Result<(), String> {
    if policy.is_empty() {
        return Ok(());
    }
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        fs::write(path, policy)?;
        File::options().append(true).open(path)?.set_modified(SystemTime::now() - Duration::from_secs(60))
    };
    write().map_err(|error| error.to_string())
}

/// Runs the hook once, and returns its answer.
fn hook(program: &Path, name: &str, ground: &Ground) -> Result<String, String> {
    let event = File::open(&ground.event).map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    let command = in_ground(command.args(["hook", "--event", name]), ground).stdin(event);
    let output = command.output().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Sets what a process sees of the machine.
fn in_ground<'c>(command: &'c mut Command, ground: &Ground) -> &'c mut Command {
    command
        .env_clear()
        .env("HOME", &ground.home)
        .env("PATH", "/usr/bin:/bin")
        .env("CLAUDE_PROJECT_DIR", &ground.project)
        .current_dir(&ground.project)
}

/// What a run costs. On a busy machine the watchdog looks more often before it is over, so that one above the budget is repeated.
fn least(program: &Path, golden: &Golden, ground: &Ground) -> Result<f64, String> {
    let arguments = ["hook", "--event", golden.hook, "--deadline", "60s"];
    let mut used = instructions(program, &arguments, ground)?;
    for _ in 0..4 {
        if used > golden.budget && !golden.first {
            used = used.min(instructions(program, &arguments, ground)?);
        }
    }
    Ok(used)
}

fn instructions(program: &Path, arguments: &[&str], ground: &Ground) -> Result<f64, String> {
    let event = File::open(&ground.event).map_err(|error| error.to_string())?;
    let mut command = Command::new(COUNTER);
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args(arguments);
    let output = in_ground(&mut command, ground).stdin(event).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        // What ended early was counted in part.
        return Err(format!("{} failed under callgrind ({}):\n{text}", program.display(), output.status));
    }
    text.lines()
        .find_map(|line| line.split_once("Collected : "))
        .and_then(|(_, count)| count.trim().parse::<f64>().ok())
        .map(|count| count / 1e6)
        .ok_or_else(|| format!("callgrind printed no count for {}:\n{text}", program.display()))
}
