//! What a policy asks of the agent's settings: the events that hookgate must be asked about, and the time that it takes.

use std::time::Duration;

use hookgate_agents::EventName;
use hookgate_engine::hears_of_sessions;
use hookgate_policy::{EventSet, Level, Mode, Policy};

/// What hookgate is asked about whatever the policy says. A change of the settings may be one that takes hookgate out.
const ALWAYS: [EventName; 3] = [EventName::PreToolUse, EventName::SessionStart, EventName::ConfigChange];

/// What a policy asks of the agent's settings.
pub(crate) struct PolicyUsage {
    /// The events that hookgate must be asked about, by the agent's names.
    pub(crate) events: Vec<String>,
    /// How long its hooks may take on each of them, in milliseconds; nothing where there are none.
    pub(crate) patience: Vec<(String, u64)>,
    /// It is in force.
    pub(crate) enforces: bool,
}

impl PolicyUsage {
    /// That of a policy.
    pub(crate) fn of(policy: &Policy) -> PolicyUsage {
        PolicyUsage {
            events: events(policy),
            patience: patience(policy),
            enforces: policy.mode == Mode::Enforce,
        }
    }

    /// The events about which the policy itself says something, and which are not among these. A rule about a permission
    /// request is in force where the call is judged before it.
    pub(crate) fn beyond<'s>(&'s self, registered: &[String]) -> Vec<&'s str> {
        let is_told = |event: &str| {
            ALWAYS.iter().chain([&EventName::PermissionRequest]).any(|name| name.as_str() == event)
        };
        let missing = self.events.iter().filter(|event| !registered.contains(event) && !is_told(event));
        missing.map(String::as_str).collect()
    }
}

fn events(policy: &Policy) -> Vec<String> {
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
    let own = own.chain(secret_events(policy));
    let ends = [EventName::SessionEnd];
    let own = own.chain(ends.iter().filter(|_| hears_of_sessions(policy)).map(EventSet::of));
    let own = own.chain(policy.lint.iter().map(|entry| entry.on)).chain(guardian_events(policy));
    let own = own.fold(EventSet::NONE, EventSet::union);
    // Who is asked for a worktree makes it: without an answer to every one of them, nobody would.
    let unanswered = |name: &EventName| *name == EventName::WorktreeCreate && !policy.answers_worktrees();
    EventName::ALL
        .iter()
        .filter(|name| ALWAYS.contains(name) || !EventSet::of(name).intersection(own).is_empty())
        .filter(|name| !unanswered(name))
        .map(|name| name.as_str().to_owned())
        .collect()
}

fn patience(policy: &Policy) -> Vec<(String, u64)> {
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
        let whole: Duration = gates.map(|gate| gate.deadline).chain(judges.map(|judge| judge.deadline)).sum();
        if !whole.is_zero() {
            wait(event, millis(whole));
        }
    }
    patience
}

/// The events on which secrets come along that no call carries: with a prompt, and with a result.
fn secret_events(policy: &Policy) -> impl Iterator<Item = EventSet> {
    let rules = [
        ("SECRET101", EventName::UserPromptSubmit),
        ("SECRET102", EventName::UserPromptSubmit),
        ("SECRET103", EventName::PostToolUse),
    ];
    rules
        .into_iter()
        .filter(|(code, _)| policy.level(code) != Level::Off)
        .map(|(_, name)| EventSet::of(&name))
}

/// The events on which protected files are compared, and on which the user's answer about them is heard.
fn guardian_events(policy: &Policy) -> impl Iterator<Item = EventSet> {
    let events = [EventName::Stop, EventName::SubagentStop, EventName::PostToolUse];
    events.into_iter().filter(|_| !policy.protect.is_empty()).map(|name| EventSet::of(&name))
}
