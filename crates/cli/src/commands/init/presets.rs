//! `init --preset`: the presets to start with, and what each of them would have done in the sessions on this disk.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal, Read as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use hookgate_agents::Decision;
use hookgate_policy::{Preset, with_presets};
use serde_json::Value;

use super::Init;
use super::import::{Change, policy_path};
use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, Selection};
use crate::writing::read_or_empty;

/// How many transcripts are looked at, the newest first; how much of each, in bytes; and how many commands in all.
const TRANSCRIPTS: usize = 40;
const LARGEST: u64 = 4 << 20;
const COMMANDS: usize = 500;
/// For how long they may be judged.
const PATIENCE: Duration = Duration::from_secs(3);

/// The change of the policy that puts the chosen presets into it; nothing where none are chosen.
pub(super) fn chosen(
    environment: &Environment,
    init: &Init,
    settings: &str,
) -> Result<Option<Change>, CommandError> {
    let policy = policy_path(environment, init.scope)?;
    let before = read_or_empty(&policy)?;
    let names = if !init.presets.is_empty() {
        init.presets.clone()
    } else if before.is_empty() && (init.dry_run || (!init.yes && io::stdin().is_terminal())) {
        print!("{}", screen(environment));
        if init.dry_run { Vec::new() } else { ask()? }
    } else {
        Vec::new()
    };
    if names.is_empty() {
        return Ok(None);
    }
    if let Some(unknown) = names.iter().find(|name| Preset::named(name).is_none()) {
        let all: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name).collect();
        return Err(CommandError::usage(format!("no preset `{unknown}`; there are {}", all.join(", "))));
    }
    let after = with_presets(&before, &names);
    Ok(Some(Change { policy, before, after, settings: settings.to_owned(), notes: Vec::new() }))
}

fn ask() -> Result<Vec<String>, CommandError> {
    let failed = |error: io::Error| CommandError::usage(error.to_string());
    let guards = Preset::ALL.iter().filter(|preset| !preset.adds() && preset.name != "recommended");
    let guards: Vec<String> = guards.map(|preset| format!("`{}`", preset.name)).collect();
    println!("{} replace `recommended`; the others add to it.", guards.join(", "));
    print!("Which presets? Names separated by blanks; nothing for `recommended` alone: ");
    io::stdout().flush().map_err(failed)?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(failed)?;
    let names = line.split([' ', ',', '\n', '\r', '\t']).filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

/// How much of a preset's summary is shown, in characters.
const WIDTH: usize = 60;

/// One line per preset: what it is for and, where there are sessions on this disk, what it would have stopped and granted there.
fn screen(environment: &Environment) -> String {
    let commands = commands(environment);
    let mut out = String::new();
    if commands.is_empty() {
        out.push_str("Presets to start with (`--preset NAME`, several times if need be):\n\n");
    } else {
        let _ = writeln!(
            out,
            "Presets to start with (`--preset NAME`, several times if need be), and what each alone would have made of\nthe last {} shell commands of your sessions:\n",
            commands.len()
        );
        let _ = writeln!(out, "  {:14} {:>7} {:>7}", "", "stopped", "granted");
    }
    let end = Instant::now() + PATIENCE;
    for preset in Preset::ALL {
        let summary = shortened(&preset.summary());
        let counted = counted(environment, preset.name, &commands, end);
        let (stopped, granted) = counted
            .map_or_else(Default::default, |(stopped, granted)| (stopped.to_string(), granted.to_string()));
        if commands.is_empty() {
            let _ = writeln!(out, "  {:14} {summary}", preset.name);
        } else {
            let _ = writeln!(out, "  {:14} {stopped:>7} {granted:>7}  {summary}", preset.name);
        }
    }
    out.push('\n');
    out
}

/// What fits in a line of the screen, in whole words.
fn shortened(summary: &str) -> String {
    if summary.chars().count() <= WIDTH {
        return summary.to_owned();
    }
    let start: String = summary.chars().take(WIDTH).collect();
    let whole = start.rsplit_once(' ').map_or(start.as_str(), |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', ';', ':']))
}

/// How many of the commands a preset alone would have stopped, and granted; nothing where the time is over.
fn counted(
    environment: &Environment,
    preset: &str,
    commands: &[String],
    end: Instant,
) -> Option<(usize, usize)> {
    let presets = [preset.to_owned()];
    let selection = Selection { presets: &presets, isolated: true, ..Selection::default() };
    let gate = Gate::select(environment.directories.clone(), &environment.cwd, selection).ok()?;
    let (mut stopped, mut granted) = (0, 0);
    for command in commands {
        if Instant::now() > end {
            return None;
        }
        match gate.judge(&gate.command_event(command)).verdict.decision {
            Decision::Ask | Decision::Deny | Decision::Halt => stopped += 1,
            Decision::Allow => granted += 1,
            Decision::Pass | Decision::Handoff => {}
        }
    }
    Some((stopped, granted))
}

/// The last shell commands of the agent's transcripts, each as often as it was run.
fn commands(environment: &Environment) -> Vec<String> {
    let folder = std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let folder = folder.or_else(|| Some(environment.directories.home.as_ref()?.join(".claude")));
    let projects = folder.and_then(|folder| fs::read_dir(folder.join("projects")).ok()).into_iter().flatten();
    let inside = projects.filter_map(Result::ok).filter_map(|project| fs::read_dir(project.path()).ok());
    let mut files: Vec<(SystemTime, PathBuf)> = inside
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().extension().is_some_and(|ending| ending == "jsonl"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort_by(|one, other| other.cmp(one));
    let mut found = Vec::new();
    for (_, path) in files.into_iter().take(TRANSCRIPTS) {
        let Ok(file) = File::open(path) else { continue };
        for line in BufReader::new(file.take(LARGEST)).lines().map_while(Result::ok) {
            if found.len() >= COMMANDS {
                return found;
            }
            // Most lines have no call: they are not parsed.
            if !line.contains("\"tool_use\"") {
                continue;
            }
            let Ok(entry) = serde_json::from_str::<Value>(&line) else { continue };
            let blocks = entry.pointer("/message/content").and_then(Value::as_array);
            let calls = blocks
                .into_iter()
                .flatten()
                .filter(|block| block.get("name").is_some_and(|name| name == "Bash"));
            found.extend(
                calls.filter_map(|block| block.pointer("/input/command")?.as_str().map(str::to_owned)),
            );
        }
    }
    found
}
