//! Runs the programs of a policy for the engine.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use hookgate_agents::{HookOutput, Profile};
use hookgate_engine::{ProgramCall, ProgramEnd, ProgramOutcome};
use hookgate_host::Runner;
use hookgate_policy::{HookProgram, SupervisedHook};
use hookgate_run::{End, Outcome, Program, run_all};

use crate::bounds;

/// What is kept of our own time for the answer.
const RESERVE: Duration = Duration::from_millis(300);

/// Runs what a policy asks for while an event is judged, to be through before the event's deadline.
pub(crate) struct Supervisor {
    event: Vec<u8>,
    directory: PathBuf,
    end_by: Instant,
}

impl Supervisor {
    /// For the bytes of an event, in its directory.
    pub(crate) fn new(event: Vec<u8>, directory: PathBuf, end_by: Instant) -> Supervisor {
        Supervisor { event, directory, end_by }
    }
}

impl Runner for Supervisor {
    fn hooks(&self, hooks: &[&SupervisedHook]) -> Vec<HookOutput> {
        let left = self.left();
        let programs: Vec<Program> = hooks
            .iter()
            .map(|hook| program(&hook.run, self.directory.clone(), hook.deadline.min(left)))
            .collect();
        bounds::lift();
        run_all(&programs, &self.event)
            .into_iter()
            .zip(&programs)
            .map(|(outcome, program)| output(outcome, program))
            .collect()
    }

    /// The time that is left, but for what the answer needs.
    fn left(&self) -> Duration {
        self.end_by.saturating_duration_since(Instant::now()).saturating_sub(RESERVE)
    }

    fn programs(&self, calls: &[ProgramCall]) -> Vec<ProgramOutcome> {
        let left = self.left();
        bounds::lift();
        thread::scope(|scope| {
            let running: Vec<_> = calls
                .iter()
                .map(|call| {
                    let program = program(&call.run, PathBuf::from(&call.directory), call.deadline.min(left));
                    scope.spawn(move || outcome(&program, &call.input))
                })
                .collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| failed())).collect()
        })
    }
}

fn outcome(program: &Program, input: &[u8]) -> ProgramOutcome {
    let start = Instant::now();
    let outcome = hookgate_run::run(program, input);
    let end = match outcome.end {
        End::Exit(code) => ProgramEnd::Exit(code),
        End::Signal => ProgramEnd::Signal,
        End::Deadline => ProgramEnd::Deadline,
        End::NotStarted(why) => ProgramEnd::NotStarted(why),
    };
    let took = start.elapsed();
    ProgramOutcome { end, stdout: outcome.stdout, stderr: outcome.stderr, complete: outcome.complete, took }
}

fn failed() -> ProgramOutcome {
    ProgramOutcome {
        end: ProgramEnd::NotStarted("its thread failed".to_owned()),
        stdout: Vec::new(),
        stderr: Vec::new(),
        complete: true,
        took: Duration::ZERO,
    }
}

fn program(run: &HookProgram, directory: PathBuf, deadline: Duration) -> Program {
    match run {
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
