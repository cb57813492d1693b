//! `hookgate check`: judge a command by hand.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use clap::Args;
use hookgate_agents::{Decision, Decoded, Event, Map, Profile, ToolCall, Value};
use hookgate_engine::{Finding, Judged, describe};
use hookgate_policy::Level;
use serde_json::json;

use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, Selection};
use crate::installed::not_in_force_notice;
use crate::terminal::{painted, printable};

/// Judge a command, an event, or a stream of events.
///
/// Exit code: 0 pass, allow or handoff; 1 deny or halt; 3 ask; 2 usage or policy error.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    selection: SelectionArguments,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Judge the event in this file (`-` for standard input).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "batch"])]
    event: Option<PathBuf>,
    /// Judge JSON lines `{"command": …}` or `{"event": …}` from standard input, one JSON line each.
    #[arg(long, conflicts_with = "command")]
    batch: bool,
    /// The command: as one argument, or as it would be typed; `-` reads it from standard input.
    #[arg(required_unless_present_any = ["event", "batch"], trailing_var_arg = true)]
    command: Vec<String>,
}

/// Which policy judges, and where.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SelectionArguments {
    /// Add a preset.
    #[arg(long = "preset", value_name = "NAME")]
    presets: Vec<String>,
    /// Add a policy file.
    #[arg(long = "policy", value_name = "FILE")]
    policies: Vec<PathBuf>,
    /// Add a settings file of the agent, for its permission rules.
    #[arg(long = "settings", value_name = "FILE")]
    settings: Vec<PathBuf>,
    /// Ignore session state, grants, and every policy and settings file not named here; assume that named paths exist and the work tree is dirty.
    #[arg(long)]
    isolated: bool,
    /// The directory the command runs in.
    #[arg(long, value_name = "DIRECTORY")]
    cwd: Option<PathBuf>,
    /// The agent whose call it is: `claude-code`, `codex`, or any other name for an agent that hookgate doesn't know.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

impl SelectionArguments {
    /// The gate that these arguments ask for.
    pub(crate) fn gate(&self, environment: &Environment) -> Result<Gate, CommandError> {
        let cwd = self.cwd.as_ref().unwrap_or(&environment.cwd);
        let cwd = cwd.canonicalize().map_err(|error| CommandError::file(cwd, &error))?;
        let settings = self
            .settings
            .iter()
            .map(|path| path.canonicalize().map_err(|error| CommandError::file(path, &error)))
            .collect::<Result<Vec<PathBuf>, CommandError>>()?;
        let selection = Selection {
            presets: &self.presets,
            policies: &self.policies,
            settings: &settings,
            isolated: self.isolated,
            cases: false,
        };
        Gate::select(environment.directories.clone(), &cwd, selection)
    }

    /// The agent whose call is judged.
    pub(crate) fn agent(&self) -> &'static Profile {
        Profile::named(self.agent.as_deref())
    }

    /// The command as a call of the agent's shell.
    pub(crate) fn command_event(&self, gate: &Gate, command: &str) -> Event {
        let agent = self.agent();
        let call = Some(ToolCall::shell(agent, command));
        Event { agent, call, ..gate.command_event(command) }
    }
}

impl Check {
    pub(crate) fn run(&self, environment: &Environment) -> Result<ExitCode, CommandError> {
        if self.batch {
            batch(environment, &self.selection)?;
            return Ok(ExitCode::SUCCESS);
        }
        let gate = self.selection.gate(environment)?;
        let event = match &self.event {
            Some(path) => read_event(path, self.selection.agent())?,
            None => self.selection.command_event(&gate, &command_line(&self.command)?),
        };
        let judgement = gate.judge(&event);
        if self.json {
            println!("{}", line(&event, &judgement));
        } else {
            eprint!("{}", gate.rendered_diagnostics());
            let idle = if self.event.is_some() { gate.not_in_force(event.agent) } else { Vec::new() };
            let own: Vec<String> = idle.into_iter().filter(|name| name == event.name.as_str()).collect();
            if let Some(notice) = not_in_force_notice(&own) {
                eprintln!("note: {notice}");
            }
            print_for_people(&event, &judgement);
        }
        Ok(ExitCode::from(match answered(&event, &judgement) {
            Decision::Pass | Decision::Allow | Decision::Handoff => 0,
            Decision::Deny | Decision::Halt => 1,
            Decision::Ask => 3,
        }))
    }
}

/// The words of a command as a shell would read them again. One word is a whole command.
///
/// # Errors
/// Where options follow a whole command: they would be judged as part of it. Where what standard input has isn't a text.
pub(crate) fn command_line(words: &[String]) -> Result<String, CommandError> {
    if let [whole, option, ..] = words
        && option.starts_with("--")
        && whole.contains(char::is_whitespace)
    {
        return Err(CommandError::usage(format!("`{option}` goes before the command")));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,~".contains(c);
    let quoted = |word: &String| {
        if !word.is_empty() && word.chars().all(is_plain) {
            word.clone()
        } else {
            hookgate_shell::quoted(word)
        }
    };
    Ok(match words {
        [input] if input == "-" => read_command()?,
        [command] => command.clone(),
        words => words.iter().map(quoted).collect::<Vec<_>>().join(" "),
    })
}

/// The command on standard input.
fn read_command() -> Result<String, CommandError> {
    let input = crate::standard_input::read_all();
    if input.cut {
        return Err(CommandError::usage("the command on standard input is larger than 32 MB"));
    }
    String::from_utf8(input.bytes)
        .map(|text| text.trim_end_matches('\n').to_owned())
        .map_err(|_| CommandError::usage("the command on standard input isn't UTF-8"))
}

/// The event in a file.
pub(crate) fn read_event(path: &Path, agent: &'static Profile) -> Result<Event, CommandError> {
    let bytes = if path.as_os_str() == "-" {
        crate::standard_input::read_all().bytes
    } else {
        fs::read(path).map_err(|error| CommandError::file(path, &error))?
    };
    event_from(&bytes, agent).map_err(CommandError::usage)
}

fn event_from(bytes: &[u8], agent: &'static Profile) -> Result<Event, String> {
    match agent.decode(bytes, None) {
        Decoded::Event(event) => Ok(event),
        Decoded::Unreadable { problem, .. } => Err(problem.to_string()),
    }
}

/// How much of the input is taken at once, in bytes.
const PORTION: usize = 1 << 16;
/// The stack of a thread that judges, in bytes: as much as the hook's.
const STACK: usize = 64 << 20;
/// More threads than this are not started.
const MOST_THREADS: usize = 16;

/// Judges line by line, on all processors. What has come in is answered at once, in its order, before more is waited for.
fn batch(environment: &Environment, selection: &SelectionArguments) -> Result<(), CommandError> {
    let failed = |error: io::Error| CommandError::usage(error.to_string());
    let ended = || CommandError::usage("a thread that judges has ended");
    // What is wrong with the arguments is said once.
    selection.gate(environment)?;
    let mut input = BufReader::with_capacity(PORTION, io::stdin().lock());
    let mut output = io::stdout().lock();
    let count = thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..count {
            let (lines, work) = mpsc::channel::<Vec<String>>();
            let (answers, done) = mpsc::channel::<String>();
            let judge = move || {
                let Ok(gate) = selection.gate(environment) else { return };
                for lines in work {
                    let answered = lines.iter().map(|text| answer(&gate, selection, text)).collect();
                    if answers.send(answered).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, judge).map_err(failed)?;
            workers.push((lines, done));
        }
        loop {
            let lines = waiting(&mut input).map_err(failed)?;
            if lines.is_empty() {
                return Ok(());
            }
            let share = lines.len().div_ceil(count);
            let shares = || lines.chunks(share).zip(&workers);
            for (lines, (work, _)) in shares() {
                work.send(lines.to_vec()).map_err(|_| ended())?;
            }
            for (_, (_, done)) in shares() {
                let answered = done.recv().map_err(|_| ended())?;
                output.write_all(answered.as_bytes()).map_err(failed)?;
            }
            output.flush().map_err(failed)?;
        }
    })
}

/// The next line, and those that have already come with it; none at the end of the input.
fn waiting(input: &mut BufReader<impl Read>) -> io::Result<Vec<String>> {
    let mut lines = Vec::new();
    while lines.is_empty() || input.buffer().contains(&b'\n') {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            break;
        }
        if !line.trim().is_empty() {
            lines.push(line);
        }
    }
    Ok(lines)
}

/// What one line of the input gets, as a line.
fn answer(gate: &Gate, selection: &SelectionArguments, text: &str) -> String {
    let answer = match batch_event(gate, selection, text) {
        Ok(event) => line(&event, &gate.judge(&event)),
        Err(problem) => json!({ "error": problem }),
    };
    format!("{answer}\n")
}

fn batch_event(gate: &Gate, selection: &SelectionArguments, text: &str) -> Result<Event, String> {
    let row: Map = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match (row.get("command").and_then(Value::as_str), row.get("event")) {
        (Some(command), _) => Ok(selection.command_event(gate, command)),
        (None, Some(event)) => event_from(event.to_string().as_bytes(), selection.agent()),
        (None, None) => Err("a line needs `command` or `event`".to_owned()),
    }
}

/// What the hook would answer: the nearest decision that the event can carry.
fn answered(event: &Event, judgement: &Judged) -> Decision {
    event.capabilities().carry(judgement.verdict.decision)
}

/// The JSON of one judgement.
fn line(event: &Event, judgement: &Judged) -> Value {
    let verdict = &judgement.verdict;
    let applied = || judgement.findings.iter().filter(|finding| finding.applies());
    json!({
        "decision": answered(event, judgement).as_str(),
        "codes": applied().map(|finding| finding.code.as_str()).collect::<Vec<_>>(),
        "effects": judgement.effects.effects.iter().map(describe).collect::<Vec<_>>(),
        "reason": unrecorded(judgement, &verdict.reasons).collect::<Vec<_>>().join("\n"),
        "rewrite": verdict.rewrite,
        "context": verdict.context.join("\n"),
        "not_granted": judgement.not_granted(),
        "level": applied().map(|finding| finding.level).reduce(Level::stricter).map(Level::name),
    })
}

fn print_for_people(event: &Event, judgement: &Judged) {
    println!("{}", painted(answered(event, judgement).as_str(), 0));
    print_findings(judgement);
    if let Some(rewrite) = &judgement.verdict.rewrite {
        let command = rewrite.get("command").and_then(Value::as_str);
        let whole = || Value::Object(rewrite.clone()).to_string();
        println!("  runs  {}", printable(&command.map_or_else(whole, str::to_owned)));
    }
    for notice in unrecorded(judgement, &judgement.verdict.notices) {
        println!("  note  {}", printable(notice));
    }
    if let Some(refusal) = judgement.not_granted() {
        println!("  {}", printable(&refusal));
    }
    for effect in &judgement.effects.effects {
        println!("  does  {}", printable(&describe(effect)));
    }
}

/// The texts that don't name the decision: what is judged by hand is recorded nowhere, so there is nothing to look up.
pub(crate) fn unrecorded<'a>(judgement: &'a Judged, texts: &'a [String]) -> impl Iterator<Item = &'a str> {
    texts.iter().map(String::as_str).filter(|text| !text.contains(&judgement.id))
}

/// The findings, one line each. Two effects of one command can get the same text: it is said once.
pub(crate) fn print_findings(judgement: &Judged) {
    let mut said = BTreeSet::new();
    let found = judgement.findings.iter().map(finding_line);
    let spared = judgement.spared.iter().map(spared_line);
    for line in found.chain(spared).filter(|line| said.insert(line.clone())) {
        println!("  {line}");
    }
}

/// A rule that says nothing because nothing is lost.
fn spared_line(finding: &Finding) -> String {
    let message = printable(&finding.message.to_string());
    format!("pass  [{}] {message}: nothing is lost, git keeps it or it isn't there", finding.code)
}

/// A finding with its level, for people.
fn finding_line(finding: &Finding) -> String {
    let note = match (&finding.exception, finding.shadow) {
        (Some(reason), _) => format!(" (excepted: {reason})"),
        (None, true) => " (shadow)".to_owned(),
        (None, false) => String::new(),
    };
    format!("{} {}{note}", painted(finding.level.name(), 5), printable(&finding.sentence()))
}
