//! The gate: the policy that holds at a place, and the judgement of events by it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hookgate_agents::{Decision, Event, EventName};
use hookgate_effects::Places;
use hookgate_engine::{Host, Judged, Memory, decide};
use hookgate_host::{Audit, Directories, Machine, Trust, places, policy_files, project_directory};
use hookgate_native::{Reading, Rule, Settings, reading};
use hookgate_policy::{
    Check, Date, Diagnostic, LayerKind, Mode, OnError, Policy, Severity, Source, Vocabulary,
};
use hookgate_rules::lookup::vocabulary;

use crate::commands::CommandError;

/// The policy of a place.
pub(crate) struct Gate {
    policy: Policy,
    diagnostics: Vec<Diagnostic>,
    texts: Vec<Text>,
    /// What a person should hear about the policy.
    notices: Vec<String>,
    places: Places,
    machine: Machine,
    state: Option<PathBuf>,
}

/// Which policies `check` and its like judge by.
#[derive(Clone, Copy, Default)]
pub(crate) struct Selection<'a> {
    pub(crate) presets: &'a [String],
    pub(crate) policies: &'a [PathBuf],
    /// Settings files of the agent, absolute, besides those that apply.
    pub(crate) settings: &'a [PathBuf],
    pub(crate) isolated: bool,
    /// Look for everything that a person wants to hear about the files.
    pub(crate) thorough: bool,
}

/// A policy file's text and where it came from.
#[derive(Clone)]
struct Text {
    kind: LayerKind,
    path: PathBuf,
    text: String,
    trusted: bool,
}

impl Gate {
    /// The gate of the files that apply in `cwd`. It always stands: a file that can't be read is replaced by its last
    /// version that could be, and then by nothing, which is the `recommended` preset (law 11).
    pub(crate) fn load(directories: Directories, cwd: &Path, machine: Machine) -> Gate {
        Gate::load_as_if(directories, cwd, machine, &[])
    }

    /// The gate as it would be if these files held these texts.
    pub(crate) fn load_as_if(
        directories: Directories,
        cwd: &Path,
        machine: Machine,
        instead: &[(&Path, &str)],
    ) -> Gate {
        let project = project_directory(cwd);
        let trust = Trust::new(&directories);
        let texts = texts(&directories, &project, cwd, &trust, instead);
        let (mut policy, diagnostics) = read(&texts, Check::Quick);
        let mut notices = Vec::new();
        if is_broken(&diagnostics) {
            policy = read(&last_good(&texts, &trust), Check::Quick).0;
            notices.push(broken_notice(&diagnostics));
        } else if instead.is_empty() {
            for text in &texts {
                trust.keep(&text.path, &text.text);
            }
        }
        notices.extend(policy.notices.iter().cloned());
        let places = places(&directories, &project, cwd);
        Gate { policy, diagnostics, texts, notices, places, machine, state: directories.state }
    }

    /// The gate that `check` asks for. A policy with errors is an error here.
    pub(crate) fn select(
        directories: Directories,
        cwd: &Path,
        selection: Selection<'_>,
    ) -> Result<Gate, CommandError> {
        let project = if selection.isolated { cwd.to_path_buf() } else { project_directory(cwd) };
        let trust = Trust::new(&directories);
        let mut texts =
            if selection.isolated { Vec::new() } else { texts(&directories, &project, cwd, &trust, &[]) };
        if !selection.presets.is_empty() {
            let text = format!("presets = {:?}\n", selection.presets);
            texts.push(Text { kind: LayerKind::User, path: PathBuf::from("--preset"), text, trusted: true });
        }
        for path in selection.policies {
            let text = fs::read_to_string(path).map_err(|error| CommandError::file(path, &error))?;
            texts.push(Text { kind: LayerKind::User, path: path.clone(), text, trusted: true });
        }
        if selection.thorough {
            let beside: Vec<Text> = texts.iter().filter_map(cases_beside).collect();
            texts.extend(beside);
        }
        let machine = if selection.isolated {
            Machine::isolated(directories.clone())
        } else {
            Machine::new(directories.clone())
        };
        let machine = machine.with_settings(selection.settings);
        let check = if selection.thorough {
            Check::Thorough { today: Date::from_unix_seconds(machine.now() / 1000) }
        } else {
            Check::Quick
        };
        let (policy, diagnostics) = read(&texts, check);
        let notices = policy.notices.clone();
        let places = places(&directories, &project, cwd);
        let gate = Gate { policy, diagnostics, texts, notices, places, machine, state: directories.state };
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

    /// What a person should hear about the policy.
    pub(crate) fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The policy's short name, for records.
    pub(crate) fn policy_hash(&self) -> String {
        format!("{:016x}", self.policy.fingerprint)
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
            None => self.state.as_ref()?.join("audit.jsonl"),
        };
        Some(Audit::new(path, self.policy.audit.max_size))
    }

    /// Judges an event.
    pub(crate) fn judge(&self, event: &Event) -> Judged {
        let mut judgement = decide(event, &self.policy, &self.places, &self.machine);
        self.tell(event, &mut judgement);
        judgement
    }

    /// What the agent's own permission rules do with an event, in words.
    pub(crate) fn native(&self, event: &Event) -> String {
        let settings = Settings::read(&self.machine.native_settings(&self.places));
        let rule = |rule: &Rule| format!("by {} rule `{}` of {}", rule.list.name(), rule.text, rule.file);
        match reading(event, &settings, &self.places) {
            Reading::Deny(denial) => format!("denied {}", rule(denial)),
            Reading::Ask(ask) => format!("asked about {}", rule(ask)),
            Reading::Allow => {
                "allowed, by an allow rule or as a command that it knows as harmless".to_owned()
            }
            Reading::Nothing => "no rule matches: its mode decides".to_owned(),
        }
    }

    /// A `PreToolUse` event of the Bash tool at this place.
    pub(crate) fn command_event(&self, command: &str) -> Event {
        crate::commands::bash_event(command, &self.places.cwd)
    }

    /// One line on what is in force.
    pub(crate) fn summary(&self) -> String {
        let presets: Vec<&str> = self.policy.presets().iter().map(|preset| preset.name).collect();
        let mode = match self.policy.mode {
            Mode::Enforce => "enforcing",
            Mode::Shadow => "in shadow mode: nothing is stopped",
            Mode::Off => "off",
        };
        format!("{mode}; presets {}; {} rules of your own", presets.join(", "), self.policy.rules.len())
    }

    /// The files of the policy, by authority.
    pub(crate) fn files(&self) -> impl Iterator<Item = (LayerKind, &Path, bool)> {
        self.texts.iter().map(|text| (text.kind, text.path.as_path(), text.trusted))
    }

    /// What a person hears about the gate itself: that it is armed at the start of a session, and what is wrong with the
    /// policy once per session and beside every denial.
    fn tell(&self, event: &Event, judgement: &mut Judged) {
        if event.name == EventName::SessionStart && self.policy.mode != Mode::Off {
            judgement.verdict.notices.push(format!("hookgate is armed: {}", self.summary()));
            self.machine.forget_old_sessions();
        }
        if self.notices.is_empty() {
            return;
        }
        let stops = judgement.verdict.decision >= Decision::Deny;
        if stops || self.machine.first_time(&event.session_id, "policy-notice") {
            judgement.verdict.notices.extend(self.notices.iter().cloned());
        }
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

fn is_broken(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

fn texts(
    directories: &Directories,
    project: &Path,
    cwd: &Path,
    trust: &Trust,
    instead: &[(&Path, &str)],
) -> Vec<Text> {
    let files = policy_files(directories, project, cwd);
    files
        .into_iter()
        .filter_map(|file| {
            let supposed = instead.iter().find(|(path, _)| *path == file.path);
            let text = match supposed
                .map_or_else(|| fs::read(&file.path), |(_, text)| Ok(text.as_bytes().to_vec()))
            {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error)
                    if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
                {
                    return None;
                }
                // A file that is there and can't be read counts as a broken one.
                Err(error) => format!("# {error}\nunreadable"),
            };
            let trusted = !file.kind.is_in_repository() || trust.holds(&file.path, &text);
            Some(Text { kind: file.kind, path: file.path, text, trusted })
        })
        .collect()
}

/// The file of cases beside a policy: `.hookgate.cases.toml` beside `.hookgate.toml`.
fn cases_beside(policy: &Text) -> Option<Text> {
    let path = policy.path.with_extension("cases.toml");
    let text = fs::read_to_string(&path).ok()?;
    Some(Text { path, text, ..policy.clone() })
}

fn read(texts: &[Text], check: Check) -> (Policy, Vec<Diagnostic>) {
    let paths: Vec<String> = texts.iter().map(|text| text.path.display().to_string()).collect();
    let sources: Vec<Source<'_>> = texts
        .iter()
        .zip(&paths)
        .map(|(text, path)| Source { kind: text.kind, path, text: &text.text, trusted: text.trusted })
        .collect();
    if sources.is_empty() {
        // Without a file there is nothing to name: the vocabulary is not even gathered.
        return (Policy::join(Vec::new()), Vec::new());
    }
    Policy::load(&sources, &Vocabulary { rules: &vocabulary() }, check)
}

/// The files, each that has errors replaced by its last good version, or left out.
fn last_good(texts: &[Text], trust: &Trust) -> Vec<Text> {
    texts
        .iter()
        .filter_map(|text| {
            if !is_broken(&read(std::slice::from_ref(text), Check::Quick).1) {
                return Some(text.clone());
            }
            let kept = trust.kept(&text.path)?;
            let trusted = !text.kind.is_in_repository() || trust.holds(&text.path, &kept);
            Some(Text { text: kept, trusted, ..text.clone() })
        })
        .collect()
}

fn broken_notice(diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let first =
        errors.clone().next().map(|error| format!("{}: {}", error.path, error.message)).unwrap_or_default();
    format!(
        "hookgate can't read its policy ({first}; errors in all: {}); the last one that could be read stays in force, and \
         `hookgate test` shows every error",
        errors.count()
    )
}
