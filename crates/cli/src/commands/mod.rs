//! The commands that people run. One file each; `hook` is not among them.

mod check;
mod init;
mod log;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use hookgate_host::Directories;

/// One gate behind every hook of a coding agent.
#[derive(Parser, Debug)]
#[command(name = "hookgate", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Check),
    Init(init::Init),
    Uninstall(init::Uninstall),
    Log(log::Log),
    /// Print the completions of a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of hookgate or of one of its commands.
    Man {
        /// The command.
        command: Option<String>,
    },
}

/// Runs the command that the arguments name.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let environment = Environment::new();
    let result = match &arguments.command {
        Command::Check(check) => return check.run(&environment),
        Command::Init(init) => init.run(&environment),
        Command::Uninstall(uninstall) => uninstall.run(&environment),
        Command::Log(log) => log.run(&environment),
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Arguments::command(), "hookgate", &mut io::stdout());
            Ok(())
        }
        Command::Man { command } => manual(command.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hookgate: {error}");
            ExitCode::from(2)
        }
    }
}

fn manual(command: Option<&str>) -> Result<(), CommandError> {
    let mut whole = Arguments::command();
    whole.build();
    let page = match command {
        None => whole,
        Some(name) => whole
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| CommandError::usage(format!("no command `{name}`; `hookgate help` lists them")))?,
    };
    clap_mangen::Man::new(page).render(&mut io::stdout()).map_err(|error| CommandError::usage(error.to_string()))
}

/// Why a command could not do its work: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct CommandError(String);

impl CommandError {
    /// What the person has to do differently.
    pub(crate) fn usage(text: impl Into<String>) -> CommandError {
        CommandError(text.into())
    }

    /// A file that could not be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> CommandError {
        CommandError(format!("{}: {error}", path.display()))
    }
}

/// Where a command runs.
pub(crate) struct Environment {
    /// hookgate's own directories.
    pub(crate) directories: Directories,
    /// The working directory.
    pub(crate) cwd: PathBuf,
}

impl Environment {
    fn new() -> Environment {
        Environment {
            directories: Directories::from_environment(),
            cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        }
    }

    /// The root of the project around the working directory.
    pub(crate) fn project(&self) -> PathBuf {
        hookgate_host::repository_root(&self.cwd).unwrap_or_else(|| self.cwd.clone())
    }

    /// This program's absolute path.
    pub(crate) fn program(&self) -> Result<String, CommandError> {
        let path = std::env::current_exe()
            .map_err(|error| CommandError::usage(format!("the path of hookgate can't be found: {error}")))?;
        path.into_os_string()
            .into_string()
            .map_err(|path| CommandError::usage(format!("the path of hookgate is not UTF-8: {}", path.display())))
    }
}
