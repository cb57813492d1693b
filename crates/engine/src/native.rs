//! The agent's own permission rules in a decision: read once, and only where something of ours could run against them.

use std::cell::OnceCell;

use hookgate_agents::{Event, Tool};
use hookgate_clients::{Client, List, Missed, Reading, Scope, Settings, Source, missed, reading};
use hookgate_effects::{Effects, Places};

use hookgate_text::Quoted;

use crate::{Host, Note};

/// The agent's settings, opened when they are first asked for.
pub(crate) struct Native<'h> {
    host: &'h dyn Host,
    places: &'h Places,
    sources: OnceCell<Vec<Source>>,
    /// What is wrong with them, as far as was seen.
    notes: OnceCell<Vec<Note>>,
}

impl<'h> Native<'h> {
    pub(crate) fn new(host: &'h dyn Host, places: &'h Places) -> Native<'h> {
        Native { host, places, sources: OnceCell::new(), notes: OnceCell::new() }
    }

    /// The rules that the call breaks and the client would not apply. `known` keeps the rules that could be about it.
    pub(crate) fn missed(&self, event: &Event, effects: &Effects, known: &OnceCell<Settings>) -> Vec<Missed> {
        missed(event, effects, self.about(event, effects, known), self.places)
    }

    /// Would the client refuse the call or ask about it?
    pub(crate) fn stops(&self, event: &Event, effects: &Effects, known: &OnceCell<Settings>) -> bool {
        let settings = self.about(event, effects, known);
        matches!(reading(event, settings, self.places), Reading::Deny(_) | Reading::Ask(_))
    }

    /// Would the client run the call without asking? Of a project that the person has not told it to trust, it takes no
    /// grant: neither allow rules nor directories.
    pub(crate) fn allows(&self, event: &Event, effects: &Effects) -> bool {
        let Some(client) = Client::of(event.agent) else { return false };
        let of_project = |source: &Source| source.scope == Scope::Project;
        let sources = self.sources(event);
        let mut settings = self.read(sources, event, effects);
        if sources.iter().any(of_project) && self.host.is_trusted_project(client, self.places) != Some(true) {
            let others: Vec<Source> = sources.iter().filter(|source| !of_project(source)).cloned().collect();
            let others = self.read(&others, event, effects);
            settings.rules.retain(|rule| rule.list != List::Allow);
            settings.rules.extend(others.rules.into_iter().filter(|rule| rule.list == List::Allow));
            settings.additional_directories = others.additional_directories;
        }
        matches!(reading(event, &settings, self.places), Reading::Allow)
    }

    /// What a person should hear about the settings: which of them could not be read.
    pub(crate) fn notes(&self) -> Vec<Note> {
        self.notes.get().cloned().unwrap_or_default()
    }

    /// The settings of the event's client; none of an agent whose rules hookgate doesn't know.
    fn sources(&self, event: &Event) -> &[Source] {
        let read = |client| self.host.native_settings(client, self.places);
        self.sources.get_or_init(|| Client::of(event.agent).map_or_else(Vec::new, read))
    }

    /// The rules that could be about this call.
    fn about<'s>(&self, event: &Event, effects: &Effects, known: &'s OnceCell<Settings>) -> &'s Settings {
        known.get_or_init(|| self.read(self.sources(event), event, effects))
    }

    fn read(&self, sources: &[Source], event: &Event, effects: &Effects) -> Settings {
        // All that the call could be known by, and whether it does something to files.
        let command = event.tool().and_then(|call| call.text("command")).unwrap_or("");
        let programs = effects.calls.iter().flat_map(|call| [call.program.as_str(), call.word.as_str()]);
        let text = std::iter::once(command).chain(programs).collect::<Vec<_>>().join(" ");
        let no_files = event.tool().is_some_and(|call| matches!(call.tool(), Tool::Shell { .. }))
            && effects.effects.iter().all(|effect| effect.target.is_none());
        let settings = Settings::read_for(sources, &text, !no_files);
        self.notes.get_or_init(|| settings.problems.iter().map(unreadable).collect());
        settings
    }
}

fn unreadable(problem: &hookgate_clients::Problem) -> Note {
    let key = format!("settings-{}", problem.path);
    let notice = format!(
        "hookgate ignores the permission rules in {}, because it can't read them: {}",
        Quoted::new(&problem.path),
        Quoted::new(&problem.message)
    );
    Note::Once { key, notice }
}
