//! Asks programs for their versions, away from the hot path, and writes down what they say.

use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hookgate_engine::{Host, ProgramFile, missing};
use hookgate_host::{Directories, Machine, record_version};
use hookgate_policy::Policy;

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(3);

/// What was found out, and whether it is about `rewrites` or `hooks`.
pub(crate) type Said = (&'static str, String);

/// Asks every program that a rewrite or a hook requires and that was not asked yet. Returns what is missing, in words, and what is there.
pub(crate) fn ask(policy: &Policy, directories: &Directories) -> (Vec<Said>, Vec<Said>) {
    let machine = Machine::new(directories.clone());
    let (mut problems, mut good) = (Vec::new(), Vec::new());
    let rewrites = policy.rewrites.iter();
    let rewrites = rewrites.map(|one| ("rewrites", &one.requires, &one.code, "doesn't rewrite anything"));
    let hooks = policy.hooks.iter().map(|one| ("hooks", &one.requires, &one.code, "doesn't run"));
    for (kind, requires, code, idle) in rewrites.chain(hooks) {
        for requirement in requires {
            if let (Some(program), Some(state)) = (machine.program(&requirement.program), &directories.state)
                && requirement.minimum.is_some()
                && machine.version(&program).is_none()
                && let Some(said) = said(&program)
            {
                // Where nothing can be written, `missing` says below that nobody was asked.
                let _ = record_version(state, &program, &said);
            }
            let (list, text) = match missing(std::slice::from_ref(requirement), code, idle, &machine) {
                Some(problem) => (&mut problems, problem),
                None => (&mut good, format!("`{}` is installed, for {code}", requirement.program)),
            };
            let text = (kind, text);
            if !list.contains(&text) {
                list.push(text);
            }
        }
    }
    (problems, good)
}

/// What the program prints for `--version`.
fn said(program: &ProgramFile) -> Option<String> {
    let mut child = Command::new(&program.path)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    let exited = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(10)),
            _ => break false,
        }
    };
    if !exited {
        let _ = child.kill();
        let _ = child.wait();
        return None;
    }
    let mut text = String::new();
    child.stdout.take()?.take(4096).read_to_string(&mut text).ok()?;
    Some(text)
}
