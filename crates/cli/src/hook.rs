//! `hookgate hook`: the event on standard input, the answer on standard output.
//!
//! There is no usage error here: what can't be understood is left aside, and every way out is an answer (law 1).

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hookgate_agents::{Decoded, Event, EventClass, EventName, Profile, Verdict, respond};
use hookgate_host::{Directories, Machine, project_directory};

use crate::answering::{
    answer_panics, answer_with, fail, note_agent, note_event, note_policy, record_crashes, watched,
};
use crate::bounds;
use crate::gate::{Gate, on_failure};
use crate::recording::record;
use crate::{found, installed, notifications, standard_input, supervised};

/// Our own deadline where the settings name none: far below the shortest default of the agent for events that block.
const DEADLINE: Duration = Duration::from_secs(5);

/// What the settings say after `hookgate hook`, and since when.
#[derive(Clone)]
struct Options {
    agent: &'static Profile,
    event: Option<String>,
    deadline: Duration,
    /// The settings that name it, where others may do so, too.
    scope: Option<String>,
    start: Instant,
}

/// Reads, judges, records, answers, and ends the process.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ! {
    let start = Instant::now();
    answer_panics();
    bounds::set();
    let options = options(arguments, start);
    note_agent(options.agent);
    note_event(options.event.as_deref().map(EventName::from));
    watched(start, options.deadline, &options, judge)
}

fn judge(options: &Options) -> ! {
    let start = options.start;
    let (event, bytes) = read_event(options);
    note_event(Some(event.name.clone()));

    let cwd = working_directory(&event.cwd);
    let directories = Directories::from_environment().around(&cwd);
    if let Some(scope) = &options.scope
        && installed::is_asked_above(scope, &event, &directories, &project_directory(&cwd).to_string_lossy())
    {
        answer_with(&respond(&event, &Verdict::default()));
    }
    let runner = supervised::Supervisor::new(bytes, cwd.clone(), start + options.deadline);
    let state = directories.state.clone();
    let gate = Gate::load(
        directories.clone(),
        &cwd,
        Machine::new(directories).with_runner(runner).with_listener(found::note_effects),
    );
    let audit = gate.audit();
    if let Some(state) = state {
        record_crashes(&state, audit.as_ref());
    }
    note_policy(on_failure(gate.policy()), audit);
    let event = Arc::new(event);
    found::note_call(&event, &cwd, start);
    let mut judgement = gate.judge(&event);
    // What is decided holds, even where it can't be recorded in time.
    found::note_answer(judgement.verdict.decision, respond(&event, &judgement.verdict));
    record(&gate, &event, &mut judgement, start);
    let answer = respond(&event, &judgement.verdict);
    notifications::send(&judgement.notifications, &cwd);
    answer_with(&answer)
}

fn read_event(options: &Options) -> (Event, Vec<u8>) {
    let input = standard_input::read_all();
    if input.cut {
        fail(&format!("the event is larger than {} bytes", standard_input::LIMIT));
    }
    match options.agent.decode(&input.bytes, options.event.as_deref()) {
        Decoded::Event(event) => {
            if let Some(problem) = lacks(&event, options.event.as_deref()) {
                fail(problem);
            }
            (event, input.bytes)
        }
        Decoded::Unreadable { name, problem } => {
            note_event(name);
            fail(&problem.to_string())
        }
    }
}

/// What an event lacks without which it can't be judged: a tool call that names no tool would pass every rule. Where the
/// settings say that it is a tool call, no other name in the event makes it anything else.
fn lacks(event: &Event, hint: Option<&str>) -> Option<&'static str> {
    let is_call = |name: &EventName| name.class() == EventClass::ToolCall;
    if is_call(&event.name) && event.tool().is_none_or(|call| call.name.is_empty()) {
        note_event(Some(event.name.clone()));
        return Some("the agent sent a tool call without `tool_name`");
    }
    let is_strange = matches!(event.name, EventName::Unknown(_))
        && hint.map(EventName::from).is_some_and(|hint| is_call(&hint));
    is_strange.then_some("the agent sent an event of a name that is not known in the place of a tool call")
}

fn options(arguments: impl Iterator<Item = OsString>, start: Instant) -> Options {
    let mut options =
        Options { agent: Profile::named(None), event: None, deadline: DEADLINE, scope: None, start };
    let mut arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    while let Some(argument) = arguments.next() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        match name {
            "--event" => options.event = value.or_else(|| arguments.next()),
            "--deadline" => {
                if let Some(deadline) = value.or_else(|| arguments.next()).as_deref().and_then(duration) {
                    options.deadline = deadline;
                }
            }
            installed::SCOPE_ARGUMENT => options.scope = value.or_else(|| arguments.next()),
            "--agent" => options.agent = Profile::named(value.or_else(|| arguments.next()).as_deref()),
            // From a newer release's settings.
            _ => {}
        }
    }
    options
}

/// `5s`, `1500ms`.
fn duration(text: &str) -> Option<Duration> {
    if let Some(millis) = text.strip_suffix("ms") {
        return millis.parse().ok().map(Duration::from_millis);
    }
    text.strip_suffix('s')?.parse().ok().map(Duration::from_secs)
}

/// The event's directory, else the process's own, else the root: a session's directory may have been deleted, and one
/// longer than every path of a system is none.
fn working_directory(event_cwd: &str) -> PathBuf {
    let named = PathBuf::from(event_cwd);
    if named.is_absolute() && event_cwd.len() <= 4096 {
        return named;
    }
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Options {
        options(arguments.iter().map(OsString::from), Instant::now())
    }

    #[test]
    fn the_agent_selects_its_profile() {
        assert_eq!(parse(&[]).agent.name, "claude-code");
        assert_eq!(parse(&["--agent", "codex"]).agent.name, "codex");
        assert_eq!(parse(&["--agent=claude-code"]).agent.name, "claude-code");
        assert_eq!(parse(&["--agent", "of-tomorrow"]).agent.name, "other");
    }

    #[test]
    fn options_are_read_in_both_spellings_and_strange_ones_are_left_aside() {
        let read = parse(&["--agent", "claude", "--event", "Stop", "--deadline=1500ms", "--from-the-future"]);
        assert_eq!(read.event.as_deref(), Some("Stop"));
        assert_eq!(read.deadline, Duration::from_millis(1500));
        assert_eq!(parse(&["--deadline", "soon"]).deadline, DEADLINE);
        assert_eq!(parse(&["--event"]).event, None);
    }
}
