//! Where hookgate stands in the client's settings.

use std::fs;
use std::path::{Path, PathBuf};

use hookgate_agents::Event;
use hookgate_clients::{Client, Registration, Scope};
use hookgate_host::{Directories, find_program, settings_files};
use hookgate_policy::Policy;

use crate::usage::PolicyUsage;

/// The argument that names the settings that a hook stands in, where settings of more authority may hold hookgate, too.
pub(crate) const SCOPE_ARGUMENT: &str = "--scope";

/// hookgate in one settings file.
pub(crate) struct Installed {
    /// Whose settings these are.
    pub(crate) scope: Scope,
    /// The file.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
    /// hookgate's hooks in it.
    pub(crate) registrations: Vec<Registration>,
}

/// The settings files that are there, by authority, each once.
pub(crate) fn settings(client: &Client, directories: &Directories, project: &str) -> Vec<Installed> {
    let mut found: Vec<Installed> = Vec::new();
    for (scope, path) in settings_files(client, directories, project) {
        // In the home directory the person's settings are the project's.
        if found.iter().any(|other| other.path == path) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let registrations = (client.registrations)(&text).unwrap_or_default();
        found.push(Installed { scope, path, text, registrations });
    }
    found
}

impl Installed {
    /// Does the client surely ask hookgate about these events by this file?
    fn asks(&self, client: &Client, event: &str) -> bool {
        let runs = |registration: &Registration| {
            registration.event == event
                && !registration.arguments.iter().any(|argument| argument == "--agent")
                && is_there(&registration.command)
        };
        self.registrations.iter().any(runs)
            && (client.faults)(&self.path.display().to_string(), &self.text).is_empty()
    }
}

/// Is the program of a hook there?
pub(crate) fn is_there(command: &str) -> bool {
    let path = Path::new(command);
    if path.is_absolute() {
        return path.is_file();
    }
    std::env::var("PATH").is_ok_and(|path| find_program(command, &path).is_some())
}

/// Is the client to ask hookgate about this event by settings of more authority as well? Then that hook judges, and the one in
/// the settings of this scope stands aside, so that every event is judged once.
pub(crate) fn is_asked_above(scope: &str, event: &Event, directories: &Directories, project: &str) -> bool {
    let Some(client) = Client::of(event.agent) else { return false };
    let own = match scope {
        "project" => Scope::Project,
        "local" => Scope::Local,
        _ => return false,
    };
    let files = settings(client, directories, project);
    let above = files.iter().take_while(|file| file.scope != own);
    let mut above = above.filter(|file| matches!(file.scope, Scope::Managed | Scope::User | Scope::Project));
    above.any(|file| file.asks(client, event.name.as_str()))
}

/// The events about which the policy says something, and about which hookgate isn't asked. Nothing where hookgate is in none of
/// the settings: whoever runs it then has put it somewhere else.
pub(crate) fn not_in_force(
    policy: &Policy,
    client: &Client,
    directories: &Directories,
    project: &str,
) -> Vec<String> {
    let files = settings(client, directories, project);
    let registered: Vec<String> =
        files.iter().flat_map(|file| &file.registrations).map(|one| one.event.clone()).collect();
    if registered.is_empty() {
        return Vec::new();
    }
    PolicyUsage::of(policy).beyond(&registered).into_iter().map(str::to_owned).collect()
}

/// What a person hears of them.
pub(crate) fn not_in_force_notice(events: &[String]) -> Option<String> {
    (!events.is_empty()).then(|| {
        format!("not in force: what the policy says about {}; run `hookgate init`", events.join(", "))
    })
}
