//! The gate: the policy that holds at a place, and the judgement of events by it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use hookgate_agents::{Decision, Event, EventName, NoticeForm, Profile, ToolCall};
use hookgate_clients::{Client, Reading, Rule, Settings, reading};
use hookgate_effects::{Effects, Places};
use hookgate_engine::{Heard, Host, Input, Judged, Memory, decide, judge_found};
use hookgate_host::{Audit, Directories, Machine, Trust, places, project_directory};
use hookgate_policy::{Check, Date, Diagnostic, LayerKind, Mode, OnError, Policy, fingerprint};

use serde_json::Value;

use crate::error::CommandError;
use crate::installed;
use crate::own_knowledge;
use crate::policy_files::{self, Loaded, Text, is_broken, read};

/// How much of the record is looked at, in bytes, to see which rules hit most.
const MOST_COUNTED: u64 = 2 << 20;

/// The policy of a place.
pub(crate) struct Gate {
    policy: Policy,
    diagnostics: Vec<Diagnostic>,
    texts: Vec<Text>,
    /// What a person should hear about the policy.
    notices: Vec<String>,
    places: Places,
    machine: Machine,
    directories: Directories,
}

/// Which policies `check` and its like judge by.
#[derive(Clone, Copy, Default)]
pub(crate) struct Selection<'a> {
    pub(crate) presets: &'a [String],
    pub(crate) policies: &'a [PathBuf],
    /// Settings files of the agent, absolute, besides those that apply.
    pub(crate) settings: &'a [PathBuf],
    pub(crate) isolated: bool,
    /// Read the files of cases beside the policies, too.
    pub(crate) cases: bool,
}

/// The machine with what the policy's own files say of programs.
fn with_own_knowledge(
    machine: Machine,
    policy: &Policy,
    directories: &Directories,
    notices: &mut Vec<String>,
) -> Machine {
    if policy.knowledge.is_empty() {
        return machine;
    }
    let (compiled, heard) = own_knowledge::compile(policy, &Trust::new(directories));
    notices.extend(heard);
    match compiled {
        Some(compiled) => machine.with_knowledge(compiled),
        None => machine,
    }
}

impl Gate {
    /// The gate of the files that apply in `cwd`. It always stands (law 11).
    pub(crate) fn load(directories: Directories, cwd: &Path, machine: Machine) -> Gate {
        Gate::load_as_if(directories, cwd, machine, &[], None)
    }

    /// The same as a person looks at it: with warnings about the files.
    pub(crate) fn load_to_look(directories: Directories, cwd: &Path, machine: Machine) -> Gate {
        let today = Date::from_unix_seconds(machine.now() / 1000);
        Gate::load_as_if(directories, cwd, machine, &[], Some(today))
    }

    /// The gate as it would be if these files held these texts.
    pub(crate) fn load_as_if(
        directories: Directories,
        cwd: &Path,
        machine: Machine,
        instead: &[(&Path, &str)],
        today: Option<Date>,
    ) -> Gate {
        let project = project_directory(cwd);
        let Loaded { policy, diagnostics, texts, mut notices } =
            policy_files::load(&directories, &project, cwd, instead, today);
        let machine = with_own_knowledge(machine, &policy, &directories, &mut notices);
        let places = places(&directories, &project, cwd);
        Gate { policy, diagnostics, texts, notices, places, machine, directories }
    }

    /// The gate that `check` asks for. A policy with errors is an error here.
    pub(crate) fn select(
        directories: Directories,
        cwd: &Path,
        selection: Selection<'_>,
    ) -> Result<Gate, CommandError> {
        let project = if selection.isolated { cwd.to_path_buf() } else { project_directory(cwd) };
        let mut texts =
            if selection.isolated { Vec::new() } else { policy_files::texts(&directories, &project, cwd) };
        if !selection.presets.is_empty() {
            texts.push(Text::made("--preset", format!("presets = {:?}\n", selection.presets)));
        }
        for path in selection.policies {
            texts.push(Text::named(path)?);
        }
        if selection.cases {
            // Whoever tests a policy means it as it will be, not as far as it is trusted on this machine.
            texts.iter_mut().for_each(|text| text.trusted = true);
            let beside: Vec<Text> = texts.iter().filter_map(Text::cases_beside).collect();
            texts.extend(beside);
        }
        let machine = if selection.isolated {
            Machine::isolated(directories.clone())
        } else {
            Machine::new(directories.clone())
        };
        let machine = machine.with_settings(selection.settings);
        let check = Check::Thorough { today: Date::from_unix_seconds(machine.now() / 1000) };
        let (policy, diagnostics) = read(&texts, check);
        let mut notices = policy.notices.clone();
        let machine = with_own_knowledge(machine, &policy, &directories, &mut notices);
        let places = places(&directories, &project, cwd);
        let gate = Gate { policy, diagnostics, texts, notices, places, machine, directories };
        if is_broken(&gate.diagnostics) {
            Err(CommandError::usage(gate.rendered_diagnostics()))
        } else {
            Ok(gate)
        }
    }

    /// The policy.
    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Is a file of the policy broken?
    pub(crate) fn is_broken(&self) -> bool {
        is_broken(&self.diagnostics)
    }

    /// What is wrong with the policy's files, as a person reads it; empty if nothing is.
    pub(crate) fn rendered_diagnostics(&self) -> String {
        let rendered: Vec<String> = self
            .diagnostics
            .iter()
            .map(|diagnostic| {
                let text = self.texts.iter().find(|text| text.path.as_os_str() == diagnostic.path.as_str());
                diagnostic.render(text.map_or("", |text| &text.text))
            })
            .collect();
        rendered.join("\n")
    }

    /// Is it a file that guards are about, of the gate, of an agent, or one that runs by itself?
    pub(crate) fn guards(&self, path: &Path) -> bool {
        let machine = Machine::new(self.directories.clone());
        path.to_str().is_none_or(|path| hookgate_effects::is_guarded(path, &self.places, &machine))
    }

    /// The places that paths are judged against.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// What a person should hear about the policy.
    pub(crate) fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The policy's short name, for records. Without a file it is this release's own.
    pub(crate) fn policy_hash(&self) -> String {
        match self.policy.fingerprint {
            0 => format!("{:016x}", fingerprint(concat!("recommended of ", env!("CARGO_PKG_VERSION")))),
            files => format!("{files:016x}"),
        }
    }

    /// The project's directory.
    pub(crate) fn project(&self) -> &str {
        &self.places.project
    }

    /// Milliseconds since the Unix epoch.
    pub(crate) fn now(&self) -> u64 {
        self.machine.now()
    }

    /// The audit log, where there is a place for it.
    pub(crate) fn audit(&self) -> Option<Audit> {
        let path = match &self.policy.audit.path {
            Some(path) => match path.strip_prefix("~/") {
                Some(rest) => PathBuf::from(&self.places.home).join(rest),
                None => PathBuf::from(path),
            },
            None => self.directories.state.as_ref()?.join("audit.jsonl"),
        };
        Some(Audit::new(path, self.policy.audit.max_size))
    }

    /// How often each code hit in this project, by the end of the record.
    pub(crate) fn frequent_codes(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for line in self.audit().map(|audit| audit.tail(MOST_COUNTED)).unwrap_or_default().lines() {
            let Ok(record) = serde_json::from_str::<Value>(line) else { continue };
            if record.get("project").and_then(Value::as_str) != Some(&self.places.project) {
                continue;
            }
            let codes = record.get("codes").and_then(Value::as_array).into_iter().flatten();
            for code in codes.filter_map(Value::as_str) {
                *counts.entry(code.to_owned()).or_default() += 1;
            }
        }
        counts
    }

    /// Judges an event.
    pub(crate) fn judge(&self, event: &Event) -> Judged {
        let mut judgement = decide(event, &self.policy, &self.places, &self.machine);
        self.tell(event, &mut judgement);
        judgement
    }

    /// Judges an event by what was found of it before the reading of it failed. Nothing is remembered of that.
    pub(crate) fn judge_found(&self, event: &Event, found: Effects) -> Judged {
        let heard = Heard::default();
        let id = self.machine.decision_id();
        let (policy, places, host) = (&self.policy, &self.places, self.machine.host());
        judge_found(&Input { event, policy, places, host, id: &id, heard: &heard }, found)
    }

    /// Judges an event as if that branch were checked out and these variables set.
    pub(crate) fn judge_supposing(
        &self,
        event: &Event,
        branch: Option<String>,
        variables: Vec<(String, String)>,
    ) -> Judged {
        let machine = self.machine.clone().supposing(branch, variables);
        decide(event, &self.policy, &self.places, &machine)
    }

    /// What the agent's own permission rules do with an event, in words.
    pub(crate) fn native(&self, event: &Event) -> String {
        let Some(client) = Client::of(event.agent) else {
            return "hookgate knows no rules of this agent".to_owned();
        };
        let settings = Settings::read(&self.machine.native_settings(client, &self.places));
        let rule = |rule: &Rule| format!("by {} rule `{}` of {}", rule.list.name(), rule.text, rule.file);
        match reading(event, &settings, &self.places) {
            Reading::Deny(denial) => format!("denied {}", rule(denial)),
            Reading::Ask(ask) => format!("asked about {}", rule(ask)),
            Reading::Allow => {
                "allowed, by an allow rule or as a command that it knows to be harmless".to_owned()
            }
            Reading::Nothing => "no rule matches: its mode decides".to_owned(),
        }
    }

    /// Do the agent's own permission rules deny the event's call, or ask about it?
    pub(crate) fn is_stopped_natively(&self, event: &Event) -> bool {
        let Some(client) = Client::of(event.agent) else { return false };
        let settings = Settings::read(&self.machine.native_settings(client, &self.places));
        matches!(reading(event, &settings, &self.places), Reading::Deny(_) | Reading::Ask(_))
    }

    /// A `PreToolUse` event of the Bash tool at this place.
    pub(crate) fn command_event(&self, command: &str) -> Event {
        let call = Some(ToolCall::bash(command));
        Event { cwd: self.places.cwd.clone(), call, ..Event::new(EventName::PreToolUse) }
    }

    /// One line on what is in force.
    pub(crate) fn summary(&self) -> String {
        let presets: Vec<&str> = self.policy.presets().iter().map(|preset| preset.name).collect();
        let mode = match self.policy.mode {
            Mode::Enforce => "enforcing",
            Mode::Shadow => "shadow mode: nothing is stopped",
            Mode::Off => "off",
        };
        let counted = [
            ("rule", self.policy.rules.len()),
            ("gate", self.policy.gates.len()),
            ("judge", self.policy.judges.len()),
        ];
        let own: Vec<String> = counted
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{count} {name}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        let own = if own.is_empty() { "no rules".to_owned() } else { own.join(", ") };
        format!("{mode}; presets {}; {own} of your own", presets.join(", "))
    }

    /// The events about which the policy says something that isn't in force, because the agent doesn't ask about them.
    pub(crate) fn not_in_force(&self, agent: &Profile) -> Vec<String> {
        Client::of(agent).map_or_else(Vec::new, |client| {
            installed::not_in_force(&self.policy, client, &self.directories, &self.places.project)
        })
    }

    /// The files of the policy, by authority: whose they are, where, whether they are trusted, and what they say.
    pub(crate) fn files(&self) -> impl Iterator<Item = (LayerKind, &Path, bool, &str)> {
        self.texts.iter().map(|text| (text.kind, text.path.as_path(), text.trusted, text.text.as_str()))
    }

    /// Says once per session that nothing is recorded.
    pub(crate) fn tell_unrecorded(
        &self,
        event: &Event,
        audit: &Audit,
        error: &io::Error,
        judgement: &mut Judged,
    ) {
        let is_shown = event.capabilities().notice == NoticeForm::Message;
        if is_shown && self.machine.first_time(&event.session_id, "audit-notice") {
            let text = format!("hookgate can't record what it decides: {}: {error}", audit.path().display());
            judgement.verdict.notices.push(text);
        }
    }

    /// What a person hears about the gate itself: that it is armed at the start of a session, and what is wrong with the
    /// policy once per session and beside every denial; on every event, and to the model too, while a file's rules are lost.
    fn tell(&self, event: &Event, judgement: &mut Judged) {
        if event.name == EventName::SessionStart && self.policy.mode != Mode::Off {
            judgement.verdict.notices.push(format!("hookgate is armed: {}", self.summary()));
            judgement.verdict.notices.extend(installed::not_in_force_notice(&self.not_in_force(event.agent)));
            self.machine.forget_old_sessions();
            if self.policy.brief {
                let text = hookgate_engine::brief(&self.policy, &self.frequent_codes());
                judgement.verdict.context.extend(Some(text).filter(|text| !text.is_empty()));
            }
        }
        if self.notices.is_empty() || self.policy.mode == Mode::Off {
            return;
        }
        let stops = judgement.verdict.decision >= Decision::Deny;
        let is_shown = event.capabilities().notice == NoticeForm::Message;
        let unread = self.policy.unreadable.is_some();
        // A session's start is shown to nobody where no person is there, so that it does not count as told.
        let starts = event.name == EventName::SessionStart;
        if stops
            || unread
            || starts
            || (is_shown && self.machine.first_time(&event.session_id, "policy-notice"))
        {
            judgement.verdict.notices.extend(self.notices.iter().cloned());
        }
        if unread && matches!(event.name, EventName::SessionStart | EventName::UserPromptSubmit) {
            // The others name what a repository says; they are for the person.
            let broken = self.notices.iter().filter(|notice| notice.starts_with(policy_files::BROKEN));
            judgement.verdict.context.extend(broken.cloned());
        }
    }
}

/// What a tool call gets when the gate fails, by the name that was kept of it.
pub(crate) fn on_error_named(name: &str) -> Option<Decision> {
    [OnError::Pass, OnError::Ask, OnError::Deny]
        .map(decision_on_error)
        .into_iter()
        .find(|one| one.as_str() == name)
}

/// What a tool call gets when the gate fails under that policy. A policy that isn't in force stops nothing, by a failure either; what
/// had been found about the gate itself by then still holds.
pub(crate) fn on_failure(policy: &Policy) -> Decision {
    match policy.mode {
        Mode::Enforce => decision_on_error(policy.on_error),
        Mode::Shadow | Mode::Off => Decision::Pass,
    }
}

/// What a tool call gets when the gate fails, as a decision.
pub(crate) fn decision_on_error(on_error: OnError) -> Decision {
    match on_error {
        OnError::Pass => Decision::Pass,
        OnError::Ask => Decision::Ask,
        OnError::Deny => Decision::Deny,
    }
}
