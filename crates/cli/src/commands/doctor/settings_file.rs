//! What an agent's settings files say, and what in them would keep the gate from being asked.

use std::fs;
use std::path::{Path, PathBuf};

use hookgate_clients::{Client, Registration};
use hookgate_effects::Places;
use hookgate_engine::Host as _;
use hookgate_host::Machine;

use super::Finding;
use crate::environment::{Environment, PolicyUsage};

/// One settings file.
pub(super) struct SettingsFile {
    path: PathBuf,
    text: String,
    registrations: Vec<Registration>,
}

impl SettingsFile {
    /// The file, if there is one.
    pub(super) fn read(client: &Client, path: &Path) -> Option<SettingsFile> {
        let text = fs::read_to_string(path).ok()?;
        let registrations = (client.registrations)(&text).unwrap_or_default();
        Some(SettingsFile { path: path.to_path_buf(), text, registrations })
    }

    /// hookgate's hooks in it.
    pub(super) fn registrations(&self) -> &[Registration] {
        &self.registrations
    }

    /// What is wrong with this file alone.
    pub(super) fn examine(&self, client: &Client) -> Vec<Finding> {
        let faults = (client.faults)(&self.path.display().to_string(), &self.text);
        faults.into_iter().map(|fault| Finding::problem(fault.check, fault.text, fault.fix)).collect()
    }

    /// Commands of others on an event.
    fn foreign(&self, client: &Client, event: &str) -> Vec<String> {
        let handlers = (client.handlers)(&self.text).unwrap_or_default();
        let on_event = handlers.iter().filter(|handler| handler.event == event);
        on_event.filter_map(|handler| handler.value.get("command")?.as_str().map(str::to_owned)).collect()
    }
}

/// What is wrong with the files together.
pub(super) fn examine_together(
    client: &Client,
    files: &[SettingsFile],
    managed: Option<&SettingsFile>,
    usage: &PolicyUsage,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if managed.is_some_and(|file| (client.shuts_hooks_out)(&file.text)) {
        findings.push(Finding::problem(
            "hooks disabled",
            "the managed settings allow only managed hooks: yours don't run",
            "ask an administrator to add hookgate to the managed settings",
        ));
    }
    let registered: Vec<&Registration> = files.iter().flat_map(SettingsFile::registrations).collect();
    if registered.is_empty() {
        findings.push(Finding::problem(
            "installed",
            "hookgate isn't installed in any of the agent's settings files",
            "hookgate init",
        ));
        return findings;
    }
    for event in &usage.events {
        if !registered.iter().any(|registration| registration.event == *event) {
            findings.push(Finding::problem(
                "drift",
                format!("the policy has rules for {event}, but hookgate isn't registered for it"),
                "hookgate init",
            ));
        }
    }
    for (event, millis) in &usage.patience {
        let shortest = registered.iter().filter(|registration| registration.event == *event);
        let shortest = shortest.filter_map(|registration| deadline(registration)).min();
        if let Some(seconds) = shortest.filter(|seconds| seconds * 1000 < *millis) {
            findings.push(Finding::problem(
                "drift",
                format!(
                    "the settings give hookgate {seconds} s on {event}, but a hook in the policy may take {} s: it would be killed first",
                    millis.div_ceil(1000)
                ),
                "hookgate init",
            ));
        }
    }
    for registration in &registered {
        if !usage.events.contains(&registration.event) && registration.event == "WorktreeCreate" {
            findings.push(Finding::problem(
                "drift",
                "hookgate is registered for WorktreeCreate, but the policy names no path for every worktree: none can be made",
                "hookgate init",
            ));
        } else if !usage.events.contains(&registration.event) {
            findings.push(Finding::note(
                "drift",
                format!(
                    "hookgate is registered for {}, but the policy has no rule for it",
                    registration.event
                ),
                "hookgate init",
            ));
        }
        if usage.enforces && registration.event == "PreToolUse" && !registration.block_on_failure {
            findings.push(Finding::note(
                "failure",
                "PreToolUse has no `onFailure: \"block\"`: if hookgate can't start, calls run unchecked",
                "hookgate init, with Claude Code 2.1.295 or newer",
            ));
        }
    }
    for command in files.iter().flat_map(|file| file.foreign(client, "PreToolUse")) {
        findings.push(Finding::note(
            "other hooks",
            format!("`{command}` is also registered for tool calls; if it rewrites them, whichever hook finishes last wins"),
            "let only one hook rewrite, or run `hookgate init --import`: supervised hooks fail closed",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::good("installed", format!("registered for {} events", registered.len())));
    }
    findings
}

/// The deadline that the settings give hookgate, in seconds.
fn deadline(registration: &Registration) -> Option<u64> {
    let at = registration.arguments.iter().position(|argument| argument == "--deadline")?;
    registration.arguments.get(at + 1)?.strip_suffix('s')?.parse().ok()
}

/// Does the agent trust the folder? Without it, interactive sessions run no hooks there.
pub(super) fn trust(client: &Client, environment: &Environment) -> Finding {
    let project = environment.project().display().to_string();
    let machine = Machine::new(environment.directories.clone());
    let places = Places { project: project.clone(), ..Places::default() };
    match machine.is_trusted_project(client, &places) {
        Some(true) => Finding::good("folder trust", format!("the agent trusts {project}")),
        _ => Finding::note(
            "folder trust",
            format!(
                "the agent may not trust {project} yet; until it does, interactive sessions don't run hooks"
            ),
            "accept the trust prompt when the agent starts there",
        ),
    }
}
