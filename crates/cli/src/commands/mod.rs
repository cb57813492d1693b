//! The commands that people run. One file each; `hook` is not among them.

#![expect(clippy::print_stdout, reason = "what a person asked for goes to standard output")]

mod brief;
mod check;
mod config;
mod demo;
mod doctor;
mod except;
mod explain;
mod import;
mod init;
mod judge;
mod lint;
mod log;
mod overrides;
mod own;
mod rewrite;
mod rule;
mod secrets;
mod test;
mod trust;

use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::environment::Environment;
use crate::error::CommandError;
use crate::installed;
use crate::terminal::{self, Color};

/// One gate behind every hook of a coding agent.
#[derive(Parser, Debug)]
#[command(name = "hookgate", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    /// When to use colour. `NO_COLOR` turns it off, too.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    color: Color,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Answer a hook event: the event on standard input, the answer on standard output.
    ///
    /// Options: --event NAME (the event, if the input can't be read), --deadline 5s, --agent NAME. Unknown options are ignored:
    /// the agent would treat a usage error as consent.
    #[command(disable_help_flag = true)]
    Hook,
    Check(check::Check),
    Brief(brief::Brief),
    Rewrite(rewrite::Rewrite),
    Explain(explain::Explain),
    Test(test::Test),
    Rule(rule::RulePage),
    Config(config::Config),
    /// Print the JSON schema of the policy file.
    Schema,
    Import(import::Import),
    Init(init::Init),
    Uninstall(init::Uninstall),
    Doctor(doctor::Doctor),
    Lint(lint::Lint),
    Judge(judge::Judge),
    Secrets(secrets::Secrets),
    Log(log::Log),
    Trust(trust::Trust),
    Halt(overrides::Halt),
    Pause(overrides::Pause),
    Grant(overrides::Grant),
    Except(except::Except),
    Resume(overrides::Resume),
    Demo(demo::Demo),
    /// Print one line for a status line: whether hookgate is installed and in force.
    StatusLine,
    /// Print the reference of every command in Markdown.
    #[command(hide = true)]
    Reference,
    /// Print a shell's completions.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of hookgate or one of its commands.
    Man {
        /// The command.
        command: Option<String>,
    },
}

/// Runs the command that the arguments name.
pub(crate) fn run() -> ExitCode {
    end_with_the_reader();
    let arguments = Arguments::parse();
    terminal::choose(arguments.color);
    match dispatch(&arguments.command, &Environment::new()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("hookgate: {error}");
            ExitCode::from(2)
        }
    }
}

/// `print!` panics where nobody reads on (`hookgate explain ... | head`): that is an end, not a failure.
fn end_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let said = info.to_string();
        if said.contains("failed printing to stdout") && said.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(info);
    }));
}

fn dispatch(command: &Command, environment: &Environment) -> Result<ExitCode, CommandError> {
    match command {
        // `main` takes the hook before arguments are parsed; only `hookgate help hook` comes here.
        Command::Hook => {}
        Command::Check(check) => return check.run(environment),
        Command::Brief(brief) => return brief.run(environment),
        Command::Rewrite(rewrite) => return rewrite.run(environment),
        Command::Explain(explain) => explain.run(environment)?,
        Command::Test(test) => return test.run(environment).map(success_if),
        Command::Rule(rule) => rule.run(environment)?,
        Command::Config(config) => config.run(environment)?,
        Command::Schema => print!("{}", hookgate_policy::schema()),
        Command::Import(import) => import.run()?,
        Command::Init(init) => init.run(environment)?,
        Command::Uninstall(uninstall) => uninstall.run(environment)?,
        Command::Doctor(doctor) => return doctor.run(environment).map(success_if),
        Command::Lint(lint) => return lint.run(environment),
        Command::Secrets(secrets) => return secrets.run(environment),
        Command::Judge(judge) => judge.run(environment)?,
        Command::Log(log) => log.run(environment)?,
        Command::Trust(trust) => trust.run(environment)?,
        Command::Halt(halt) => halt.run(environment)?,
        Command::Pause(pause) => pause.run(environment)?,
        Command::Grant(grant) => grant.run(environment)?,
        Command::Except(except) => except.run(environment)?,
        Command::Resume(resume) => resume.run(environment)?,
        Command::Demo(demo) => demo.run(environment)?,
        Command::StatusLine => {
            println!("hookgate: {}", status(environment));
        }
        Command::Completions { shell } => {
            // The generator panics where it can't write, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "hookgate", &mut script);
            print!("{}", String::from_utf8_lossy(&script));
        }
        Command::Reference => print!("{}", reference()),
        Command::Man { command } => manual(command.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What holds here, in one line. What keeps hookgate from being asked comes first.
fn status(environment: &Environment) -> String {
    let gate = environment.gate();
    let settings = installed::settings(init::CLIENT, &environment.directories, gate.project());
    let mut parts = Vec::new();
    if settings.iter().all(|file| file.registrations.is_empty()) {
        parts.push("NOT INSTALLED (`hookgate init`)".to_owned());
    }
    let events = gate.not_in_force(init::CLIENT.agent);
    if !events.is_empty() {
        parts.push(format!("NOT IN FORCE: {} (`hookgate init`)", events.join(", ")));
    }
    if gate.is_broken() {
        parts.push("POLICY ERROR (`hookgate test`)".to_owned());
    }
    parts.extend(overrides::standing(environment));
    parts.push(gate.summary());
    parts.join("; ")
}

fn success_if(good: bool) -> ExitCode {
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every command's long help, one section each.
fn reference() -> String {
    let mut whole = Arguments::command().term_width(100);
    whole.build();
    let mut page = "# The command line\n\nGenerated by `cargo xtask gen`.\n".to_owned();
    for command in
        whole.get_subcommands_mut().filter(|command| !command.is_hide_set() && command.get_name() != "help")
    {
        let name = command.get_name().to_owned();
        let help = command.render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        let _ = write!(page, "\n## hookgate {name}\n\n```text\n{}\n```\n", help.join("\n").trim_end());
    }
    page
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
    clap_mangen::Man::new(page)
        .render(&mut io::stdout())
        .map_err(|error| CommandError::usage(error.to_string()))
}
