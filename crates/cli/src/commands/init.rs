//! `hookgate init`: hook into the agent, minimally and reversibly.

mod import;
mod presets;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use hookgate_agents::FailureSupport;
use hookgate_clients::{CLAUDE_CODE, Client, Registration};

use crate::commands::doctor;
use crate::environment::Environment;
use crate::error::CommandError;
use crate::gate::{Gate, Selection};
use crate::installed::{self, SCOPE_ARGUMENT};
use crate::terminal::{printable, refuse_agents};
use crate::writing::{
    confirm, only_for_the_owner, read_or_empty, remove_file, show_change, target, write_atomically,
};

/// Our own deadline as written into the settings; the agent's timeout is above it.
const DEADLINE_SECONDS: u64 = 5;
/// What a deadline is longer than that of the slowest hook.
const MARGIN_SECONDS: u64 = 2;
/// The agent's timeout. It is only reached when this process can't run at all.
const TIMEOUT_SECONDS: u64 = 10;
/// The client that is hooked into. The others have no installer yet.
pub(crate) const CLIENT: &Client = &CLAUDE_CODE;

/// Which settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// `~/.claude/settings.json`: all your projects.
    User,
    /// `.claude/settings.json`: this project, for everyone who works on it.
    Project,
    /// `.claude/settings.local.json`: this project, only you.
    Local,
    /// The machine's settings, for everyone who works on it. Needs an administrator.
    Managed,
}

impl Scope {
    /// The client's name for it.
    fn of_client(self) -> hookgate_clients::Scope {
        match self {
            Scope::User => hookgate_clients::Scope::User,
            Scope::Project => hookgate_clients::Scope::Project,
            Scope::Local => hookgate_clients::Scope::Local,
            Scope::Managed => hookgate_clients::Scope::Managed,
        }
    }

    /// What a hook is told where settings of more authority may have hookgate asked as well.
    fn argument(self) -> Option<&'static str> {
        match self {
            Scope::Project => Some("project"),
            Scope::Local => Some("local"),
            Scope::User | Scope::Managed => None,
        }
    }
}

/// Add hookgate to the agent's settings: shows the change, asks, makes a backup, writes.
#[derive(Args, Debug)]
pub(crate) struct Init {
    /// Which settings file to write.
    #[arg(long, value_enum, default_value = "user")]
    scope: Scope,
    /// Don't ask for confirmation.
    #[arg(long, short)]
    yes: bool,
    /// Show the change without writing it.
    #[arg(long)]
    dry_run: bool,
    /// Move other hooks from these settings into the policy, where hookgate supervises them. What can't be moved is
    /// listed with the reason, and stays.
    #[arg(long, conflicts_with = "export")]
    import: bool,
    /// Move what `--import` moved back into the settings. `uninstall` does so automatically.
    #[arg(long)]
    export: bool,
    /// In a project's shared settings: block calls on machines without hookgate.
    #[arg(long)]
    require: bool,
    /// Start with this preset: writes it into the policy that belongs to the scope. May be given several times.
    #[arg(long = "preset", value_name = "NAME", conflicts_with_all = ["import", "export"])]
    presets: Vec<String>,
    /// The agent's version, if `claude --version` can't be run.
    #[arg(long, value_name = "VERSION")]
    client_version: Option<String>,
}

impl Init {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let path = settings_path(environment, self.scope)?;
        let before = read_or_empty(&path)?;
        refuse_what_would_be_ignored(environment, self.scope, &path, &before)?;
        let change = match (self.import, self.export) {
            (true, _) => Some(import::import(environment, self.scope, &path, &before)?),
            (false, false) => presets::chosen(environment, self, &before)?,
            (false, true) => {
                // What stood there before is put back as it stood, if nobody has changed it since.
                let original = recorded_original(environment, &path, &before);
                let text = original.as_deref().unwrap_or(&before);
                Some(import::export(environment, self.scope, &path, text)?)
            }
        };
        let supposed: Vec<(&Path, &str)> =
            change.iter().map(|change| (change.policy.as_path(), change.after.as_str())).collect();
        let present = (CLIENT.registrations)(&before).unwrap_or_default();
        let blocks = present.iter().any(|registration| registration.block_on_failure);
        let registrations = self.registrations(environment, &supposed, blocks)?;
        let base = change.as_ref().map_or(before.as_str(), |change| &change.settings);
        let after = (CLIENT.install)(base, &registrations, first_original(environment, &path).as_deref())
            .map_err(|error| CommandError::usage(format!("{}: {error}", path.display())))?;
        refuse_unknown_names(&after, &registrations)?;
        for note in change.iter().flat_map(|change| &change.notes) {
            println!("{note}");
        }
        let policy = change.filter(|change| change.after != change.before);
        if after == before && policy.is_none() {
            println!("{} is up to date: {} hookgate hooks", path.display(), registrations.len());
            return Ok(());
        }
        if let Some(change) = &policy {
            show_change(&change.policy, &change.before, &change.after);
        }
        if after != before {
            show_change(&path, &before, &after);
        }
        if self.dry_run {
            return Ok(());
        }
        // A first installation only tightens.
        if self.export || !present.is_empty() || !self.presets.is_empty() {
            refuse_agents()?;
        }
        if !self.yes && !confirm("Write this?")? {
            return Err(CommandError::usage("nothing written"));
        }
        // What runs a hook is written before what ran it is taken away.
        let policy_first = policy.as_ref().filter(|_| self.import);
        if let Some(change) = policy_first {
            write_policy(environment, change)?;
        }
        let mut backup = None;
        if after != before {
            backup = record(environment, &path, &before, &after)?;
            write_atomically(&path, &after)?;
            println!("Wrote {}.", path.display());
            note_order(environment, "init", &path);
        }
        if let Some(change) = policy.as_ref().filter(|_| !self.import) {
            write_policy(environment, change)?;
        }
        for (_, problem) in crate::versions::ask(environment.gate().policy(), &environment.directories).0 {
            println!("{problem}");
        }
        // Where there was no file, there is nothing to go back to.
        if let Some(backup) = backup.filter(|_| !before.is_empty()) {
            println!("A backup is in {}.", backup.display());
        }
        println!("Running sessions pick it up at once; `hookgate uninstall` removes it.");
        doctor::report(environment);
        Ok(())
    }

    fn registrations(
        &self,
        environment: &Environment,
        supposed: &[(&Path, &str)],
        blocks: bool,
    ) -> Result<Vec<Registration>, CommandError> {
        let shared = self.scope == Scope::Project;
        let command = if shared { "hookgate".to_owned() } else { environment.program()? };
        if let Some(odd) = self.client_version.as_deref().filter(|text| version_number(text).is_none()) {
            return Err(CommandError::usage(format!("not a version: `{odd}`; write it as 2.1.330")));
        }
        let version = self.client_version.clone().or_else(|| client_version(environment));
        let needed = match CLIENT.agent.failure {
            FailureSupport::Settable { since } => Some(since),
            FailureSupport::Runs | FailureSupport::Unknown => None,
        };
        let number = version.as_deref().and_then(version_number);
        // What isn't known loosens nothing: an installation that blocks goes on blocking.
        let kept = number.is_none() && blocks;
        let new_enough = needed.is_some_and(|needed| kept || number.is_some_and(|number| number >= needed));
        let usage = environment.policy_usage_as_if(supposed);
        let block = usage.enforces && new_enough && (!shared || self.require);
        if let Some((major, minor, patch)) = needed.filter(|_| usage.enforces && !new_enough) {
            let which = version.map_or_else(|| "an unknown version".to_owned(), |v| format!("version {v}"));
            println!(
                "note: {which} of {}; `onFailure: \"block\"` needs {major}.{minor}.{patch} and is left out, so calls run \
                 unchecked if hookgate can't start (pass --client-version if this is wrong)",
                CLIENT.agent.title
            );
        }
        // A hook has its time, and hookgate a little more to answer with what it said.
        let seconds = |event: &str| {
            let hooks =
                usage.patience.iter().find(|(name, _)| name == event).map_or(0, |(_, millis)| *millis);
            DEADLINE_SECONDS.max(hooks.div_ceil(1000) + MARGIN_SECONDS)
        };
        let scope = self.scope.argument();
        Ok(usage
            .events
            .iter()
            .map(|event| (event, seconds(event)))
            .map(|(event, deadline)| Registration {
                event: event.clone(),
                command: command.clone(),
                arguments: [
                    "hook".to_owned(),
                    "--event".to_owned(),
                    event.clone(),
                    "--deadline".to_owned(),
                    format!("{deadline}s"),
                ]
                .into_iter()
                .chain(scope.iter().flat_map(|name| [SCOPE_ARGUMENT.to_owned(), (*name).to_owned()]))
                .collect(),
                timeout: deadline + TIMEOUT_SECONDS - DEADLINE_SECONDS,
                block_on_failure: block && matches!(event.as_str(), "PreToolUse" | "PermissionRequest"),
            })
            .collect())
    }
}

/// Refuses settings that the client would ignore, hookgate's hooks included, and a policy with errors.
fn refuse_what_would_be_ignored(
    environment: &Environment,
    scope: Scope,
    path: &Path,
    text: &str,
) -> Result<(), CommandError> {
    if let Some(fault) = (CLIENT.faults)(&path.display().to_string(), text).into_iter().next() {
        return Err(CommandError::usage(format!("{}; {} first", fault.text, fault.fix)));
    }
    let managed =
        environment.client_files(CLIENT).find(|(scope, _)| *scope == hookgate_clients::Scope::Managed);
    let managed = managed.and_then(|(_, path)| fs::read_to_string(path).ok());
    if scope != Scope::Managed && managed.is_some_and(|text| (CLIENT.shuts_hooks_out)(&text)) {
        return Err(CommandError::usage(
            "the managed settings allow only managed hooks; ask an administrator to run `hookgate init --scope managed`",
        ));
    }
    // Nothing is kept of the policy as it is now: `--import` is about to write another one.
    let selection = Selection { cases: true, ..Selection::default() };
    let gate = Gate::select(environment.directories.clone(), &environment.cwd, selection);
    gate.map(drop).map_err(|error| CommandError::usage(format!("fix the policy first\n{error}")))
}

/// Remove hookgate from the agent's settings, and leave everything else as it is.
#[derive(Args, Debug)]
pub(crate) struct Uninstall {
    /// Only this settings file (default: all of them).
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Don't ask for confirmation.
    #[arg(long, short)]
    yes: bool,
}

impl Uninstall {
    pub(crate) fn run(&self, environment: &Environment) -> Result<(), CommandError> {
        let scopes =
            self.scope.map_or_else(|| vec![Scope::User, Scope::Project, Scope::Local], |scope| vec![scope]);
        let mut found = false;
        for scope in scopes {
            let path = settings_path(environment, scope)?;
            let before = read_or_empty(&path)?;
            let original = recorded_original(environment, &path, &before);
            let mut change = match &original {
                Some(original) => import::export(environment, scope, &path, original)?,
                None => {
                    let original = first_original(environment, &path);
                    let text = (CLIENT.remove)(&before, original.as_deref())
                        .map_err(|error| CommandError::usage(format!("{}: {error}", path.display())))?;
                    import::export(environment, scope, &path, &text)?
                }
            };
            // A policy that is as `init --preset` left it goes too.
            if change.after == change.before
                && let Some(original) = recorded_original(environment, &change.policy, &change.before)
            {
                change.after = original;
            }
            let was_made = was_made(environment, &path);
            if was_made && is_blank(&change.settings) {
                change.settings.clear();
            }
            let after = &change.settings;
            let policy = (change.after != change.before).then_some(&change);
            if *after == before && policy.is_none() {
                continue;
            }
            found = true;
            for note in &change.notes {
                println!("{note}");
            }
            show_change(&path, &before, after);
            if let Some(change) = policy {
                show_change(&change.policy, &change.before, &change.after);
            }
            refuse_agents()?;
            if !self.yes && !confirm("Write this?")? {
                return Err(CommandError::usage("nothing written"));
            }
            note_order(environment, "uninstall", &path);
            if after.is_empty() && was_made {
                remove_file(&path)?;
            } else {
                write_atomically(&path, after)?;
                println!("Wrote {}.", path.display());
            }
            if let Some(change) = policy {
                write_policy(environment, change)?;
                forget(environment, &change.policy);
            }
            forget(environment, &path);
        }
        if !found {
            match self.scope {
                Some(_) => println!("hookgate isn't installed in the settings file of this scope."),
                None => println!("hookgate isn't installed in any of the agent's settings files."),
            }
        }
        note_what_stays(environment, found);
        Ok(())
    }
}

/// Refuses a program by whose name nothing would recognise hookgate: neither `doctor` nor `uninstall`, nor the guard of the gate.
fn refuse_unknown_names(settings: &str, registrations: &[Registration]) -> Result<(), CommandError> {
    let recognised = (CLIENT.registrations)(settings).unwrap_or_default();
    match registrations.first().filter(|_| recognised.is_empty()) {
        Some(first) => Err(CommandError::usage(format!(
            "this program is called `{}`, a name by which hookgate wouldn't find its own entries in the settings; rename it to \
             `hookgate`, then run `hookgate init`",
            printable(&first.command)
        ))),
        None => Ok(()),
    }
}

/// Says what of hookgate is left after an uninstallation: other settings files, policies, and its log.
fn note_what_stays(environment: &Environment, removed: bool) {
    let settings =
        installed::settings(CLIENT, &environment.directories, &environment.project().to_string_lossy());
    for file in settings.iter().filter(|file| !file.registrations.is_empty()) {
        let scope = Scope::value_variants().iter().find(|scope| scope.of_client() == file.scope);
        let name = scope.and_then(ValueEnum::to_possible_value);
        let name = name.as_ref().map_or("user", |name| name.get_name());
        println!(
            "It stays in {}; `hookgate uninstall --scope {name}` removes it there.",
            file.path.display()
        );
    }
    if !removed {
        return;
    }
    for (kind, path, ..) in environment.gate().files().filter(|(_, path, ..)| path.exists()) {
        println!("The {} policy stays in {}.", kind.name(), path.display());
    }
    if let Some(state) = environment.directories.state.as_ref().filter(|state| state.exists()) {
        println!("The log stays in {}; delete the folder if you don't need it.", state.display());
    }
}

/// Is there nothing in these settings?
fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
        || serde_json::from_str::<serde_json::Value>(text)
            .is_ok_and(|value| value.as_object().is_some_and(serde_json::Map::is_empty))
}

/// Notes in the audit log that an installation was changed. A log that can't be written doesn't keep a person from it.
fn note_order(environment: &Environment, command: &str, path: &Path) {
    let gate = environment.gate();
    let record = serde_json::json!({
        "time": hookgate_engine::timestamp(gate.now()),
        "order": command,
        "path": path.to_string_lossy(),
    });
    if let Some(audit) = gate.audit() {
        drop(audit.append(&record.to_string()));
    }
}

/// Where the settings of a scope are.
pub(crate) fn settings_path(environment: &Environment, scope: Scope) -> Result<PathBuf, CommandError> {
    let wanted = scope.of_client();
    let mut files = environment.client_files(CLIENT);
    let found = files.find(|(scope, _)| *scope == wanted).map(|(_, path)| path);
    found.ok_or_else(|| CommandError::usage("HOME is not set; pass --scope project or --scope local"))
}

/// Writes a policy file that hooks were moved into or out of; one that holds nothing any more and that hookgate had made goes.
fn write_policy(environment: &Environment, change: &import::Change) -> Result<(), CommandError> {
    let original = recorded_original(environment, &change.policy, &change.before);
    record(environment, &change.policy, &change.before, &change.after)?;
    if change.after.is_empty() && original.as_deref() == Some("") {
        remove_file(&change.policy)?;
        crate::policy_files::written(&environment.directories, &change.policy, "");
        return Ok(());
    }
    write_atomically(&change.policy, &change.after)?;
    crate::policy_files::written(&environment.directories, &change.policy, &change.after);
    println!("Wrote {}.", change.policy.display());
    Ok(())
}

/// Keeps what was there and what was written, so that `uninstall` can restore it byte for byte.
fn record(
    environment: &Environment,
    path: &Path,
    before: &str,
    after: &str,
) -> Result<Option<PathBuf>, CommandError> {
    let Some(state) = &environment.directories.state else { return Ok(None) };
    let folder = state.join("settings");
    let failed = |error: io::Error| CommandError::file(&folder, &error);
    fs::create_dir_all(&folder).map_err(failed)?;
    // Settings hold keys.
    only_for_the_owner(&folder, 0o700).map_err(failed)?;
    let file = folder.join(format!("{}.json", hookgate_host::decision_id()));
    // The original of a file that hookgate already changed is the one from before the first change; after an edit by others,
    // it is what they would have without hookgate.
    let original = recorded_original(environment, path, before)
        .or_else(|| (CLIENT.remove)(before, first_original(environment, path).as_deref()).ok())
        .unwrap_or_else(|| before.to_owned());
    let record = serde_json::json!({
        "path": path.to_string_lossy(),
        "before": original,
        "after": after,
        "made": was_made(environment, path) || !target(path).exists(),
    });
    let failed = |error: io::Error| CommandError::file(&file, &error);
    fs::write(&file, "").map_err(failed)?;
    only_for_the_owner(&file, 0o600).map_err(failed)?;
    fs::write(&file, format!("{record:#}\n")).map_err(failed)?;
    Ok(Some(file))
}

/// Removes the backups of a file that hookgate is no longer in.
fn forget(environment: &Environment, path: &Path) {
    for (file, record) in backups(environment) {
        if record.get("path").and_then(serde_json::Value::as_str) == Some(&*path.to_string_lossy()) {
            // What stays is a copy more.
            drop(fs::remove_file(file));
        }
    }
}

/// The backups, newest first.
fn backups(environment: &Environment) -> Vec<(PathBuf, serde_json::Value)> {
    let folder = environment.directories.state.as_ref().map(|state| state.join("settings"));
    let entries = folder.and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    let read = |file: PathBuf| Some((file.clone(), serde_json::from_slice(&fs::read(file).ok()?).ok()?));
    files.into_iter().rev().filter_map(read).collect()
}

/// What was in the file before hookgate changed it to exactly what is there now. A text with hookgate in it is never that.
fn recorded_original(environment: &Environment, path: &Path, now: &str) -> Option<String> {
    backups(environment).into_iter().find_map(|(_, record)| {
        let text = |key: &str| record.get(key).and_then(serde_json::Value::as_str);
        let is_it = text("path")? == path.to_string_lossy() && text("after")? == now;
        let before = text("before").filter(|_| is_it)?;
        let is_free = (CLIENT.registrations)(before).map_or(true, |ours| ours.is_empty());
        is_free.then(|| before.to_owned())
    })
}

/// Did hookgate make the file? Not known of one that an earlier release changed: an empty one was taken for none.
fn was_made(environment: &Environment, path: &Path) -> bool {
    let of_file = |record: &serde_json::Value| {
        record.get("path").and_then(serde_json::Value::as_str) == Some(&*path.to_string_lossy())
    };
    let mut records = backups(environment).into_iter().rev().map(|(_, record)| record);
    records.find(of_file).is_some_and(|first| match first.get("made") {
        Some(made) => made == true,
        None => first.get("before").and_then(serde_json::Value::as_str) == Some(""),
    })
}

/// What was in the file before hookgate changed it for the first time, as far as the backups tell.
fn first_original(environment: &Environment, path: &Path) -> Option<String> {
    let of_file = |record: &serde_json::Value| {
        record.get("path").and_then(serde_json::Value::as_str) == Some(&*path.to_string_lossy())
    };
    let (_, first) = backups(environment).into_iter().rev().find(|(_, record)| of_file(record))?;
    first.get("before").and_then(serde_json::Value::as_str).map(str::to_owned)
}

/// Where the client is installed when it isn't on `PATH`: its own installers' folders, npm's and Homebrew's.
const USUAL_PLACES: &[&str] =
    &["~/.local/bin", "~/.claude/local", "~/.npm-global/bin", "/usr/local/bin", "/opt/homebrew/bin"];

fn client_version(environment: &Environment) -> Option<String> {
    let program = CLIENT.agent.programs.first()?;
    let home = environment.directories.home.clone().unwrap_or_default();
    let usual = USUAL_PLACES.iter().map(|place| match place.strip_prefix("~/") {
        Some(below) => home.join(below).join(program),
        None => Path::new(place).join(program),
    });
    std::iter::once(PathBuf::from(program)).chain(usual).find_map(|program| {
        let text = crate::versions::printed(program.to_str()?)?;
        text.split_whitespace().next().map(str::to_owned)
    })
}

fn version_number(text: &str) -> Option<(u64, u64, u64)> {
    let mut parts = text.trim().split(['.', '-', ' ']).map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert_eq!(version_number("2.1.330 (Claude Code)"), Some((2, 1, 330)));
        assert!(version_number("2.1.99").unwrap() < (2, 1, 295));
        assert!(version_number("2.2.0").unwrap() > (2, 1, 295));
        assert_eq!(version_number("latest"), None);
    }
}
