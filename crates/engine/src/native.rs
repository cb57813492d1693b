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
    settings: OnceCell<Settings>,
}

impl<'h> Native<'h> {
    pub(crate) fn new(host: &'h dyn Host, places: &'h Places) -> Native<'h> {
        Native { host, places, settings: OnceCell::new() }
    }

    fn settings(&self) -> &Settings {
        self.settings.get_or_init(|| Settings::read(&self.host.native_settings(self.places)))
    }

    /// The rules that the call breaks and the client would not apply.
    pub(crate) fn missed(&self, event: &Event, effects: &Effects) -> Vec<Missed> {
        missed(event, effects, self.settings(), self.places)
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
            self.stops(&new)
        });
        if is_stopped_rewritten { Standing::withheld() } else { Standing::default() }
    }

    /// Would the client run the call without asking?
    pub(crate) fn allows(&self, event: &Event) -> bool {
        matches!(reading(event, self.settings(), self.places), Reading::Allow)
    }

    /// Would the client refuse the call or ask about it?
    pub(crate) fn stops(&self, event: &Event) -> bool {
        matches!(reading(event, self.settings(), self.places), Reading::Deny(_) | Reading::Ask(_))
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
