//! The agent's own permission rules in a decision: read once, and only where something of ours could run against them.

use std::cell::OnceCell;

use hookgate_agents::{Body, Event, Map};
use hookgate_effects::{Effects, Places};
use hookgate_native::{Missed, Reading, Settings, missed, reading};

use crate::{Host, Standing};

/// The agent's settings, opened when they are first asked for.
pub(crate) struct Native<'h> {
    host: &'h dyn Host,
    places: &'h Places,
    /// For the call that is judged.
    settings: OnceCell<Settings>,
    /// For what a rewrite makes of it, which no rule was left out for.
    all: OnceCell<Settings>,
}

impl<'h> Native<'h> {
    pub(crate) fn new(host: &'h dyn Host, places: &'h Places) -> Native<'h> {
        Native { host, places, settings: OnceCell::new(), all: OnceCell::new() }
    }

    /// The rules for this call: `text` is all that it could be known by, and whether it does something to files.
    fn settings(&self, text: impl FnOnce() -> (String, bool)) -> &Settings {
        self.settings.get_or_init(|| {
            let (text, files) = text();
            Settings::read_for(&self.host.native_settings(self.places), &text, files)
        })
    }

    /// The rules that the call breaks and the client would not apply.
    pub(crate) fn missed(&self, event: &Event, effects: &Effects) -> Vec<Missed> {
        let settings = self.settings(|| {
            let programs = effects.calls.iter().flat_map(|call| [call.program.as_str(), call.word.as_str()]);
            let text = std::iter::once(command(event)).chain(programs).collect::<Vec<_>>().join(" ");
            let no_files = event.tool().is_some_and(|call| call.name == "Bash")
                && effects.effects.iter().all(|effect| effect.target.is_none());
            (text, !no_files)
        });
        missed(event, effects, settings, self.places)
    }

    /// What the rules that the client applies by itself amount to.
    ///
    /// Where it stops the call that the agent made, it decides alone. Where it stops only what a rewrite makes of it, the
    /// rewrite stays, so that it is stopped, and nothing is granted.
    pub(crate) fn standing(&self, event: &Event, rewrite: Option<&Map>) -> Standing {
        if self.stops(event) {
            return Standing::handoff();
        }
        let is_stopped_rewritten = rewrite.is_some_and(|input| {
            let mut new = event.clone();
            if let Body::Tool(call) = &mut new.body {
                call.input.clone_from(input);
            }
            let all = self.all.get_or_init(|| Settings::read(&self.host.native_settings(self.places)));
            stops(&new, all, self.places)
        });
        if is_stopped_rewritten { Standing::withheld() } else { Standing::default() }
    }

    /// Would the client run the call without asking?
    pub(crate) fn allows(&self, event: &Event) -> bool {
        let settings = self.settings(|| (command(event).to_owned(), true));
        matches!(reading(event, settings, self.places), Reading::Allow)
    }

    /// Would the client refuse the call or ask about it?
    pub(crate) fn stops(&self, event: &Event) -> bool {
        stops(event, self.settings(|| (command(event).to_owned(), true)), self.places)
    }

    /// What a person should hear about the settings, once per session: which of them could not be read.
    pub(crate) fn notices(&self, session: &str) -> Vec<String> {
        let Some(settings) = self.settings.get() else { return Vec::new() };
        settings
            .problems
            .iter()
            .filter(|problem| self.host.first_time(session, &format!("settings-{}", problem.path)))
            .map(|problem| {
                format!(
                    "hookgate can't read the permission rules in {}, which count as absent: {}",
                    problem.path, problem.message
                )
            })
            .collect()
    }
}

fn stops(event: &Event, settings: &Settings, places: &Places) -> bool {
    matches!(reading(event, settings, places), Reading::Deny(_) | Reading::Ask(_))
}

fn command(event: &Event) -> &str {
    event.tool().and_then(|call| call.text("command")).unwrap_or("")
}
