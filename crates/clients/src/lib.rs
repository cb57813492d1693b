//! The agents as programs on this machine: what a client's own permission rules do with a call, and what stands in its settings
//! files. One folder per client.
//!
//! Texts come in and go out; nothing is read or written here. An agent without a client here has no permission rules that
//! hookgate knows: those of another one are never applied to its calls.

mod claude_code;
mod fault;
mod registration;

use std::path::{Path, PathBuf};

use hookgate_agents::{Event, Profile};
use hookgate_effects::{Effects, Places};
use hookgate_policy::imported::ImportEntry;

pub use claude_code::CLAUDE_CODE;
pub use claude_code::permissions::{List, Missed, Problem, Reading, Rule, Scope, Settings, Source};
pub use fault::Fault;
pub use registration::{Handler, Registration, SettingsError};

/// Settings after an edit.
pub type Edited = Result<String, SettingsError>;

/// One client: the program behind an agent.
pub struct Client {
    /// The agent that it is.
    pub agent: &'static Profile,
    /// The environment variable that names the folder of the person's settings.
    pub folder_variable: &'static str,
    /// The settings files, by authority. Those that don't exist are listed too.
    pub files: fn(&Folders<'_>) -> Vec<(Scope, PathBuf)>,
    /// The file that says which projects the person trusts.
    pub trust_file: fn(&Folders<'_>) -> Option<PathBuf>,
    /// Does the text of that file say that the person trusts the project, or a directory above it? `None` where it can't be
    /// read.
    pub trusts: fn(&str, &str) -> Option<bool>,
    /// The settings with these registrations and no other of hookgate's. An empty text is an empty object; for the last one see
    /// `remove`.
    pub install: fn(&str, &[Registration], Option<&str>) -> Edited,
    /// The settings without hookgate's registrations, and without what is empty once they are gone; what was empty in the
    /// second text, the settings as they were without hookgate, stays.
    pub remove: fn(&str, Option<&str>) -> Edited,
    /// hookgate's registrations in the settings.
    pub registrations: fn(&str) -> Result<Vec<Registration>, SettingsError>,
    /// The hooks of others, in the file's order.
    pub handlers: fn(&str) -> Result<Vec<Handler>, SettingsError>,
    /// The settings without these hooks, and without what is empty once they are gone.
    pub take: fn(&str, &[Handler]) -> Result<String, SettingsError>,
    /// The settings with these hooks, each in a group with its matcher. Those that are there are not put twice.
    pub put_back: fn(&str, &[Handler]) -> Result<String, SettingsError>,
    /// The policy's entry for a hook of these settings, or why it has to stay.
    pub entry: fn(&Handler, &str) -> Result<ImportEntry, String>,
    /// What in a settings file of that name would keep hookgate from being asked.
    pub faults: fn(&str, &str) -> Vec<Fault>,
    /// Do the administrator's settings shut the person's hooks out?
    pub shuts_hooks_out: fn(&str) -> bool,
    /// The variables that the settings set for what the client starts, hooks included.
    pub sets: fn(&str) -> Vec<String>,
    reading: for<'s> fn(&Event, &'s Settings, &Places) -> Reading<'s>,
    missed: fn(&Event, &Effects, &Settings, &Places) -> Vec<Missed>,
}

/// Where a client's settings are looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folders<'a> {
    /// The folder that the client's own variable names, if it is absolute.
    pub named: Option<&'a Path>,
    /// The person's home.
    pub home: Option<&'a Path>,
    /// The project.
    pub project: &'a str,
}

impl Client {
    /// Every client.
    pub const ALL: &'static [&'static Self] = &[&CLAUDE_CODE];

    /// The client of that agent, if there is one.
    #[must_use]
    pub fn of(agent: &Profile) -> Option<&'static Self> {
        Self::ALL.iter().find(|client| client.agent == agent).copied()
    }
}

/// What the event's client does with the call by itself.
#[must_use]
pub fn reading<'s>(event: &Event, settings: &'s Settings, places: &Places) -> Reading<'s> {
    Client::of(event.agent).map_or(Reading::Nothing, |client| (client.reading)(event, settings, places))
}

/// The deny and ask rules that the event's call breaks while its client does not apply them.
///
/// Where the client denies by itself there is nothing to add, and where it asks by itself only denials are.
#[must_use]
pub fn missed(event: &Event, effects: &Effects, settings: &Settings, places: &Places) -> Vec<Missed> {
    let client = Client::of(event.agent);
    client.map_or_else(Vec::new, |client| (client.missed)(event, effects, settings, places))
}

#[cfg(test)]
mod tests {
    use hookgate_agents::{CODEX, EventName, ToolCall, UNLISTED};

    use super::*;

    #[test]
    fn the_rules_of_one_client_say_nothing_about_the_calls_of_another() {
        let source = Source {
            scope: Scope::User,
            path: "/home/ada/.claude/settings.json".to_owned(),
            text: r#"{"permissions": {"deny": ["Bash(rm:*)"]}}"#.to_owned(),
        };
        let settings = Settings::read(&[source]);
        let mut event = Event { call: Some(ToolCall::bash("rm x")), ..Event::new(EventName::PreToolUse) };
        let places = Places::default();
        assert!(matches!(reading(&event, &settings, &places), Reading::Deny(_)));
        for agent in [&CODEX, &UNLISTED] {
            event.agent = agent;
            assert_eq!(reading(&event, &settings, &places), Reading::Nothing);
            assert_eq!(missed(&event, &Effects::default(), &settings, &places), []);
        }
    }
}
