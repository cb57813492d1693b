//! The commands that people run. One file each; `hook` is not among them.

#![expect(clippy::print_stdout, reason = "what a person asked for goes to standard output")]

mod check;
mod config;
mod demo;
mod doctor;
mod explain;
mod init;
mod judge;
mod lint;
mod log;
mod overrides;
mod rewrite;
mod rule;
mod test;
mod trust;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser, Subcommand};
use hookgate_agents::{Event, EventName, ToolCall};
use hookgate_clients::{Client, Scope};
use hookgate_host::{Directories, Machine};
use hookgate_policy::{EventSet, Mode, Policy};

use crate::gate::Gate;

/// One gate behind every hook of a coding agent.
#[derive(Parser, Debug)]
#[command(name = "hookgate", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
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
    Rewrite(rewrite::Rewrite),
    Explain(explain::Explain),
    Test(test::Test),
    Rule(rule::RulePage),
    Config(config::Config),
    /// Print the JSON schema of the policy file.
    Schema,
    Init(init::Init),
    Uninstall(init::Uninstall),
    Doctor(doctor::Doctor),
    Lint(lint::Lint),
    Judge(judge::Judge),
    Log(log::Log),
    Trust(trust::Trust),
    Halt(overrides::Halt),
    Pause(overrides::Pause),
    Grant(overrides::Grant),
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
        Command::Rewrite(rewrite) => return rewrite.run(environment),
        Command::Explain(explain) => explain.run(environment)?,
        Command::Test(test) => return test.run(environment).map(success_if),
        Command::Rule(rule) => rule.run(environment)?,
        Command::Config(config) => config.run(environment)?,
        Command::Schema => print!("{}", hookgate_policy::schema()),
        Command::Init(init) => init.run(environment)?,
        Command::Uninstall(uninstall) => uninstall.run(environment)?,
        Command::Doctor(doctor) => return doctor.run(environment).map(success_if),
        Command::Lint(lint) => return lint.run(environment),
        Command::Judge(judge) => judge.run(environment)?,
        Command::Log(log) => log.run(environment)?,
        Command::Trust(trust) => trust.run(environment)?,
        Command::Halt(halt) => halt.run(environment)?,
        Command::Pause(pause) => pause.run(environment)?,
        Command::Grant(grant) => grant.run(environment)?,
        Command::Resume(resume) => resume.run(environment)?,
        Command::Demo(demo) => demo.run(environment)?,
        Command::StatusLine => {
            println!("hookgate: {}", status(environment));
        }
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Arguments::command(), "hookgate", &mut io::stdout());
        }
        Command::Reference => print!("{}", reference()),
        Command::Man { command } => manual(command.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What holds here, in one line. What keeps hookgate from being asked comes first.
fn status(environment: &Environment) -> String {
    let gate = environment.gate();
    let is_registered = |path: PathBuf| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        !(init::CLIENT.registrations)(&text).unwrap_or_default().is_empty()
    };
    let mut parts = Vec::new();
    if !environment.client_files(init::CLIENT).any(|(_, path)| is_registered(path)) {
        parts.push("NOT INSTALLED (`hookgate init`)".to_owned());
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

/// A `PreToolUse` event of the Bash tool.
pub(crate) fn bash_event(command: &str, cwd: &str) -> Event {
    let call = Some(ToolCall::bash(command));
    Event { cwd: cwd.to_owned(), call, ..Event::new(EventName::PreToolUse) }
}

/// What a policy asks of the agent's settings.
pub(crate) struct PolicyUsage {
    /// The events that hookgate must be asked about, by the agent's names.
    pub(crate) events: Vec<String>,
    /// How long its hooks may take on each of them, in milliseconds; nothing where there are none.
    pub(crate) patience: Vec<(String, u64)>,
    /// It is in force.
    pub(crate) enforces: bool,
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

    /// The gate that stands here.
    pub(crate) fn gate(&self) -> Gate {
        Gate::load(self.directories.clone(), &self.cwd, Machine::new(self.directories.clone()))
    }

    /// What the policy that holds here asks of the agent's settings.
    pub(crate) fn policy_usage(&self) -> PolicyUsage {
        self.policy_usage_as_if(&[])
    }

    /// The same, if these files held these texts.
    pub(crate) fn policy_usage_as_if(&self, instead: &[(&Path, &str)]) -> PolicyUsage {
        let machine = Machine::new(self.directories.clone());
        let gate = Gate::load_as_if(self.directories.clone(), &self.cwd, machine, instead);
        let policy = gate.policy();
        // What became of a call shows what a person answered.
        let outcomes = [EventName::PostToolUse, EventName::PostToolUseFailure];
        let outcomes = outcomes.iter().filter(|_| policy.remembers_answers()).map(EventSet::of);
        let own = policy.rules.iter().map(|rule| rule.on).chain(policy.hooks.iter().map(|hook| hook.on));
        let own = own.chain(policy.notify.iter().map(|notify| notify.on)).chain(outcomes);
        let own = own.chain(policy.gates.iter().map(|gate| gate.on));
        let own = own.chain(policy.judges.iter().map(|judge| judge.on));
        // What a gate or a judge looks at is recorded from these.
        let is_recorded = !(policy.gates.is_empty() && policy.judges.is_empty());
        let recorded = [
            EventName::UserPromptSubmit,
            EventName::PostToolUse,
            EventName::PostToolUseFailure,
            EventName::SubagentStart,
            EventName::SubagentStop,
        ];
        let own = own.chain(recorded.iter().filter(|_| is_recorded).map(EventSet::of));
        let own = own.chain(policy.lint.iter().map(|entry| entry.on)).chain(guardian_events(policy));
        let own = own.fold(EventSet::NONE, EventSet::union);
        let always = |name: &EventName| {
            // A change of the settings may be one that takes hookgate out.
            matches!(name, EventName::PreToolUse | EventName::SessionStart | EventName::ConfigChange)
        };
        // Who is asked for a worktree makes it: without an answer to every one of them, nobody would.
        let unanswered = |name: &EventName| *name == EventName::WorktreeCreate && !policy.answers_worktrees();
        let events = EventName::ALL
            .iter()
            .filter(|name| always(name) || !EventSet::of(name).intersection(own).is_empty())
            .filter(|name| !unanswered(name))
            .map(|name| name.as_str().to_owned())
            .collect();
        let mut patience: Vec<(String, u64)> = Vec::new();
        let hooks = policy.hooks.iter().map(|hook| (hook.on, hook.deadline));
        let mut wait = |on: EventSet, millis: u64| {
            for name in on.names() {
                match patience.iter_mut().find(|(known, _)| known == name) {
                    Some((_, longest)) => *longest = millis.max(*longest),
                    None => patience.push((name.to_owned(), millis)),
                }
            }
        };
        let millis = |length: Duration| u64::try_from(length.as_millis()).unwrap_or(u64::MAX);
        hooks.for_each(|(on, deadline)| wait(on, millis(deadline)));
        // Entries run one after the other.
        for name in ["PostToolUse", "PostToolBatch"] {
            let Some(event) = EventSet::from_name(name) else { continue };
            let due = policy.lint.iter().filter(|entry| !entry.on.intersection(event).is_empty());
            let whole: Duration = due.map(hookgate_policy::Lint::patience).sum();
            if !whole.is_zero() {
                wait(event, millis(whole));
            }
        }
        // An ending climbs its steps one after the other.
        for name in ["Stop", "SubagentStop", "TaskCompleted"] {
            let Some(event) = EventSet::from_name(name) else { continue };
            let is_due = |on: EventSet| !on.intersection(event).is_empty();
            let gates = policy.gates.iter().filter(|gate| gate.run.is_some() && is_due(gate.on));
            let judges = policy.judges.iter().filter(|judge| is_due(judge.on));
            let whole: Duration =
                gates.map(|gate| gate.deadline).chain(judges.map(|judge| judge.deadline)).sum();
            if !whole.is_zero() {
                wait(event, millis(whole));
            }
        }
        PolicyUsage { events, patience, enforces: policy.mode == Mode::Enforce }
    }

    /// The root of the project around the working directory.
    pub(crate) fn project(&self) -> PathBuf {
        hookgate_host::repository_root(&self.cwd).unwrap_or_else(|| self.cwd.clone())
    }

    /// The settings files of a client for this project, those of the working directory's repository among them.
    pub(crate) fn client_files(&self, client: &Client) -> impl Iterator<Item = (Scope, PathBuf)> {
        let project = self.project().display().to_string();
        hookgate_host::settings_files(client, &self.directories, &project).into_iter()
    }

    /// This program's absolute path.
    pub(crate) fn program(&self) -> Result<String, CommandError> {
        let path = std::env::current_exe()
            .map_err(|error| CommandError::usage(format!("can't find hookgate's own path: {error}")))?;
        let path = stable(&path).unwrap_or(path);
        path.into_os_string().into_string().map_err(|path| {
            CommandError::usage(format!("hookgate's own path isn't UTF-8: {}", path.display()))
        })
    }
}

/// The events on which protected files are compared, and on which the user's answer about them is heard.
fn guardian_events(policy: &Policy) -> impl Iterator<Item = EventSet> {
    let events = [EventName::Stop, EventName::SubagentStop, EventName::PostToolUse];
    events.into_iter().filter(|_| !policy.protect.is_empty()).map(|name| EventSet::of(&name))
}

/// The name on `PATH` that leads to this program: package managers change where it leads, and keep the name.
fn stable(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    let folders = std::env::var_os("PATH")?;
    let mut names = std::env::split_paths(&folders).map(|folder| folder.join("hookgate"));
    names.find(|name| name.is_absolute() && name.canonicalize().is_ok_and(|path| path == real))
}
