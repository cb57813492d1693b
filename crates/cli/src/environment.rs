//! Where a command runs: its directories, the gate that stands there, and what that gate asks of the agent's settings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hookgate_agents::EventName;
use hookgate_clients::{Client, Scope};
use hookgate_host::{Directories, Machine};
use hookgate_policy::{EventSet, Mode, Policy};

use crate::error::CommandError;
use crate::gate::Gate;

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
    /// That of this process.
    pub(crate) fn new() -> Environment {
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
