//! What an event's linters say, as findings of the engine.

use hookgate_agents::{Event, EventName, Outcome, Tool, ToolCall, Value};
use hookgate_effects::{Effects, Kind, Places, Target};
use hookgate_lint::Finding as Found;
use hookgate_policy::{EventSet, Level, Lint, Mode, Policy};
use hookgate_session::{Entry, What};
use hookgate_text::{Message, Quoted, say};

use super::job::{Changed, DELEGATED, Job, Report, lint};
use crate::hooks::Heard;
use crate::pass::effects_of;
use crate::{Finding, Memory, Note, Source};

/// The code of everything that linters say.
const CODE: &str = "LINT";
/// How many findings an answer names.
const NAMED: usize = 12;
/// How many files are linted because of one event.
const MOST_FILES: usize = 200;

/// Runs the linters that are due on an event, and adds what they say to what was heard. Where no entry names the event,
/// nothing is done.
pub(crate) fn lint_event(
    event: &Event,
    policy: &Policy,
    places: &Places,
    memory: &dyn Memory,
    heard: &mut Heard,
) {
    let due: Vec<&Lint> = policy
        .lint
        .iter()
        .filter(|entry| !entry.on.intersection(EventSet::of(&event.name)).is_empty())
        .collect();
    let host = memory.host();
    if due.is_empty()
        || policy.mode == Mode::Off
        || host.paused().is_some()
        || host.halted().is_some()
        || host.variable(DELEGATED).is_some()
    {
        return;
    }
    let files = changed(event, places, memory);
    if files.is_empty() {
        return;
    }
    for entry in due {
        let job = Job { entry, files: &files, places, host, look_only: policy.mode != Mode::Enforce };
        let report = lint(&job, &mut |calls| memory.run_programs(calls));
        note(event, &report, memory);
        tell(entry, &report, places, heard);
    }
}

/// The files that the event's calls have changed, as far as they are known.
fn changed(event: &Event, places: &Places, memory: &dyn Memory) -> Vec<Changed> {
    let mut files: Vec<Changed> = Vec::new();
    let mut take = |event: &Event, before: Option<String>| {
        let effects = effects_of(event, places, memory.host());
        for path in written(&effects) {
            if files.len() < MOST_FILES && !files.iter().any(|file| file.path == path) {
                files.push(Changed { path: path.to_owned(), before: before.clone() });
            }
        }
    };
    match event.name {
        EventName::PostToolBatch => {
            let calls = event.fields.get("tool_calls").and_then(Value::as_array);
            for call in calls.into_iter().flatten() {
                let (Some(name), Some(input)) = (
                    call.get("tool_name").and_then(Value::as_str),
                    call.get("tool_input").and_then(Value::as_object),
                ) else {
                    continue;
                };
                let call = Some(ToolCall::new(event.agent, name, input.clone()));
                take(&Event { name: EventName::PostToolUse, call, ..event.clone() }, None);
            }
        }
        _ if event.outcome == Some(Outcome::Ran) => take(event, before(event)),
        _ => {}
    }
    files
}

/// The paths that effects write, without those that stand for several.
fn written(effects: &Effects) -> impl Iterator<Item = &str> {
    effects.effects.iter().filter_map(|effect| match &effect.target {
        Some(Target::Path(fact)) if matches!(effect.kind, Kind::Write | Kind::Append) && !fact.pattern => {
            Some(fact.real.as_deref().unwrap_or(&fact.path))
        }
        _ => None,
    })
}

/// The file's text before an edit, where the agent reports it.
fn before(event: &Event) -> Option<String> {
    let is_edit = matches!(event.tool()?.tool(), Tool::Write(_) | Tool::Edit(_));
    let response = event.fields.get("tool_response").filter(|_| is_edit)?;
    match response.get("originalFile")? {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        _ => None,
    }
}

/// What the session remembers: how much is open in each file.
fn note(event: &Event, report: &Report, memory: &dyn Memory) {
    let now = memory.host().now();
    let entries: Vec<Entry> = report
        .open
        .iter()
        .map(|(tool, file, open)| {
            let open = u32::try_from(*open).unwrap_or(u32::MAX);
            Entry::new(now, What::Findings { tool: tool.clone(), file: file.clone(), open })
        })
        .collect();
    if !entries.is_empty() {
        memory.note_entries(&event.session_id, &entries);
    }
}

fn tell(entry: &Lint, report: &Report, places: &Places, heard: &mut Heard) {
    for tool in &report.missing {
        let notice =
            format!("hookgate: the linter {} isn't installed here, so it doesn't run", Quoted::new(tool));
        heard.notes.push(Note::Once { key: format!("lint-missing-{tool}"), notice });
    }
    for (tool, why) in &report.failures {
        let message = say!("the linter {} {}", Quoted::new(tool), Message::in_their_words(why));
        let notice = format!("hookgate: {message}");
        heard.notes.push(Note::Once { key: format!("lint-failure-{tool}"), notice });
        heard.failures.push((format!("{CODE} {tool}"), why.clone()));
        heard.found.push(Finding { level: Level::Note, ..Finding::new(CODE, Source::Check, message) });
    }
    heard.times.extend(report.times.iter().cloned());
    if !report.changed.is_empty() {
        let names: Vec<String> =
            report.changed.iter().map(|path| Quoted::new(below(path, places)).to_string()).collect();
        let context = format!(
            "hookgate: linters have formatted or corrected {}; read it again before the next edit",
            names.join(", ")
        );
        let message = say!("linters changed {} of the edited files", names.len());
        let changed = Finding::new(CODE, Source::Check, message);
        heard.found.push(Finding { level: Level::Note, context: Some(context), ..changed });
    }
    for found in report.findings.iter().take(NAMED) {
        heard
            .found
            .push(Finding { level: entry.level, ..Finding::new(CODE, Source::Check, line(found, places)) });
    }
    if report.findings.len() > NAMED {
        let message =
            say!("linters found {} more problems; correct these first", report.findings.len() - NAMED);
        heard.found.push(Finding { level: entry.level, ..Finding::new(CODE, Source::Check, message) });
    }
}

/// ``ruff F401 in `a.py`, line 3, column 8: `os` imported but unused``.
fn line(found: &Found, places: &Places) -> Message {
    let mut message = say!("{}", Message::in_their_words(&found.tool));
    if !found.code.is_empty() {
        message.push(&say!(" {}", Message::in_their_words(&found.code)));
    }
    message.push(&say!(" in {}", Quoted::new(below(&found.file, places))));
    if found.line > 0 {
        message.push(&say!(", line {}", found.line));
    }
    if found.column > 0 {
        message.push(&say!(", column {}", found.column));
    }
    message.push(&say!(": {}", Message::in_their_words(found.message.trim_end_matches('.'))));
    message
}

fn below<'p>(path: &'p str, places: &Places) -> &'p str {
    path.strip_prefix(&places.project).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}
