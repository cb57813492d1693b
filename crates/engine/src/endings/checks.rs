//! What gates check, each from what hookgate knows for certain.

use std::time::Duration;

use hookgate_agents::{Event, Value};
use hookgate_policy::{Gate, GateCheck, HookProgram};
use hookgate_rules::own::path_matches;
use hookgate_session::{Entry, What, bounded};
use hookgate_text::{Message, Quoted, say};

use super::{Found, RungOutcome, Scene};
use crate::{GitQuestion, ProgramCall, ProgramEnd, Untracked};

/// How long git may take to look at the work tree.
const STATUS: Duration = Duration::from_secs(4);
/// A file larger than this isn't searched for marks.
const LARGEST: usize = 4 << 20;

/// Does a check wait for background tasks?
pub(super) fn yields(check: GateCheck) -> bool {
    check != GateCheck::Background
}

pub(super) fn check(scene: &Scene<'_>, gate: &Gate, check: GateCheck) -> Found {
    match check {
        GateCheck::Tests => tests(scene, gate),
        GateCheck::Command => command(scene, gate),
        GateCheck::Clean => clean(scene),
        GateCheck::Marks => marks(scene, gate),
        GateCheck::Lint => lint(scene),
        GateCheck::Protected => protected(scene),
        GateCheck::Background => background(scene.event),
        GateCheck::Subagents => subagents(scene),
    }
}

/// Does an edit count for the gate?
fn counts(scene: &Scene<'_>, gate: &Gate, path: &str) -> bool {
    gate.files.is_empty() || path_matches(&gate.files, path, scene.places)
}

/// The last edit that counts: its place in the record, when it was over, and a file.
fn last_edit<'s>(scene: &'s Scene<'_>, gate: &Gate) -> Option<(usize, u64, &'s str)> {
    scene.record.entries.iter().enumerate().rev().find_map(|(index, entry)| {
        let What::Edit { paths, .. } = &entry.what else { return None };
        if scene.subagent().is_some() && entry.by.as_deref() != scene.subagent() {
            return None;
        }
        paths.iter().find(|path| counts(scene, gate, path)).map(|path| (index, entry.at, path.as_str()))
    })
}

/// Tests ran after the last edit, and the last run passed.
fn tests(scene: &Scene<'_>, gate: &Gate) -> Found {
    let Some((edit, edited, file)) = last_edit(scene, gate) else {
        return Found::pass(say!("no file was changed"));
    };
    let file = shortened(scene, file);
    let began = |entry: &Entry, took: u64| entry.at.saturating_sub(took);
    let mut hidden = None;
    let mut before = false;
    for (index, entry) in scene.record.entries.iter().enumerate().rev() {
        let What::Ran { command, ok, took, tests, .. } = &entry.what else { continue };
        if tests.is_empty() {
            continue;
        }
        // What was noted before the edit began before it, however little time lies between them.
        if index < edit || began(entry, *took) < edited {
            before = true;
            continue;
        }
        let shown = tests.iter().any(|run| run.shown);
        match ok {
            Some(true) if shown => {
                return Found::pass(say!("{} passed after the last edit", Quoted::new(command)));
            }
            Some(false) => {
                let fix = say!("correct what fails, and run the tests again");
                return Found::block(say!("{} failed after the last edit", Quoted::new(command)), fix);
            }
            _ => hidden = hidden.or(Some(command)),
        }
    }
    let fix = say!("run the tests as the last command of a call, without a pipe, `||` or `&`");
    if let Some(command) = hidden {
        let what = say!(
            "ran {} after the last edit, which doesn't show whether the tests passed",
            Quoted::new(command)
        );
        return Found::block(what, fix);
    }
    let what = if before {
        say!("changed {} after the tests had run", file)
    } else {
        say!("changed {} and ran no tests", file)
    };
    Found::block(what, fix)
}

/// A path as it is named in the project.
fn shortened(scene: &Scene<'_>, path: &str) -> Message {
    let inside = path.strip_prefix(&scene.places.project).and_then(|rest| rest.strip_prefix('/'));
    say!("{}", Quoted::new(inside.unwrap_or(path)))
}

/// The command of the gate passes.
fn command(scene: &Scene<'_>, gate: &Gate) -> Found {
    let Some(run) = &gate.run else {
        return Found::of(RungOutcome::Skipped, say!("there is no command"));
    };
    let call = ProgramCall {
        run: run.clone(),
        directory: scene.places.project.clone(),
        deadline: gate.deadline,
        input: Vec::new(),
    };
    let Some(outcome) = scene.memory.run_programs(&[call]).pop() else {
        return Found::of(RungOutcome::Skipped, say!("commands are not run here"));
    };
    let name = run.name();
    let name = Quoted::new(&name);
    match outcome.end {
        ProgramEnd::Exit(0) => Found::pass(say!("{} passed in {} ms", name, millis(outcome.took))),
        ProgramEnd::Exit(code) => {
            let code = u32::try_from(code).unwrap_or(u32::MAX);
            let mut output = String::from_utf8_lossy(&outcome.stdout).into_owned();
            output.push_str(&String::from_utf8_lossy(&outcome.stderr));
            let output = bounded(output.trim());
            let last: String =
                output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
            let what = if last.is_empty() {
                say!("{} ended with exit code {}", name, code)
            } else {
                say!("{} ended with exit code {}: {}", name, code, Quoted::new(&last))
            };
            Found::block(what, say!("correct what it reports until {} passes", name))
        }
        ProgramEnd::Deadline => Found::of(
            RungOutcome::Inconclusive,
            say!("{} didn't finish within {} ms and was killed", name, millis(outcome.took)),
        ),
        ProgramEnd::Signal => Found::of(RungOutcome::Error, say!("{} was killed by a signal", name)),
        ProgramEnd::NotStarted(why) => {
            Found::of(RungOutcome::Error, say!("{} couldn't be started ({})", name, Quoted::new(&why)))
        }
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Everything is committed.
fn clean(scene: &Scene<'_>) -> Found {
    let Some((changed, untracked)) = status_by_git(scene).or_else(|| status_by_reading(scene)) else {
        return Found::of(RungOutcome::Inconclusive, say!("the state of the work tree can't be read"));
    };
    if changed + untracked == 0 {
        return Found::pass(say!("everything is committed"));
    }
    let what = say!("leaves {} changed and {} untracked files uncommitted", changed, untracked);
    Found::block(what, say!("commit what belongs to the task, and remove what doesn't"))
}

/// How many files git lists as changed, and as untracked. An end of work is rare enough to ask it, and it knows every setting of its own.
fn status_by_git(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let words = "git --no-optional-locks -c core.fsmonitor=false status --porcelain";
    let call = ProgramCall {
        run: HookProgram::Arguments(words.split(' ').map(str::to_owned).collect()),
        directory: scene.places.project.clone(),
        deadline: STATUS,
        input: Vec::new(),
    };
    let outcome = scene.memory.run_programs(&[call]).pop()?;
    if outcome.end != ProgramEnd::Exit(0) {
        return None;
    }
    let text = String::from_utf8_lossy(&outcome.stdout);
    let untracked = text.lines().filter(|line| line.starts_with("??")).count();
    Some((text.lines().count() - untracked, untracked))
}

/// The same by hookgate's own reader, where git isn't there; `None` where that found nothing and wasn't through.
fn status_by_reading(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let directory = &scene.places.project;
    let changed = GitQuestion::Changed { paths: Vec::new(), since_commit: true };
    let what = Untracked { ignored: false, others: true, directories: true };
    let untracked = GitQuestion::Untracked { paths: Vec::new(), what };
    let host = scene.host();
    let (changed, untracked) = (host.git_count(directory, &changed)?, host.git_count(directory, &untracked)?);
    let is_cut_short = (changed.more || untracked.more) && changed.number + untracked.number == 0;
    (!is_cut_short).then_some((changed.number, untracked.number))
}

/// No mark was added that is still there.
fn marks(scene: &Scene<'_>, gate: &Gate) -> Found {
    let host = scene.host();
    for entry in &scene.record.entries {
        let What::Edit { marks, .. } = &entry.what else { continue };
        for (path, line) in marks.iter().filter(|(path, _)| counts(scene, gate, path)) {
            let text = host.read(path, LARGEST).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            if text.is_some_and(|text| text.lines().any(|own| own.trim() == line)) {
                let what = say!("adds {} to {}", Quoted::new(line), shortened(scene, path));
                return Found::block(what, say!("do what it says, or tell the user and remove the line"));
            }
        }
    }
    Found::pass(say!("no mark was added"))
}

/// No finding of a linter is open.
fn lint(scene: &Scene<'_>) -> Found {
    let open = scene.record.open_findings();
    let Some((tool, file, number)) = open.first().copied() else {
        return Found::pass(say!("no linter finding is open"));
    };
    let findings = if number == 1 { "finding" } else { "findings" };
    let more = if open.len() > 1 { say!(" (+{})", open.len() - 1) } else { say!("") };
    let file = shortened(scene, file);
    let what = say!("leaves {} {} of {} in {}{}", number, findings, Quoted::new(tool), file, more);
    Found::block(what, say!("correct them, and save the file again"))
}

/// No protected file was changed, against its state when the session began.
fn protected(scene: &Scene<'_>) -> Found {
    if scene.policy.protect.is_empty() {
        return Found::of(RungOutcome::Skipped, say!("the policy protects no file"));
    }
    let changed = crate::protected_changes(scene.host(), scene.policy, scene.places, &scene.event.session_id);
    let Some(first) = changed.first() else { return Found::pass(say!("no protected file was changed")) };
    let more = if changed.len() > 1 { say!(" (+{})", changed.len() - 1) } else { say!("") };
    let what = say!("leaves {} changed, which is protected{}", Quoted::new(first), more);
    Found::block(what, say!("put it back, or ask the user"))
}

/// A background task of the agent's.
pub(super) struct Task {
    pub(super) id: String,
    name: String,
    is_agent: bool,
}

/// The background tasks that haven't ended, as the agent lists them.
pub(super) fn running_tasks(event: &Event) -> Vec<Task> {
    let Some(tasks) = event.fields.get("background_tasks").and_then(Value::as_array) else {
        return Vec::new();
    };
    let text = |task: &Value, key: &str| task.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    tasks
        .iter()
        .filter(|task| matches!(text(task, "status").as_str(), "running" | "pending" | "starting"))
        .map(|task| {
            let command = text(task, "command");
            let name = if command.is_empty() { text(task, "description") } else { command };
            Task { id: text(task, "id"), name, is_agent: text(task, "type").contains("agent") }
        })
        .collect()
}

fn background(event: &Event) -> Found {
    let running = running_tasks(event);
    let Some(first) = running.first() else { return Found::pass(say!("no background task is running")) };
    let more = if running.len() > 1 { say!(" (+{})", running.len() - 1) } else { say!("") };
    let what = say!("leaves {} running in the background{}", Quoted::new(&first.name), more);
    Found::block(what, say!("wait for it, or stop it"))
}

fn subagents(scene: &Scene<'_>) -> Found {
    let mut open: Vec<String> = scene.record.open_subagents().into_iter().map(str::to_owned).collect();
    open.extend(running_tasks(scene.event).into_iter().filter(|task| task.is_agent).map(|task| task.id));
    open.sort();
    open.dedup();
    open.retain(|id| Some(id.as_str()) != scene.subagent());
    let Some(first) = open.first() else { return Found::pass(say!("every subagent has ended")) };
    let more = if open.len() > 1 { say!(" (+{})", open.len() - 1) } else { say!("") };
    let what = say!("ends before the subagent {}{} has reported", Quoted::new(first), more);
    Found::block(what, say!("wait for it, and read what it reports"))
}
