//! hookgate: one gate behind every hook of a coding agent.

mod answering;
mod bounds;
mod clock;
mod commands;
mod environment;
mod error;
mod found;
mod gate;
mod hook;
mod installed;
mod notifications;
mod own_knowledge;
mod policy_files;
mod recording;
mod standard_input;
mod supervised;
mod terminal;
mod usage;
mod versions;
mod writing;

use std::process::ExitCode;

fn main() -> ExitCode {
    // The hook comes first and alone: building the argument parser of the other commands costs more than an answer.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == "hook") {
        hook::run(arguments)
    }
    commands::run()
}
