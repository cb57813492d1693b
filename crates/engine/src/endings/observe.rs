//! What an event adds to the session's record. It is written only where a gate or a judge will read it.

use hookgate_agents::{Event, EventName, Outcome, Tool, Value};
use hookgate_effects::{Call, Effect, Effects, Kind, Place, Places, Target};
use hookgate_knowledge::shipped;
use hookgate_policy::Policy;
use hookgate_secrets::mask;
use hookgate_session::{Entry, TestRun, What, bounded};
use hookgate_shell::{Limits, Span, parse, shown_by_success};
use hookgate_source::is_task;

use crate::pass::effects_of;
use crate::secrets::Concealed;
use crate::{Host, Memory, redact};

/// The most marked lines of one edit that are noted.
const MOST_MARKS: usize = 10;
/// The longest marked line that is noted, in bytes. A cut line would not be found again.
const LONGEST_LINE: usize = 400;
/// The most paths of one call that are noted.
const MOST_PATHS: usize = 32;

/// Notes what an event says about the session.
pub(super) fn observe(event: &Event, policy: &Policy, places: &Places, memory: &dyn Memory) {
    if event.session_id.is_empty() {
        return;
    }
    let entries = entries(event, policy, places, memory.host());
    if !entries.is_empty() {
        memory.note_entries(&event.session_id, &entries);
    }
}

fn entries(event: &Event, policy: &Policy, places: &Places, host: &dyn Host) -> Vec<Entry> {
    let now = host.now();
    let what = match event.name {
        EventName::UserPromptSubmit => {
            let text = if policy.judges.is_empty() { "" } else { event.prompt().unwrap_or_default() };
            What::Prompt { text: quoted(text) }
        }
        EventName::SubagentStart => What::SubagentStarted { id: agent(event) },
        EventName::SubagentStop => What::SubagentEnded { id: agent(event) },
        EventName::PostToolUse | EventName::PostToolUseFailure => {
            return called(event, policy, places, host, now);
        }
        _ => return Vec::new(),
    };
    vec![Entry::new(now, what)]
}

fn agent(event: &Event) -> String {
    event.agent_id.clone().unwrap_or_default()
}

/// Foreign text for the record: without secrets, bounded.
fn quoted(text: &str) -> String {
    bounded(&redact(text))
}

/// What a call did that is over.
fn called(event: &Event, policy: &Policy, places: &Places, host: &dyn Host, now: u64) -> Vec<Entry> {
    let Some(call) = event.tool() else { return Vec::new() };
    let effects = effects_of(event, places, host);
    let secrets = Concealed::of(event, &effects, &[]);
    let quoted = |text: &str| bounded(&secrets.redacted(text));
    let took = event.fields.get("duration_ms").and_then(Value::as_u64).unwrap_or_default();
    let with = |at: u64, what: What| Entry { by: event.agent_id.clone(), ..Entry::new(at, what) };
    let mut entries = Vec::new();
    match call.tool() {
        Tool::Shell { .. } => {
            let text = call.text("command").unwrap_or_default();
            let tests = tests(text, &effects, policy, places, &quoted);
            // What was written before the tests of the same text ran was there when they ran.
            let first = tests.iter().map(|(span, _)| span.start).max();
            let edits = edits(&effects, places);
            let (before, after): (Vec<_>, Vec<_>) =
                edits.into_iter().partition(|(start, _)| first.is_some_and(|first| *start <= first));
            let edit = |edits: Vec<(u32, String)>, at| {
                let paths: Vec<String> = edits.into_iter().map(|(_, path)| path).take(MOST_PATHS).collect();
                (!paths.is_empty()).then(|| with(at, What::Edit { paths, marks: Vec::new() }))
            };
            entries.extend(edit(before, now.saturating_sub(took)));
            let output = if policy.judges.is_empty() { String::new() } else { quoted(&output(event)) };
            let tests = tests.into_iter().map(|(_, run)| run).collect();
            let ran = What::Ran { command: quoted(text), ok: succeeded(event), took, tests, output };
            entries.push(with(now, ran));
            entries.extend(edit(after, now));
        }
        Tool::Person if event.outcome == Some(Outcome::Ran) => {
            entries.extend(answers(event).map(|what| with(now, what)));
        }
        _ => {
            let mut paths: Vec<String> = edits(&effects, places).into_iter().map(|(_, path)| path).collect();
            paths.truncate(MOST_PATHS);
            // A tool of the agent's own that failed wrote nothing.
            if paths.is_empty() || event.outcome != Some(Outcome::Ran) {
                entries.push(with(now, What::Called { tool: quoted(&call.name) }));
            } else {
                let marks = paths.first().map(|path| marks(event, path)).unwrap_or_default();
                entries.push(with(now, What::Edit { paths, marks }));
            }
        }
    }
    entries
}

/// Files of the project that a call may have changed, each with where in the text.
fn edits(effects: &Effects, places: &Places) -> Vec<(u32, String)> {
    let changes = |effect: &&Effect| {
        matches!(
            effect.kind,
            Kind::Write | Kind::Append | Kind::Delete | Kind::Move | Kind::Link | Kind::Destroy
        )
    };
    let mut found = Vec::new();
    // What formats or mends names no files, or not all.
    let formats = |effect: &&Effect| effect.kind == Kind::Format;
    let nameless = |effect: &&Effect| {
        formats(effect) || changes(effect) && !matches!(effect.target, Some(Target::Path(_)))
    };
    for effect in effects.effects.iter().filter(nameless) {
        let call = effect.call.and_then(|index| effects.calls.get(index));
        if call.is_none_or(|call| in_project(call, places)) {
            found.push((effect.span.start, without_secrets(&places.project)));
        }
    }
    for effect in effects.effects.iter().filter(changes) {
        let Some(Target::Path(path)) = &effect.target else { continue };
        let is_git = path.traits.contains(hookgate_effects::Traits::GIT);
        if path.place == Place::Project && !is_git && !is_output_of_tests(effect, effects) {
            found.push((effect.span.start, without_secrets(&path.path)));
        }
    }
    for (index, call) in effects.calls.iter().enumerate() {
        if puts_changes(effects, index, call) && in_project(call, places) {
            found.push((call.span.start, without_secrets(&places.project)));
        }
    }
    found
}

/// Does a call of git put changes into the work tree, in files that only the repository knows (`git stash pop`)?
fn puts_changes(effects: &Effects, index: usize, call: &Call) -> bool {
    let changes = |effect: &Effect| effect.call == Some(index) && effect.kind == Kind::GitChange;
    let row = || shipped().table("git/fills").find(&call.subcommand.join("."));
    let edits = || row().is_some_and(|row| row.cells().any(|cell| cell == "edits"));
    effects.effects.iter().any(changes) && edits()
}

/// A path as it is, but for a secret in it.
fn without_secrets(path: &str) -> String {
    mask(path).unwrap_or_else(|| path.to_owned())
}

/// Is it what tests print, redirected into a file that holds no code?
fn is_output_of_tests(effect: &Effect, effects: &Effects) -> bool {
    let Some(Target::Path(path)) = &effect.target else { return false };
    let ending = path.path.rsplit_once('.').map_or("", |(_, ending)| ending);
    if effect.call.is_some() || !shipped().table("commands/tests/outputs").contains(ending) {
        return false;
    }
    let before = effects.calls.iter().enumerate().filter(|(_, call)| call.span.start <= effect.span.start);
    let nearest = before.max_by_key(|(_, call)| call.span.start);
    nearest.is_some_and(|(index, _)| runs_tests(effects, index))
}

fn runs_tests(effects: &Effects, call: usize) -> bool {
    effects.effects.iter().any(|effect| effect.kind == Kind::Test && effect.call == Some(call))
}

/// The calls of tests in a text, with the place of each.
fn tests(
    text: &str,
    effects: &Effects,
    policy: &Policy,
    places: &Places,
    quoted: &dyn Fn(&str) -> String,
) -> Vec<(Span, TestRun)> {
    let counted = |call: &Call| {
        let arguments: Vec<Option<&str>> =
            call.arguments.iter().map(|argument| argument.text.as_deref()).collect();
        policy.gates.iter().flat_map(|gate| &gate.counts).any(|pattern| {
            // A script is named by its path, a program by its name.
            pattern.matches(&call.word, &arguments, true) || pattern.matches(&call.program, &arguments, true)
        })
    };
    let mut runs = Vec::new();
    let mut shown: Option<Vec<Span>> = None;
    for (index, call) in effects.calls.iter().enumerate() {
        let own = counted(call);
        if !runs_tests(effects, index) && !own {
            continue;
        }
        let shown = shown.get_or_insert_with(|| shown_by_success(&parse(text, &Limits::default())));
        // Assignments stand before a call; what a substitution in it runs ends before it.
        let is_root = |shown: &Span, root: Span| shown.start <= root.start && shown.end == root.end;
        let is_shown = in_project(call, places)
            && (own || !is_idle(effects, index))
            && root(effects, index).is_some_and(|root| shown.iter().any(|shown| is_root(shown, root.span)));
        let words = text.get(call.span.start as usize..call.span.end as usize).unwrap_or(&call.program);
        runs.push((call.span, TestRun { call: quoted(words), shown: is_shown }));
    }
    runs
}

/// Does the call, or one that starts it, list or plan tests, or may other programs run in their place?
fn is_idle(effects: &Effects, index: usize) -> bool {
    let mut at = Some(index);
    for _ in 0..effects.calls.len() {
        let Some((index, call)) = at.and_then(|index| Some((index, effects.calls.get(index)?))) else {
            break;
        };
        // An assignment before a call is its own, or the whole text's.
        let replaces = |effect: &Effect| match &effect.target {
            Some(Target::Name(name)) => shipped().table("commands/tests/replacing-variables").contains(name),
            _ => false,
        };
        let its = |effect: &Effect| {
            effect.call.is_none_or(|call| call == index || is_export(effects, call, index))
                && replaces(effect)
        };
        let steered = effects.effects.iter().any(|effect| effect.kind == Kind::Hijack && its(effect));
        if steered || says_idle(call, &exported(effects, index)) {
            return true;
        }
        at = call.carrier;
    }
    false
}

/// Does a call before the other one export variables?
fn is_export(effects: &Effects, call: usize, before: usize) -> bool {
    let exports = |call: &Call| shipped().table("commands/tests/exports").contains(&call.program);
    call < before && effects.calls.get(call).is_some_and(exports)
}

/// What was exported before a call, as far as it is written: `NAME=VALUE`.
fn exported(effects: &Effects, before: usize) -> Vec<(&str, &str)> {
    let calls = effects.calls.iter().enumerate().filter(|(index, _)| is_export(effects, *index, before));
    let words = calls.flat_map(|(_, call)| &call.arguments).filter_map(|argument| argument.text.as_deref());
    words.filter_map(|word| word.split_once('=')).collect()
}

/// Is it the option, alone, with its value, or one of several letters behind one dash?
fn is_option(cell: &str, word: &str, clusters: bool) -> bool {
    let letter = cell.strip_prefix('-').filter(|letter| letter.len() == 1);
    let letters =
        word.strip_prefix('-').filter(|letters| letters.bytes().all(|byte| byte.is_ascii_alphabetic()));
    // `-x=test` is `-xtest` as well.
    let joined = cell.split_once('=').filter(|(option, value)| option.len() == 2 && !value.is_empty());
    cell == word
        || cell.ends_with('=') && word.starts_with(cell)
        || joined.is_some_and(|(option, value)| word.strip_prefix(option) == Some(value))
        || clusters && letter.zip(letters).is_some_and(|(letter, letters)| letters.contains(letter))
}

/// Do the words of a call, or of a variable from which it reads options, say that no tests run?
fn says_idle(call: &Call, exported: &[(&str, &str)]) -> bool {
    let row = shipped().table("commands/tests/idle").find(&call.program);
    let everywhere = shipped().table("commands/tests/idle-options");
    let clusters = shipped().table("commands/tests/clusters").contains(&call.program);
    let is_idle = |word: &str| {
        everywhere.contains(word)
            || row.is_some_and(|row| row.cells().any(|cell| is_option(cell, word, clusters)))
    };
    let words: Vec<&str> =
        call.arguments.iter().map(|argument| argument.text.as_deref().unwrap_or("")).collect();
    let pairs = words.windows(2).map(|pair| pair.join("="));
    let variables = shipped().table("commands/tests/options-in-variables");
    let own = call.environment.iter().map(|(name, value)| (name.as_str(), value.as_deref()));
    let all = own.chain(exported.iter().map(|(name, value)| (*name, Some(*value))));
    let mut read = all.filter(|(name, _)| variables.contains(name));
    words.iter().any(|word| is_idle(word))
        || pairs.into_iter().any(|pair| is_idle(&pair))
        || read.any(|(_, value)| value.is_none_or(|value| value.split_whitespace().any(is_idle)))
}

/// Does a call run in the project, as far as its directory is known? Tests that lie elsewhere show nothing of this one.
fn in_project(call: &Call, places: &Places) -> bool {
    let Some(directory) = &call.cwd else { return true };
    let within = |path: &str, root: &str| {
        let rest = path.strip_prefix(root.trim_end_matches('/'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    // From above, its tests run as well.
    let roots = std::iter::once(&places.project).chain(&places.also_project);
    roots.into_iter().any(|root| within(directory, root) || within(root, directory))
}

/// The call of the text that a call is carried by, if all that carry it end as it ends.
fn root(effects: &Effects, index: usize) -> Option<&Call> {
    let mut call = effects.calls.get(index)?;
    for _ in 0..effects.calls.len() {
        let Some(carrier) = call.carrier.and_then(|index| effects.calls.get(index)) else {
            return Some(call);
        };
        let hands_on = (carrier.acts_as("carrier") && !carrier.acts_as("shell")) || carrier.acts_as("runner");
        if !hands_on {
            return None;
        }
        call = carrier;
    }
    None
}

/// Did the command succeed? `None` where the agent doesn't say so.
fn succeeded(event: &Event) -> Option<bool> {
    match event.outcome? {
        Outcome::Failed => Some(false),
        Outcome::Unclear => None,
        Outcome::Ran => {
            // An agent without an event for failures reports them as it reports successes.
            if !event.agent.events.contains(&EventName::PostToolUseFailure) {
                return None;
            }
            let response = event.fields.get("tool_response");
            let set = |key: &str| {
                let value = response.and_then(|response| response.get(key));
                value.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
            };
            // In the background it hasn't ended; an exit code that was interpreted isn't 0.
            let unclear = ["backgroundTaskId", "interrupted", "timedOutAfterMs", "returnCodeInterpretation"];
            (!unclear.into_iter().any(set)).then_some(true)
        }
    }
}

/// What a command printed.
fn output(event: &Event) -> String {
    if let Some(error) = event.text("error") {
        return error.to_owned();
    }
    let Some(response) = event.fields.get("tool_response") else { return String::new() };
    let text = |key: &str| response.get(key).and_then(Value::as_str).unwrap_or_default();
    match response {
        Value::String(text) => text.clone(),
        _ => [text("stdout"), text("stderr")]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

/// What the user answered, from the tool's own result.
fn answers(event: &Event) -> impl Iterator<Item = What> {
    let response = event.fields.get("tool_response");
    let answers = response.and_then(|response| response.get("answers")).and_then(Value::as_object);
    answers.into_iter().flatten().take(4).map(|(question, answer)| What::Answer {
        question: quoted(question),
        answer: quoted(answer.as_str().map_or_else(|| answer.to_string(), str::to_owned).as_str()),
    })
}

/// Lines with a mark that the edit added.
fn marks(event: &Event, path: &str) -> Vec<(String, String)> {
    let Some(call) = event.tool() else { return Vec::new() };
    let text = |key: &str| call.text(key).unwrap_or_default();
    let response = event.fields.get("tool_response");
    let original = response.and_then(|response| response.get("originalFile")).and_then(Value::as_str);
    let (old, new) = match text("new_string") {
        "" => (original.unwrap_or_default(), text("content")),
        new => (text("old_string"), new),
    };
    // A line with a secret is not kept; without the secret it would not be found again.
    let marked = |line: &&str| is_task(line) && line.len() <= LONGEST_LINE && redact(line) == **line;
    let old: Vec<&str> = old.lines().map(str::trim).filter(marked).collect();
    new.lines()
        .map(str::trim)
        .filter(marked)
        .filter(|line| !old.contains(line))
        .take(MOST_MARKS)
        .map(|line| (path.to_owned(), line.to_owned()))
        .collect()
}
