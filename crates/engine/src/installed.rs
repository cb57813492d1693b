//! Does the agent still run the gate, by the settings as they are now? Looked at when a session starts, before its first tool
//! call, and when the agent reports a change of settings; by whatever means they were changed.

use hookgate_agents::{Event, EventName};
use hookgate_clients::{Client, Scope, Source as Settings};
use hookgate_effects::Places;
use hookgate_knowledge::{Facet, shipped};
use hookgate_policy::{Level, Policy};
use hookgate_rules::Remedy;
use hookgate_text::{Message, Quoted, say};

use crate::input::is_call;
use crate::{Finding, Host, Memory, Source, pass};

/// The rule that these findings are of.
const CODE: &str = "GATE007";

/// What takes the gate out of the settings; nothing where that isn't to be looked at now.
pub(crate) fn check(event: &Event, policy: &Policy, places: &Places, memory: &dyn Memory) -> Option<Finding> {
    let client = Client::of(event.agent)?;
    let level = pass::level(policy, CODE);
    if level == Level::Off {
        return None;
    }
    let due = match event.name {
        EventName::ConfigChange | EventName::SessionStart => true,
        _ => is_call(event) && memory.first_time(&event.session_id, "settings-checked"),
    };
    let host = memory.host();
    let lost = |fault| say!("finds that hookgate no longer runs: {}", fault);
    let found = due.then(|| fault(client, places, host).map(lost).or_else(|| led_away(client, places, host)));
    let found = found.flatten()?;
    if level == Level::Halt {
        memory.halt("the agent's settings no longer run hookgate");
    }
    let fix = "ask the user to run `hookgate doctor` and to restore the settings";
    Some(Finding {
        level,
        fix: Some(fix.into()),
        remedy: Remedy::Forbidden,
        ..Finding::new(CODE, Source::BuiltIn, found)
    })
}

/// What is wrong with the settings as a whole.
fn fault(client: &Client, places: &Places, host: &dyn Host) -> Option<Message> {
    let installed = host.installed_settings(client, places);
    let sources = host.native_settings(client, places);
    let ours = |source: &Settings| installed.contains(&source.path);
    for source in &sources {
        if source.scope == Scope::Managed
            && (client.shuts_hooks_out)(&source.text)
            && !is_asked(client, source)
        {
            return Some("the managed settings allow only managed hooks".into());
        }
        let faults = (client.faults)(&source.path, &source.text);
        let stops = |fault: &&hookgate_clients::Fault| fault.check == "hooks disabled" || ours(source);
        if let Some(fault) = faults.iter().find(stops) {
            return Some(Message::in_their_words(&fault.text));
        }
    }
    let gone = !installed.is_empty() && !sources.iter().any(|source| is_asked(client, source));
    gone.then(|| "its hooks are gone from the agent's settings".into())
}

/// Settings of the repository that have hookgate look elsewhere.
fn led_away(client: &Client, places: &Places, host: &dyn Host) -> Option<Message> {
    let sources = host.native_settings(client, places);
    let is_the_persons = |source: &Settings| {
        sources.iter().any(|other| other.scope == Scope::User && other.path == source.path)
    };
    sources.iter().filter(|source| !is_the_persons(source)).find_map(|source| {
        let name = moves_the_gate(client, source)?;
        let path = Quoted::new(&source.path);
        Some(say!("finds that {} sets {}, so that a person's policy isn't found", path, Quoted::new(&name)))
    })
}

/// The variable that settings in the repository set for the gate, where that decides where it looks for the person's policy and its
/// own state.
#[must_use]
pub fn moves_the_gate(client: &Client, source: &Settings) -> Option<String> {
    if !matches!(source.scope, Scope::Project | Scope::Local) || !source.text.contains("\"env\"") {
        return None;
    }
    let gate = shipped().program("hookgate")?;
    let leads = |name: &String| gate.specification().facets(Facet::Unguards).any(|known| known == name);
    (client.sets)(&source.text).into_iter().find(leads)
}

/// Do these settings have the gate asked about tool calls?
fn is_asked(client: &Client, source: &Settings) -> bool {
    let ours = (client.registrations)(&source.text).unwrap_or_default();
    ours.iter().any(|registration| registration.event == EventName::PreToolUse.as_str())
}
