//! What an agent's settings files say, and what in them would keep the gate from being asked.

use hookgate_clients::{Client, Registration, Scope, Source};
use hookgate_effects::Places;
use hookgate_engine::{Host as _, moves_the_gate};
use hookgate_host::Machine;

use super::Finding;
use crate::environment::Environment;
use crate::installed::{Installed, SCOPE_ARGUMENT};
use crate::usage::PolicyUsage;

/// What is wrong with one file alone.
pub(super) fn examine(client: &Client, file: &Installed) -> Vec<Finding> {
    let path = file.path.display().to_string();
    let faults = (client.faults)(&path, &file.text);
    let source = Source { scope: file.scope, path: path.clone(), text: file.text.clone() };
    let moved = moves_the_gate(client, &source).map(|name| {
        let text = format!("{path} sets {name}, so that hookgate looks for your policy elsewhere");
        Finding::problem("environment", text, "remove it from `env` there")
    });
    moved
        .into_iter()
        .chain(faults.into_iter().map(|fault| Finding::problem(fault.check, fault.text, fault.fix)))
        .collect()
}

/// The scope that a hook was told that it stands in: it stands aside where settings of more authority ask as well.
pub(super) fn scope(registration: &Registration) -> Option<&str> {
    let at = registration.arguments.iter().position(|argument| argument == SCOPE_ARGUMENT)?;
    registration.arguments.get(at + 1).map(String::as_str)
}

/// What is wrong with the files together.
pub(super) fn examine_together(client: &Client, files: &[Installed], usage: &PolicyUsage) -> Vec<Finding> {
    let mut findings = Vec::new();
    let shut_out = files.iter().find(|file| {
        file.scope == Scope::Managed && file.registrations.is_empty() && (client.shuts_hooks_out)(&file.text)
    });
    if shut_out.is_some() {
        findings.push(Finding::problem(
            "hooks disabled",
            "the managed settings allow only managed hooks: yours don't run",
            "ask an administrator to run `hookgate init --scope managed`",
        ));
    }
    let registered: Vec<&Registration> = files.iter().flat_map(|file| &file.registrations).collect();
    if registered.is_empty() {
        findings.push(Finding::problem(
            "installed",
            "hookgate isn't installed in any of the agent's settings files",
            "hookgate init",
        ));
        return findings;
    }
    findings.extend(twice(files));
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
    }
    let blocks = registered.iter().any(|one| one.event == "PreToolUse" && one.block_on_failure);
    if usage.enforces && !blocks && registered.iter().any(|one| one.event == "PreToolUse") {
        let is_shared = registered.iter().all(|one| scope(one) == Some("project"));
        let fix = if is_shared {
            "hookgate init --scope project --require"
        } else {
            "hookgate init, with Claude Code 2.1.295 or newer"
        };
        let finding = if is_shared { Finding::note } else { Finding::problem };
        findings.push(finding(
            "failure",
            "PreToolUse has no `onFailure: \"block\"`: if hookgate can't start, calls run unchecked",
            fix,
        ));
    }
    for command in files.iter().flat_map(|file| foreign(client, file, "PreToolUse")) {
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

/// What is said about hooks of ours that stand in more than one file.
fn twice(files: &[Installed]) -> Vec<Finding> {
    let of_event = |file: &Installed, event: &str| file.registrations.iter().any(|one| one.event == event);
    let mut findings = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let above = files
            .iter()
            .take(at)
            .find(|above| file.registrations.iter().any(|one| of_event(above, &one.event)));
        let Some(above) = above.filter(|_| !file.registrations.is_empty()) else { continue };
        let (first, second) = (above.path.display(), file.path.display());
        findings.push(if file.registrations.iter().all(|one| scope(one).is_some()) {
            Finding::good(
                "once",
                format!("{second} has hookgate as well as {first}: only the latter's hooks judge"),
            )
        } else {
            Finding::problem(
                "twice",
                format!("{first} and {second} both have hookgate: every event is judged twice"),
                "run `hookgate init` again with the `--scope` of the second one",
            )
        });
    }
    findings
}

/// Commands of others on an event.
fn foreign(client: &Client, file: &Installed, event: &str) -> Vec<String> {
    let handlers = (client.handlers)(&file.text).unwrap_or_default();
    let on_event = handlers.iter().filter(|handler| handler.event == event);
    on_event.filter_map(|handler| handler.value.get("command")?.as_str().map(str::to_owned)).collect()
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
