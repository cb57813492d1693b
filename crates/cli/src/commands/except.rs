//! `hookgate except`: an exception to what was decided, for good.

use std::path::{Path, PathBuf};

use clap::Args;
use hookgate_agents::{CLAUDE_CODE, Event, EventName, Map, ToolCall, Value};
use hookgate_effects::{Call, Effect, Effects, Places, Target};
use hookgate_engine::{Finding, Judged};
use hookgate_host::Machine;
use hookgate_policy::{Access, Level, with_exception};

use crate::commands::explain::{find, named};
use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::Gate;
use crate::terminal::{confirm_person, printable};
use crate::writing::{read_or_empty, show_change, write_atomically};

/// Write the smallest exception for a decision into your policy. Only a person at a terminal can.
///
/// It is by effect: what was to be deleted, written or read, or the very command. The change is shown first.
#[derive(Args, Debug)]
pub(crate) struct Except {
    /// The decision's id, or its first characters.
    id: String,
    /// Why: the agent reads it beside each call that the exception lets through.
    #[arg(long, value_name = "TEXT", default_value = "accepted by the user")]
    reason: String,
    /// Write it into the project's policy instead.
    #[arg(long)]
    project: bool,
    /// Only print the exceptions.
    #[arg(long)]
    dry_run: bool,
}

impl Except {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let id = named(environment, &self.id)?;
        let (record, _) = find(environment, &id)?;
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        let cwd = PathBuf::from(text("cwd"));
        let event = event(&record)?;
        let judged = |instead: &[(&Path, &str)]| {
            let machine = Machine::new(environment.directories.clone());
            let gate = Gate::load_as_if(environment.directories.clone(), &cwd, machine, instead, None);
            let judged = gate.judge(&event);
            (judged, gate.places().clone())
        };
        let (before, places) = judged(&[]);
        let stopping: Vec<&Finding> = before.findings.iter().filter(|finding| stops(finding)).collect();
        if stopping.is_empty() {
            return Err(CommandError::usage(format!(
                "{id} is not stopped any more; `hookgate explain {id}` says what it was"
            )));
        }
        if let Some(guard) = stopping
            .iter()
            .find(|finding| finding.code.starts_with("GATE") || finding.code.starts_with("HALT"))
        {
            return Err(CommandError::usage(format!("{} guards hookgate and has no exception", guard.code)));
        }
        let entries: Vec<(String, String)> = stopping
            .iter()
            .map(|finding| Ok((finding.code.clone(), condition(finding, &before.effects, &places)?)))
            .collect::<Result<_, CommandError>>()?;
        let add = |text: &str| {
            entries
                .iter()
                .fold(text.to_owned(), |text, (code, when)| with_exception(&text, code, when, &self.reason))
        };
        let file = policy_file(environment, self.project)?;
        let after = add(&read_or_empty(&file)?);
        let (then, _) = judged(&[(&file, &after)]);
        if !is_excepted(&then, &stopping) {
            return Err(CommandError::usage(
                "an exception by effect doesn't cover this call, because something in it is computed or another file overrules it; \
                 `hookgate grant` lets it through once",
            ));
        }
        if self.dry_run {
            print!("{}", add(""));
            return Ok(());
        }
        println!("{}", printable([text("command"), text("path")].concat().as_str()));
        change_policy(environment, self.project, add)
    }
}

/// Shows what becomes of a policy file, has a person confirm it, and writes it.
pub(super) fn change_policy(
    environment: &Environment,
    project: bool,
    change: impl Fn(&str) -> String,
) -> Result<(), CommandError> {
    let file = policy_file(environment, project)?;
    let before = read_or_empty(&file)?;
    let after = change(&before);
    if after == before {
        println!("{} says so already", file.display());
        return Ok(());
    }
    show_change(&file, &before, &after);
    confirm_person("Write this?")?;
    write_atomically(&file, &after)?;
    crate::policy_files::written(&environment.directories, &file, &after);
    println!("Wrote {}.", file.display());
    if project {
        println!("Run `hookgate trust`: until then the file only tightens.");
    }
    Ok(())
}

fn policy_file(environment: &Environment, project: bool) -> Result<PathBuf, CommandError> {
    if project {
        return Ok(environment.project().join(".hookgate.toml"));
    }
    let config = environment.directories.config.as_ref();
    let none = || CommandError::usage("neither HOME nor XDG_CONFIG_HOME is set; pass --project");
    Ok(config.ok_or_else(none)?.join("hookgate.toml"))
}

/// The event that was judged, as far as the record has it.
fn event(record: &Value) -> Result<Event, CommandError> {
    let text = |key: &str| record.get(key).and_then(Value::as_str);
    let whole = |text: &&str| !text.contains("[redacted]") && !text.ends_with("...");
    let owned = |key: &str| text(key).unwrap_or_default().to_owned();
    let empty =
        Event { cwd: owned("cwd"), session_id: owned("session"), ..Event::new(EventName::PreToolUse) };
    if let Some(command) = text("command").filter(whole) {
        return Ok(Event { call: Some(ToolCall::bash(command)), ..empty });
    }
    let (Some(tool), Some(path)) = (text("tool"), text("path").filter(whole)) else {
        return Err(CommandError::usage(
            "the record doesn't have all of this call, so no exception can be made from it",
        ));
    };
    let mut input = Map::new();
    input.insert("file_path".to_owned(), Value::from(path));
    let call = Some(ToolCall::new(&CLAUDE_CODE, tool, input));
    Ok(Event { call, ..empty })
}

fn stops(finding: &Finding) -> bool {
    finding.applies() && matches!(finding.level, Level::Ask | Level::Deny | Level::Halt)
}

/// Is each of these findings excepted now?
fn is_excepted(judged: &Judged, findings: &[&Finding]) -> bool {
    findings.iter().all(|finding| {
        let mut same = judged.findings.iter().filter(|other| other.code == finding.code);
        same.all(|other| other.exception.is_some() || !stops(other))
    })
}

/// What must hold for an exception to a finding: no more than what it found.
fn condition(finding: &Finding, effects: &Effects, places: &Places) -> Result<String, CommandError> {
    let mut parts = Vec::new();
    for effect in finding.effects.iter().filter_map(|at| effects.effects.get(*at)) {
        let call = effect.call.and_then(|at| effects.calls.get(at));
        let part = of_effect(effect, call, places).ok_or_else(|| {
            CommandError::usage(format!(
                "{} is about something computed, which no exception can name; `hookgate grant` lets it through once",
                finding.code
            ))
        })?;
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    match parts.len() {
        0 => Err(CommandError::usage(format!(
            "{} is about the call as a whole; set its level with `hookgate rule {0} --level`",
            finding.code
        ))),
        1 => Ok(parts.concat()),
        _ => Ok(format!("{{ any = [{}] }}", parts.join(", "))),
    }
}

fn of_effect(effect: &Effect, call: Option<&Call>, places: &Places) -> Option<String> {
    let quoted = hookgate_policy::imported::quoted;
    let access = [("read", Access::Read), ("write", Access::Write), ("delete", Access::Delete)];
    let access = access.into_iter().find(|(_, access)| access.includes(effect.kind, true));
    match (&effect.target, access) {
        (Some(Target::Path(fact)), Some((key, _))) if !fact.pattern => {
            Some(format!("{{ {key} = {} }}", quoted(&pattern(&fact.path, effect.recursive, places))))
        }
        (Some(Target::Host(host)), _) => {
            Some(format!("{{ effect = \"{}\", host = {} }}", effect.kind.name(), quoted(&escaped(host))))
        }
        _ => {
            let call = call?;
            let words: Option<Vec<&str>> =
                call.arguments.iter().map(|argument| argument.text.as_deref()).collect();
            let words = std::iter::once(call.program.as_str()).chain(words?);
            let run: Vec<String> = words.map(word).collect();
            Some(format!("{{ effect = \"{}\", run = {} }}", effect.kind.name(), quoted(&run.join(" "))))
        }
    }
}

/// A word of a command as a pattern that matches it alone.
fn word(text: &str) -> String {
    let text = escaped(text);
    if text.is_empty() || text.contains(char::is_whitespace) { format!("'{text}'") } else { text }
}

/// A path as a pattern that matches it alone, and what is below it if that is meant.
fn pattern(path: &str, recursive: bool, places: &Places) -> String {
    let below = |base: &str| path.strip_prefix(base)?.strip_prefix('/').map(escaped);
    let pattern = match (below(&places.project), below(&places.home)) {
        (Some(inside), _) => format!("./{inside}"),
        (None, Some(inside)) => format!("~/{inside}"),
        (None, None) => escaped(path),
    };
    if recursive { format!("{}/", pattern.trim_end_matches('/')) } else { pattern }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
