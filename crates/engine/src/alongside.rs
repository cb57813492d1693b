//! What other sessions in the same repository hear of this one: the files that it changes, and what it leaves running.

use hookgate_agents::{Decision, Event, EventName, Value};
use hookgate_effects::{Effects, Kind, Place, Places, Target, Traits};
use hookgate_policy::{Level, Mode, Policy};
use hookgate_secrets::mask;
use hookgate_session::Trace;

use crate::secrets::Concealed;
use crate::{Judged, Memory};

/// The most files of one call that are noted.
const MOST: usize = 32;
/// The longest command that is noted, in characters.
const LONGEST: usize = 120;
/// The rules that read it.
const RULES: [&str; 5] = ["SESS101", "SESS102", "SESS103", "SESS104", "SESS105"];

/// Does a rule of the policy read what other sessions do? Then hookgate has to hear of the end of each.
#[must_use]
pub fn hears_of_sessions(policy: &Policy) -> bool {
    RULES.into_iter().any(|code| policy.level(code) != Level::Off)
}

/// Notes what a call that goes ahead changes, and that a session has begun or ended. Where no rule reads it, nothing is noted.
pub(crate) fn note(event: &Event, policy: &Policy, places: &Places, memory: &dyn Memory, judged: &Judged) {
    let is_due =
        matches!(event.name, EventName::PreToolUse | EventName::SessionStart | EventName::SessionEnd);
    if !is_due || event.session_id.is_empty() || policy.mode != Mode::Enforce {
        return;
    }
    if !hears_of_sessions(policy) {
        return;
    }
    if event.name == EventName::SessionEnd {
        return memory.leave(&places.project, &event.session_id);
    }
    let mut trace = Trace { at: memory.host().now(), ..Trace::default() };
    if event.name == EventName::PreToolUse {
        if judged.verdict.decision >= Decision::Ask {
            return;
        }
        trace.changed = changed(&judged.effects);
        trace.started = started(event, &judged.effects);
        if trace.changed.is_empty() && trace.started.is_empty() {
            return;
        }
    }
    memory.note_trace(&places.project, &event.session_id, &trace);
}

/// The files of the project that a call changes.
fn changed(effects: &Effects) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for effect in &effects.effects {
        let Some(Target::Path(path)) = &effect.target else { continue };
        let changes = matches!(effect.kind, Kind::Write | Kind::Append | Kind::Delete | Kind::Move);
        let is_git = path.traits.contains(Traits::GIT);
        if changes && path.place == Place::Project && !is_git && !path.pattern && !paths.contains(&path.path)
        {
            paths.push(mask(&path.path).unwrap_or_else(|| path.path.clone()));
        }
        if paths.len() >= MOST {
            break;
        }
    }
    paths
}

/// The command that is left running in the background.
fn started(event: &Event, effects: &Effects) -> Vec<String> {
    let Some(call) = event.tool() else { return Vec::new() };
    let in_background = call.input.get("run_in_background").and_then(Value::as_bool) == Some(true);
    let command = call.shell_text().filter(|_| in_background);
    let secrets = Concealed::of(event, effects, &[]);
    command.map(|text| secrets.redacted(text).chars().take(LONGEST).collect()).into_iter().collect()
}
