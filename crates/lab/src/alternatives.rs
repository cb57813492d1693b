//! The project's own suite of attacks and of harmless texts, through the hooks of other tools.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// One tool's hook for Claude Code: a name and the command line that its own installer would write.
#[derive(Clone, Debug)]
pub struct Hook {
    name: String,
    run: Vec<String>,
}

/// From `NAME=PROGRAM ARGUMENT ...`, split at blanks.
impl FromStr for Hook {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, run) = text.split_once('=').ok_or("a hook is `NAME=COMMAND`")?;
        let run: Vec<String> = run.split_whitespace().map(str::to_owned).collect();
        if run.is_empty() {
            return Err("no command behind `=`");
        }
        Ok(Self { name: name.to_owned(), run })
    }
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Denied, or a person is asked.
    Stopped,
    /// Allowed without a question.
    Granted,
    /// The client's own permission flow decides, which is also what follows a failing hook.
    Left,
}

#[derive(Debug, Default)]
struct Tally {
    fates: BTreeMap<(bool, Fate), usize>,
    times: Vec<Duration>,
}

/// Runs every row of `suite` (JSON lines `{"command", "dangerous"}`) through every hook, one after the other for each row,
/// in a home folder of its own below `folder`.
///
/// # Errors
/// A suite that can't be read, or a hook that can't be started.
pub fn run(suite: &Path, hooks: &[Hook], folder: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(suite).map_err(|error| format!("{}: {error}", suite.display()))?;
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", suite.display())))
        .collect::<Result<_, _>>()?;
    let home = folder.join("home");
    let project = home.join("project");
    let hooks_of_git = project.join(".git/hooks");
    std::fs::create_dir_all(&hooks_of_git).map_err(|error| format!("{}: {error}", project.display()))?;
    // The suite goes past hooks, so there have to be some.
    std::fs::write(hooks_of_git.join("pre-commit"), "#!/bin/sh\n").map_err(|error| error.to_string())?;
    std::fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").map_err(|error| error.to_string())?;
    let mut tallies: Vec<Tally> = hooks.iter().map(|_| Tally::default()).collect();
    for row in &rows {
        let dangerous = row.get("dangerous") == Some(&Value::Bool(true));
        let event = json!({
            "session_id": "suite", "transcript_path": home.join("transcript.jsonl"), "cwd": project,
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_use_id": "toolu_1",
            "tool_name": "Bash", "tool_input": { "command": row.get("command") },
        });
        for (hook, tally) in hooks.iter().zip(&mut tallies) {
            let (fate, time) = ask(hook, &event.to_string(), &home, &project)?;
            *tally.fates.entry((dangerous, fate)).or_default() += 1;
            tally.times.push(time);
        }
    }
    Ok(table(hooks, &mut tallies))
}

fn ask(hook: &Hook, event: &str, home: &Path, project: &PathBuf) -> Result<(Fate, Duration), String> {
    let (program, arguments) = hook.run.split_first().ok_or("a hook without a program")?;
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(project)
        .env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that answers before it has read everything closes its end; what it answered counts.
        let _ = stdin.write_all(event.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| format!("{program}: {error}"))?;
    Ok((fate(output.status.code(), &output.stdout), started.elapsed()))
}

fn fate(code: Option<i32>, stdout: &[u8]) -> Fate {
    if code == Some(2) {
        return Fate::Stopped;
    }
    let answer: Value = serde_json::from_slice(stdout).unwrap_or_default();
    let specific = answer.pointer("/hookSpecificOutput/permissionDecision");
    let decision = specific.or(answer.get("decision")).and_then(Value::as_str);
    match decision {
        _ if code != Some(0) => Fate::Left,
        Some("deny" | "ask" | "block") => Fate::Stopped,
        Some("allow" | "approve") => Fate::Granted,
        _ => Fate::Left,
    }
}

fn table(hooks: &[Hook], tallies: &mut [Tally]) -> String {
    let mut text = String::from(
        "| tool | dangerous calls stopped | dangerous calls allowed without a question | harmless texts stopped | harmless texts allowed | median ms |\n\
         |---|---|---|---|---|---|\n",
    );
    for (hook, tally) in hooks.iter().zip(tallies) {
        tally.times.sort();
        let count = |dangerous, fate| tally.fates.get(&(dangerous, fate)).copied().unwrap_or(0);
        let all = |dangerous| -> usize {
            tally.fates.iter().filter(|((kind, _), _)| *kind == dangerous).map(|(_, n)| n).sum()
        };
        let median = tally.times.get(tally.times.len() / 2).copied().unwrap_or_default();
        text.push_str(&format!(
            "| {} | {} of {} | {} | {} of {} | {} | {:.1} |\n",
            hook.name,
            count(true, Fate::Stopped),
            all(true),
            count(true, Fate::Granted),
            count(false, Fate::Stopped),
            all(false),
            count(false, Fate::Granted),
            median.as_secs_f64() * 1e3,
        ));
    }
    text
}
