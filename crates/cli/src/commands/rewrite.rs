//! `hookgate rewrite`: what the policy's rewrites make of a command, for scripts.

use std::process::ExitCode;

use clap::Args;
use hookgate_agents::{Decision, Value};

use crate::commands::check::{SelectionArguments, unrecorded};
use crate::environment::Environment;
use crate::error::CommandError;

/// Print what the policy's rewrites make of a command.
///
/// Exit code: 0 the command may run without asking; 1 hookgate has no opinion, and prints nothing unless the command
/// was rewritten; 2 the agent's own rules decide, or it is denied: the reason is on standard error; 3 a person has to
/// be asked.
#[derive(Args, Debug)]
pub(crate) struct Rewrite {
    #[command(flatten)]
    selection: SelectionArguments,
    /// The command, as one argument.
    command: String,
}

impl Rewrite {
    pub(crate) fn run(&self, environment: &Environment) -> Result<ExitCode, CommandError> {
        let gate = self.selection.gate(environment)?;
        let event = self.selection.command_event(&gate, &self.command);
        let judgement = gate.judge(&event);
        let verdict = &judgement.verdict;
        for notice in unrecorded(&judgement, &verdict.notices) {
            eprintln!("hookgate: {}", crate::terminal::printable(notice));
        }
        let rewritten =
            verdict.rewrite.as_ref().and_then(|input| input.get("command")).and_then(Value::as_str);
        let code = match verdict.decision {
            Decision::Deny | Decision::Halt | Decision::Handoff => {
                for line in unrecorded(&judgement, &verdict.reasons) {
                    eprintln!("{line}");
                }
                return Ok(ExitCode::from(2));
            }
            Decision::Pass if gate.is_stopped_natively(&event) => {
                eprintln!("hookgate: {}", crate::terminal::printable(&gate.native(&event)));
                return Ok(ExitCode::from(2));
            }
            Decision::Allow => 0,
            Decision::Ask => 3,
            Decision::Pass => 1,
        };
        // An allowed or asked-for command is printed even where nothing about it changes, so that a script can run what it reads.
        if let Some(command) = rewritten.or((code != 1).then_some(self.command.as_str())) {
            println!("{command}");
        }
        Ok(ExitCode::from(code))
    }
}
