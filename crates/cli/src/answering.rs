//! The way out of `hookgate hook`: exactly one answer, whoever comes first (the judgement, the watchdog, a panic).

use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hookgate_agents::{Answer, CLAUDE_CODE, Decision, EventClass, EventName, Profile, failure_answer};
use hookgate_host::{Audit, Directories, Running, Trust, project_directory};

use crate::gate::on_error_named;
use crate::{bounds, found};

/// What is known so far: what an answer without a judgement has to go by.
#[derive(Clone)]
struct Situation {
    agent: &'static Profile,
    name: Option<EventName>,
    /// What the policy says that a tool call gets, once it is read.
    on_error: Option<Decision>,
    /// The log, once the policy is read; nothing before that.
    audit: Option<Audit>,
}

const NOTHING_KNOWN: Situation = Situation { agent: &CLAUDE_CODE, name: None, on_error: None, audit: None };

static SITUATION: Mutex<Situation> = Mutex::new(NOTHING_KNOWN);
static ANSWERED: AtomicBool = AtomicBool::new(false);
/// The file that says that this process is judging, once it has been for a while.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

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

/// Notes what the policy says that a tool call gets when the gate itself fails, and where that is recorded.
pub(crate) fn note_policy(on_error: Decision, audit: Option<Audit>) {
    if let Ok(mut situation) = SITUATION.lock() {
        situation.on_error = Some(on_error);
        situation.audit = audit;
    }
}

/// The stack of the judgement, in bytes: far more than the depths that are counted need. Only what is used of it is ever real.
const STACKS: [usize; 2] = [64 << 20, 8 << 20];
/// How long the record of a failure may hold its answer up.
const RECORDING: Duration = Duration::from_millis(200);
/// How often it is seen whether the judgement stays within its memory. Most are through before the first look.
const LOOK: Duration = Duration::from_millis(10);

/// Runs `judge`, which answers and ends the process, on a stack of our own size, and answers by the event's class if it
/// takes longer than `deadline` from `start` or more memory than it may.
pub(crate) fn watched<T: Clone + Send + 'static>(
    start: Instant,
    deadline: Duration,
    input: &T,
    judge: fn(&T) -> !,
) -> ! {
    for size in STACKS {
        let input = input.clone();
        let judgement = thread::Builder::new().name("judgement".to_owned()).stack_size(size);
        if judgement.spawn(move || -> () { judge(&input) }).is_ok() {
            watch(start, deadline);
        }
    }
    // Without a second thread there is no watchdog; the agent's own timeout remains.
    judge(input)
}

fn watch(start: Instant, deadline: Duration) -> ! {
    let mut looks = 0_u32;
    loop {
        let left = deadline.saturating_sub(start.elapsed());
        if left.is_zero() {
            fail(&format!("hookgate didn't decide within {} ms", deadline.as_millis()));
        }
        thread::sleep(left.min(LOOK));
        looks = looks.saturating_add(1);
        if looks == 1 {
            note_running();
        }
        if bounds::memory().is_some_and(|held| held > bounds::MEMORY) {
            fail(&format!("hookgate didn't decide within {} MB of memory", bounds::MEMORY >> 20));
        }
    }
}

/// Leaves a file behind that the next run finds if this process ends without an answer.
fn note_running() {
    let Ok(mut running) = RUNNING.lock() else { return };
    // Who answers takes the file away once it has answered: after that nobody would.
    if ANSWERED.load(Ordering::SeqCst) {
        return;
    }
    let name = SITUATION.lock().ok().and_then(|situation| situation.name.clone());
    let name = name.as_ref().map_or("", EventName::as_str);
    let state = Directories::from_environment().state;
    *running = state.and_then(|state| Running::note(&state, name, now()));
}

/// Takes the file away. Whoever is just making it is waited for: a file that is left behind tells of a crash that wasn't.
/// The answer has been written by then.
fn end_running() {
    for _ in 0..500 {
        match RUNNING.try_lock() {
            Ok(mut running) => {
                if let Some(running) = running.take() {
                    running.end();
                }
                return;
            }
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// Records the processes before this one that ended without an answer.
pub(crate) fn record_crashes(state: &Path, audit: Option<&Audit>) {
    for crashed in hookgate_host::crashed(state) {
        let name = Some(EventName::from(crashed.event.as_str())).filter(|_| !crashed.event.is_empty());
        let problem = "hookgate was ended before it could answer";
        let id = hookgate_host::decision_id();
        let line = hookgate_engine::failure(&id, crashed.time, name.as_ref(), problem, None);
        // What can't be recorded is told where this run's own record can't be written either.
        let _ = audit.map(|audit| audit.append(&line));
    }
}

/// Milliseconds since the Unix epoch.
fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// Makes a panic answer like any other failure. Nothing is printed but the answer.
pub(crate) fn answer_panics() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        fail(&format!("hookgate failed{place}; please report it"))
    }));
}

/// Answers without a whole judgement: by what had been found, else by the event's class.
pub(crate) fn fail(problem: &str) -> ! {
    if ANSWERED.load(Ordering::SeqCst) || found::is_judging() {
        wait_for_the_end();
    }
    // `try_lock`: a panic may come from within the lock.
    let situation = SITUATION.try_lock().map(|situation| situation.clone()).ok();
    let Situation { agent, name, on_error, audit } = situation.unwrap_or(NOTHING_KNOWN);
    let directories = std::env::current_dir()
        .map_or_else(|_| Directories::from_environment(), |cwd| Directories::from_environment().around(&cwd));
    let on_error = on_error.unwrap_or_else(|| last_known(&directories));
    let holds = found::what_holds(problem, on_error);
    let by_class = || {
        let is_call = name.as_ref().is_none_or(|name| name.class() == EventClass::ToolCall);
        let decision = if is_call { on_error } else { Decision::Pass };
        (decision, failure_answer(agent, name.as_ref(), on_error, problem))
    };
    let (decision, answer) = holds.unwrap_or_else(by_class);
    record(audit, &directories, name.as_ref(), problem, decision);
    answer_with(&answer)
}

/// What a policy said, the last time that it was read here, that a tool call gets when the gate fails.
fn last_known(directories: &Directories) -> Decision {
    let cwd = std::env::current_dir().unwrap_or_default();
    let kept = Trust::new(directories).kept_on_error(&project_directory(&cwd));
    kept.and_then(|name| on_error_named(&name)).unwrap_or(Decision::Ask)
}

/// Records the failure. What keeps that from being written must not keep the answer, so that it is not waited for long.
fn record(
    audit: Option<Audit>,
    directories: &Directories,
    name: Option<&EventName>,
    problem: &str,
    answered: Decision,
) {
    let usual = || directories.state.as_ref().map(|state| Audit::new(state.join("audit.jsonl"), u64::MAX));
    let Some(audit) = audit.or_else(usual) else { return };
    let now = now();
    let line = hookgate_engine::failure(&hookgate_host::decision_id(), now, name, problem, Some(answered));
    let (done, is_done) = mpsc::channel();
    let writer = thread::Builder::new().name("record".to_owned()).stack_size(256 * 1024);
    let started = writer.spawn(move || {
        let _ = audit.append(&line);
        let _ = done.send(());
    });
    if started.is_ok() {
        let _ = is_done.recv_timeout(RECORDING);
    }
}

/// Somebody else answers, and ends the process.
fn wait_for_the_end() -> ! {
    loop {
        thread::park();
    }
}

/// Writes the answer whole and ends the process. A second caller waits for the first one's end.
pub(crate) fn answer_with(answer: &Answer) -> ! {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        wait_for_the_end();
    }
    if answer.stdout.is_empty() || write_whole(&answer.stdout) {
        // `stderr` is text beside exit code 2 and goes with the answer.
        if !answer.stderr.is_empty() {
            let _ = io::stderr().write_all(&answer.stderr);
        }
        end_running();
        process::exit(i32::from(answer.exit));
    }
    // Law 1's one exception: exit 0 with nothing would be a grant, so a refusal that can't be written exits with 2.
    let last_resort = answer.fallback();
    let _ = io::stderr().write_all(&last_resort.stderr);
    end_running();
    process::exit(i32::from(last_resort.exit))
}

/// Writes to standard output. The library takes a closed one for a success, and opens `/dev/null` in its place at the start.
#[cfg(unix)]
fn write_whole(mut bytes: &[u8]) -> bool {
    use rustix::io::Errno;
    if leads_nowhere() {
        return false;
    }
    let stdout = io::stdout();
    let end = Instant::now() + PATIENCE;
    while !bytes.is_empty() {
        match rustix::io::write(&stdout, bytes) {
            Ok(count) if count > 0 => bytes = bytes.get(count..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            // A pipe that does not wait, and is full.
            Err(Errno::AGAIN) if Instant::now() < end => thread::sleep(Duration::from_millis(1)),
            _ => return false,
        }
    }
    true
}

/// How long a full pipe is waited for that does not wait by itself.
#[cfg(unix)]
const PATIENCE: Duration = Duration::from_secs(1);

/// Is standard output the device that forgets what is written to it?
#[cfg(unix)]
fn leads_nowhere() -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &str| std::fs::metadata(path).map(|metadata| metadata.rdev());
    match (device("/dev/stdout"), device("/dev/null")) {
        (Ok(stdout), Ok(nowhere)) => stdout == nowhere,
        _ => false,
    }
}

#[cfg(not(unix))]
fn write_whole(bytes: &[u8]) -> bool {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).is_ok()
}
