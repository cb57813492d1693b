//! Runs the hook programs of a policy for the engine.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use hookgate_agents::{HookOutput, Profile};
use hookgate_host::HookRunner;
use hookgate_policy::{HookProgram, SupervisedHook};
use hookgate_run::{End, Outcome, Program, run_all};

use crate::bounds;

/// What is kept of our own time for the answer.
const RESERVE: Duration = Duration::from_millis(300);

/// Runs hooks on the bytes of an event, in its directory, to be through before `end_by`.
pub(crate) fn runner(event: Vec<u8>, directory: PathBuf, end_by: Instant) -> HookRunner {
    HookRunner::new(move |hooks: &[&SupervisedHook]| {
        let left = end_by.saturating_duration_since(Instant::now()).saturating_sub(RESERVE);
        let programs: Vec<Program> =
            hooks.iter().map(|hook| program(hook, directory.clone(), left)).collect();
        bounds::lift();
        run_all(&programs, &event)
            .into_iter()
            .zip(&programs)
            .map(|(outcome, program)| output(outcome, program))
            .collect()
    })
}

fn program(hook: &SupervisedHook, directory: PathBuf, left: Duration) -> Program {
    let deadline = hook.deadline.min(left);
    match &hook.run {
        HookProgram::Shell(text) => Program::shell(text, directory, deadline),
        HookProgram::Arguments(words) => {
            // Without a shell nobody else puts the agent's variable in.
            let variables = Profile::ALL.iter().filter_map(|agent| agent.project_variable);
            let mut words = words.iter().map(|word| {
                variables.clone().fold(word.clone(), |word, variable| {
                    let value = std::env::var(variable).unwrap_or_default();
                    word.replace(&format!("${{{variable}}}"), &value)
                })
            });
            let command = words.next().unwrap_or_default();
            Program { command, arguments: words.collect(), directory, deadline }
        }
    }
}

fn output(outcome: Outcome, program: &Program) -> HookOutput {
    let exit = match outcome.end {
        End::Exit(code) => Ok(code),
        End::Signal => Err("was killed by a signal".to_owned()),
        End::Deadline => {
            Err(format!("didn't answer within {} ms and was killed", program.deadline.as_millis()))
        }
        End::NotStarted(why) => Err(format!("couldn't be started ({why})")),
    };
    HookOutput { exit, stdout: outcome.stdout, stderr: outcome.stderr, complete: outcome.complete }
}
