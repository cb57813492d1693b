//! The way out of `hookgate hook`: exactly one answer, whoever comes first (the judgement, the watchdog, a panic).

use std::io::Write;
use std::panic;
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use hookgate_agents::{Answer, CLAUDE_CODE, Decision, EventName, Profile, failure_answer};

/// What is known so far of the event: what an answer without a judgement has to go by.
struct Situation {
    agent: &'static Profile,
    name: Option<EventName>,
    on_error: Decision,
}

static SITUATION: Mutex<Situation> =
    Mutex::new(Situation { agent: &CLAUDE_CODE, name: None, on_error: Decision::Ask });
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// Notes which agent waits for the answer.
pub(crate) fn note_agent(agent: &'static Profile) {
    if let Ok(mut situation) = SITUATION.lock() {
        situation.agent = agent;
    }
}

/// Notes which event it is, for an answer without a judgement.
pub(crate) fn note_event(name: Option<EventName>) {
    if let Ok(mut situation) = SITUATION.lock() {
        situation.name = name;
    }
}

/// Notes what a tool call gets when the gate itself fails.
pub(crate) fn note_on_error(on_error: Decision) {
    if let Ok(mut situation) = SITUATION.lock() {
        situation.on_error = on_error;
    }
}

/// Answers by the event's class after `deadline`, if nobody has answered by then.
pub(crate) fn watch(deadline: Duration) {
    let watchdog =
        thread::Builder::new().name("watchdog".to_owned()).stack_size(64 * 1024).spawn(move || {
            thread::sleep(deadline);
            fail(&format!("hookgate did not decide within {} ms", deadline.as_millis()))
        });
    // Without a thread there is no watchdog; the agent's own timeout remains.
    drop(watchdog);
}

/// Makes a panic answer like any other failure. Nothing is printed but the answer.
pub(crate) fn answer_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        fail(&format!("hookgate failed{place}; please report it"))
    }));
}

/// Answers without a judgement, by the event's class.
pub(crate) fn fail(problem: &str) -> ! {
    // `try_lock`: a panic may come from within the lock.
    let answer = match SITUATION.try_lock() {
        Ok(situation) => {
            failure_answer(situation.agent, situation.name.as_ref(), situation.on_error, problem)
        }
        Err(_) => failure_answer(&CLAUDE_CODE, None, Decision::Ask, problem),
    };
    answer_with(&answer)
}

/// Writes the answer whole and ends the process. A second caller waits for the first one's end.
pub(crate) fn answer_with(answer: &Answer) -> ! {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        loop {
            thread::park();
        }
    }
    if answer.stdout.is_empty() || write_whole(&answer.stdout) {
        // `stderr` is text beside exit code 2 and goes with the answer.
        if !answer.stderr.is_empty() {
            let _ = std::io::stderr().write_all(&answer.stderr);
        }
        process::exit(i32::from(answer.exit));
    }
    // Law 1's one exception: exit 0 with nothing would be a grant, so a refusal that can't be written exits with 2.
    let last_resort = answer.fallback();
    let _ = std::io::stderr().write_all(&last_resort.stderr);
    process::exit(i32::from(last_resort.exit))
}

fn write_whole(bytes: &[u8]) -> bool {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).is_ok()
}
