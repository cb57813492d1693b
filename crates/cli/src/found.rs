//! What was found of a call before its judgement failed: what that forbids stays forbidden, whatever the rest would have been.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use hookgate_agents::{Answer, Decision, Event, EventClass, respond};
use hookgate_effects::Effects;
use hookgate_host::{Directories, Machine};

use crate::gate::Gate;
use crate::recording::record;

/// How long the answer waits for what was found to be judged. The agent's timeout leaves far more beyond the deadline.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many readings are kept: the call as it was made, and what is put in its place.
const MOST_READINGS: usize = 4;
/// The name of the thread that judges what was found.
const NAME: &str = "found";
const STACK: usize = 8 << 20;

struct Found {
    call: Option<Call>,
    readings: Vec<Effects>,
    answer: Option<Held>,
}

/// An answer that holds, and the decision that it tells.
pub(crate) type Held = (Decision, Answer);

#[derive(Clone)]
struct Call {
    event: Arc<Event>,
    cwd: PathBuf,
    start: Instant,
}

static FOUND: Mutex<Found> = Mutex::new(Found { call: None, readings: Vec::new(), answer: None });

/// Notes the event that is being judged, where, and since when.
pub(crate) fn note_call(event: &Arc<Event>, cwd: &Path, start: Instant) {
    if let Ok(mut found) = FOUND.lock() {
        found.call = Some(Call { event: Arc::clone(event), cwd: cwd.to_owned(), start });
    }
}

/// Notes what was found beyond the first `known` effects; with none known, another reading begins.
pub(crate) fn note_effects(effects: &Effects, known: usize) {
    let Ok(mut found) = FOUND.lock() else { return };
    if known == 0 && found.readings.len() < MOST_READINGS {
        found.readings.push(Effects::default());
    }
    let Some(reading) = found.readings.last_mut() else { return };
    let calls = effects.calls.get(reading.calls.len()..).unwrap_or_default();
    reading.calls.extend_from_slice(calls);
    reading.effects.extend_from_slice(effects.effects.get(known..).unwrap_or_default());
}

/// Notes the answer, once it is known and before it is given.
pub(crate) fn note_answer(decision: Decision, answer: Answer) {
    if let Ok(mut found) = FOUND.lock() {
        found.answer = Some((decision, answer));
    }
}

/// Is this the thread that judges what was found? Nobody waits for its own failure.
pub(crate) fn is_judging() -> bool {
    thread::current().name() == Some(NAME)
}

/// What still holds after a failure of which `problem` tells: the answer, if it was known; else one by what had been found, where
/// that is as strict as `on_error` and stops the call.
pub(crate) fn what_holds(problem: &str, on_error: Decision) -> Option<Held> {
    let (call, readings) = {
        // `try_lock`: a panic may come from within the lock.
        let mut found = FOUND.try_lock().ok()?;
        if let Some(answer) = found.answer.take() {
            return Some(answer);
        }
        (found.call.clone()?, std::mem::take(&mut found.readings))
    };
    // A failure releases whoever wants to finish.
    if readings.is_empty() || call.event.name.class() == EventClass::StopLike {
        return None;
    }
    let problem = format!("{problem}; what it had found by then still applies");
    let (done, is_done) = mpsc::channel();
    let judging = thread::Builder::new().name(NAME.to_owned()).stack_size(STACK);
    judging.spawn(move || drop(done.send(judged(&call, readings, problem, on_error)))).ok()?;
    is_done.recv_timeout(PATIENCE).ok()?
}

fn judged(call: &Call, readings: Vec<Effects>, problem: String, on_error: Decision) -> Option<Held> {
    let Call { event, cwd, start } = call;
    let directories = Directories::from_environment().around(cwd);
    let gate = Gate::load(directories.clone(), cwd, Machine::new(directories));
    let all = readings.into_iter().map(|reading| gate.judge_found(event, reading));
    let mut judged = all.max_by_key(|judged| judged.verdict.decision)?;
    let verdict = &mut judged.verdict;
    if verdict.decision < Decision::Ask {
        return None;
    }
    verdict.decision = verdict.decision.max(on_error);
    verdict.rewrite = None;
    verdict.reasons.push(problem);
    record(&gate, event, &mut judged, *start);
    Some((judged.verdict.decision, respond(event, &judged.verdict)))
}
