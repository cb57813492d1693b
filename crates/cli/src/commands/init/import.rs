//! `init --import` and the way back: hooks between the agent's settings and the policy.

use std::path::{Path, PathBuf};

use hookgate_clients::Handler;
use hookgate_host::Trust;
use hookgate_policy::imported::{ImportEntry, ImportedHook, imported_hooks, judges, without};

use super::{CLIENT, Scope};
use crate::environment::Environment;
use crate::error::CommandError;
use crate::writing::read_or_empty;

/// A change of a policy file and of the settings text that goes with it.
pub(super) struct Change {
    /// The policy file.
    pub(super) policy: PathBuf,
    /// Its text, and what it becomes.
    pub(super) before: String,
    pub(super) after: String,
    /// The settings, as far as foreign hooks go.
    pub(super) settings: String,
    /// What a person should hear about it.
    pub(super) notes: Vec<String>,
}

/// The policy file that belongs to a scope of settings.
pub(super) fn policy_path(environment: &Environment, scope: Scope) -> Result<PathBuf, CommandError> {
    Ok(match scope {
        Scope::User => environment
            .directories
            .config
            .as_ref()
            .ok_or_else(|| {
                CommandError::usage(
                    "neither HOME nor XDG_CONFIG_HOME is set; pass --scope project or --scope local",
                )
            })?
            .join("hookgate.toml"),
        Scope::Project => environment.project().join(".hookgate.toml"),
        Scope::Local => environment.project().join(".hookgate.local.toml"),
        Scope::Managed => environment.directories.managed.join("hookgate.toml"),
    })
}

/// Moves what can be supervised from the settings into the policy.
///
/// A hook leaves the settings only once the policy that runs it is in force: a repository's has to be trusted first.
pub(super) fn import(
    environment: &Environment,
    scope: Scope,
    path: &Path,
    text: &str,
) -> Result<Change, CommandError> {
    let policy = policy_path(environment, scope)?;
    let before = read_or_empty(&policy)?;
    readable(&policy, &before)?;
    let name = path.display().to_string();
    let there = imported_hooks(&before);
    let mut after = before.clone();
    let (mut moved, mut questions, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let add = |after: &mut String, entry: &str| {
        if !after.is_empty() && !after.ends_with('\n') {
            after.push('\n');
        }
        after.push_str(entry);
    };
    for handler in (CLIENT.handlers)(text).map_err(|error| CommandError::usage(format!("{name}: {error}")))? {
        match (CLIENT.entry)(&handler, &name) {
            Ok(entry) => {
                let known =
                    moved.contains(&handler) || there.iter().any(|hook| is_same(hook, &handler, &name));
                match entry {
                    _ if known => {}
                    ImportEntry::Hook(hook) => add(&mut after, &hook.to_toml()),
                    ImportEntry::Question(question) => {
                        // It loses what it could do itself, and a person should know.
                        if handler.value.get("type").and_then(serde_json::Value::as_str) == Some("agent") {
                            notes.push(format!("moved, and without tools from now on: {}; a judge reads evidence that hookgate gathers", describe(&handler)));
                        }
                        questions.push(question);
                    }
                }
                moved.push(handler);
            }
            Err(reason) => notes.push(format!("not moved: {} ({reason})", describe(&handler))),
        }
    }
    if !questions.is_empty() {
        add(&mut after, &judges(&questions));
    }
    let trusted = matches!(scope, Scope::User | Scope::Managed)
        || Trust::new(&environment.directories).holds(&policy, &after);
    let settings = if trusted {
        (CLIENT.take)(text, &moved).map_err(|error| CommandError::usage(format!("{name}: {error}")))?
    } else {
        if !moved.is_empty() {
            notes.push(format!(
                "{} has to be trusted before it runs anything: read it, run `hookgate trust` in a terminal, then run this again. Until then the hooks stay in the settings",
                policy.display()
            ));
        }
        text.to_owned()
    };
    if scope == Scope::Project && settings != text {
        notes.push(
            "anyone who works on this project without hookgate no longer runs the moved hooks".to_owned(),
        );
    }
    Ok(Change { policy, before, after, settings, notes })
}

/// Moves everything that came from these settings back into them.
pub(super) fn export(
    environment: &Environment,
    scope: Scope,
    path: &Path,
    text: &str,
) -> Result<Change, CommandError> {
    let policy = policy_path(environment, scope)?;
    let before = read_or_empty(&policy)?;
    let name = path.display().to_string();
    let hooks = imported_hooks(&before);
    let own: Vec<&ImportedHook> = hooks.iter().filter(|hook| hook.settings == name).collect();
    let (mut handlers, mut notes) = (Vec::new(), Vec::new());
    for hook in &own {
        match serde_json::from_str(&hook.handler) {
            Ok(value) => {
                let (event, matcher) = (hook.event.clone(), hook.matcher.clone());
                handlers.push(Handler { event, matcher, value });
            }
            Err(error) => {
                return Err(CommandError::usage(format!(
                    "{}: `imported.handler` of a hook for {} was changed ({error}); fix it, or remove the hook by hand",
                    policy.display(),
                    hook.event
                )));
            }
        }
    }
    let settings = (CLIENT.put_back)(text, &handlers)
        .map_err(|error| CommandError::usage(format!("{}: {error}", path.display())))?;
    let after = without(&before, &own);
    if matches!(scope, Scope::Project | Scope::Local) && after != before && !after.trim().is_empty() {
        notes.push(format!("{} has changed, so it has to be trusted again", policy.display()));
    }
    Ok(Change { policy, before, after, settings, notes })
}

fn readable(policy: &Path, text: &str) -> Result<(), CommandError> {
    let source = hookgate_policy::Source {
        kind: hookgate_policy::LayerKind::User,
        path: &policy.display().to_string(),
        text,
        trusted: true,
    };
    let vocabulary = hookgate_rules::lookup::vocabulary();
    let vocabulary = hookgate_policy::Vocabulary { rules: &vocabulary };
    let (_, found) = hookgate_policy::Policy::load(&[source], &vocabulary, hookgate_policy::Check::Quick);
    match found.iter().find(|one| one.severity == hookgate_policy::Severity::Error) {
        Some(error) => Err(CommandError::usage(format!("fix the policy first\n{}", error.render(text)))),
        None => Ok(()),
    }
}

fn is_same(hook: &ImportedHook, handler: &Handler, settings: &str) -> bool {
    let value = serde_json::from_str::<serde_json::Value>(&hook.handler);
    hook.settings == settings
        && hook.event == handler.event
        && hook.matcher == handler.matcher
        && value.is_ok_and(|value| value == handler.value)
}

/// A handler in one line.
fn describe(handler: &Handler) -> String {
    let text = |key: &str| handler.value.get(key).and_then(serde_json::Value::as_str);
    let what = ["command", "url", "tool", "prompt"].into_iter().find_map(text).unwrap_or("");
    let what: String = crate::terminal::printable(what).chars().take(60).collect();
    format!("{} {} hook `{what}`", handler.event, text("type").unwrap_or("unknown"))
}
