//! Law 1, measured: thousands of faults, and after each of them an answer in the right shape, in time, within its memory, that
//! lets nothing go which the policy denies; and no record lost but that of a process that was killed.
//!
//! `HOOKGATE_FAULTS` says how many; without it there are as many as a change can wait for. `HOOKGATE_FAULTS_SEED` repeats a run, and
//! `HOOKGATE_FAULTS_ONLY` those of it with these numbers (`107,391`).

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test may panic and print, and says where"
)]

mod machine;
mod nesting;
mod wire;

#[path = "../suite/support.rs"]
#[expect(dead_code, reason = "the other test program uses the rest")]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Ground, feed};

/// How many calls a change waits for that are judged while a policy is saved.
const SAVED: usize = 500;
/// How many faults a change waits for.
const QUICK: usize = 2_000;
/// The deadline that the hook is given.
const DEADLINE: Duration = Duration::from_secs(5);
/// What the test program may lag behind on a busy machine.
const SLACK: Duration = Duration::from_secs(3);
/// The memory that the process may use besides its reserved stack, in kilobytes.
const MEMORY: usize = 64 * 1024;
/// The stack that it reserves, in kilobytes.
const STACK: usize = 64 * 1024;

/// The call that the policy of every fault denies.
const DENIED: &str = "touch denied.txt";
const POLICY: &str = "[[rule]]\ncode = \"OWN001\"\non = [\"PreToolUse\", \"UserPromptSubmit\"]\nwhen = { any = [{ run = \"touch denied.txt\" }, \
                      { prompt = \"/forbidden/\" }] }\nthen = \"deny\"\nreason = \"not this\"\n";

/// Numbers that look random and are the same for the same seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % end.max(1)
    }

    /// One of these.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// What may not happen after a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A tool call that the policy denies: denied or asked about.
    Stopped,
    /// Anything, in the right shape.
    Shape,
    /// The process was killed: anything but a pass.
    Killed,
}

/// A fault: a name for the report, and what to do on a ground of its own.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Ground, &mut Dice) -> Result<(), String>,
}

/// The hook, started by a shell that takes limits on first.
pub(crate) fn hook(ground: &Ground, event: &str, before: &str, redirections: &str) -> Command {
    let mut shell = Command::new("bash");
    let program = env!("CARGO_BIN_EXE_hookgate");
    let data = STACK + MEMORY;
    let named = if event.is_empty() { String::new() } else { format!("--event {event}") };
    shell.args(["-c", &format!("ulimit -d {data}\n{before}\nexec {program} hook {named} {redirections}")]);
    shell.env_clear().env("HOME", ground.home()).env("PATH", "/usr/bin:/bin").current_dir(ground.project());
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// Runs it and holds its answer to the rule.
pub(crate) fn held(command: Command, bytes: &[u8], rule: Rule) -> Result<Output, String> {
    let start = Instant::now();
    let output = feed(command, bytes);
    judged(&output, rule, start.elapsed()).map_err(|problem| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{problem}; stdout {:?}; stderr {:?}", short(&output.stdout), short(said.as_bytes()))
    })?;
    Ok(output)
}

/// What is wrong with an answer.
pub(crate) fn judged(output: &Output, rule: Rule, took: Duration) -> Result<(), String> {
    if took > DEADLINE + SLACK {
        return Err(format!("took {took:?}"));
    }
    match output.status.code() {
        Some(2) if !output.stderr.is_empty() => return Ok(()),
        Some(0) => {}
        None if rule == Rule::Killed => return Ok(()),
        _ => return Err(format!("ended by {:?} / {:?}", output.status.code(), output.status.signal())),
    }
    if output.stdout.is_empty() {
        return if rule == Rule::Shape { Ok(()) } else { Err("let it go".to_owned()) };
    }
    let answer: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("no JSON: {error}"))?;
    let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("pass");
    let blocks = answer["decision"] == "block" || matches!(decision, "ask" | "deny");
    if rule != Rule::Shape && !blocks {
        return Err(format!("answered {decision}"));
    }
    if answer.is_object() { Ok(()) } else { Err("no object".to_owned()) }
}

/// A text's beginning, for a report.
fn short(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(300).collect()
}

/// A number in the environment.
fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

/// A ground with the policy in force, which has been read once, so that there is a last good version of it.
fn ground() -> Ground {
    let ground = Ground::new();
    ground.policy(POLICY);
    ground.hook(&ground.bash("git status"));
    ground
}

#[test]
fn no_fault_lets_a_denied_call_go_or_loses_an_answer() {
    let count = number("HOOKGATE_FAULTS").unwrap_or(QUICK);
    let seed = number("HOOKGATE_FAULTS_SEED").unwrap_or(1);
    let only: Option<Vec<usize>> = std::env::var("HOOKGATE_FAULTS_ONLY")
        .ok()
        .map(|list| list.split(',').map(|number| number.parse().unwrap()).collect());
    let faults: Vec<Fault> =
        wire::faults().into_iter().chain(machine::faults()).chain(nesting::faults()).collect();
    let next = AtomicUsize::new(0);
    let problems: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let counted: Mutex<BTreeMap<&str, usize>> = Mutex::new(BTreeMap::new());
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    if at >= count {
                        return;
                    }
                    if only.as_ref().is_some_and(|only| !only.contains(&at)) {
                        continue;
                    }
                    let fault = &faults[at % faults.len()];
                    let mut dice = Dice::new(u64::try_from(seed * 1_000_003 + at).unwrap());
                    let ground = ground();
                    if let Err(problem) = (fault.run)(&ground, &mut dice) {
                        problems.lock().unwrap().push(format!("{at} {}: {problem}", fault.name));
                    }
                    *counted.lock().unwrap().entry(fault.name).or_default() += 1;
                }
            });
        }
    });
    let kinds = counted.lock().unwrap().len();
    println!("{count} faults of {kinds} kinds in {:?}", start.elapsed());
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{} of {count}:\n{}", problems.len(), problems.join("\n"));
}

/// `HOOKGATE_SAVED` says how many calls.
#[test]
fn no_denial_is_let_go_while_its_policy_is_saved() {
    let count = number("HOOKGATE_SAVED").unwrap_or(SAVED);
    let problems = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for way in 0..machine::WAYS {
            let problems = &problems;
            scope.spawn(move || {
                let result = machine::while_it_is_saved(&ground(), way, count / machine::WAYS);
                problems.lock().unwrap().extend(result.err());
            });
        }
    });
    println!("{count} calls while a policy is saved in {} ways", machine::WAYS);
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The records of the log, and how many lines are none.
pub(crate) fn log(ground: &Ground) -> (Vec<Value>, usize) {
    let text = fs::read(ground.audit()).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let (whole, torn): (Vec<_>, Vec<_>) = lines.map(serde_json::from_slice).partition(Result::is_ok);
    (whole.into_iter().map(Result::unwrap).collect(), torn.len())
}
