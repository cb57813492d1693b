//! What an event is judged by, and where: what every step of a judgement is given.

use hookgate_agents::{Event, EventName};
use hookgate_effects::Places;
use hookgate_policy::{Date, Mode, Policy};
use hookgate_rules::own::{Branch, Session};

use crate::Host;
use crate::hooks::Heard;
use crate::native::Native;

/// What is judged, by what, and where.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The event.
    pub event: &'a Event,
    /// The policy.
    pub policy: &'a Policy,
    /// The places that paths are judged against.
    pub places: &'a Places,
    /// The machine, which is only read.
    pub host: &'a dyn Host,
    /// The decision's name.
    pub id: &'a str,
    /// What the supervised hooks of the event said: see [`hear`](crate::hear).
    pub heard: &'a Heard,
}

/// What an event is judged by and where, whatever its input becomes.
pub(crate) struct At<'a> {
    pub(crate) event: &'a Event,
    pub(crate) policy: &'a Policy,
    pub(crate) places: &'a Places,
    pub(crate) host: &'a dyn Host,
    pub(crate) id: &'a str,
    pub(crate) heard: &'a Heard,
    pub(crate) native: &'a Native<'a>,
    /// Somebody is there to answer a question.
    pub(crate) attended: bool,
    /// The gate decides nothing but to guard itself: shadow mode, or a pause.
    pub(crate) silent: bool,
}

impl<'a> At<'a> {
    pub(crate) fn new(input: &Input<'a>, native: &'a Native<'a>) -> At<'a> {
        let &Input { event, policy, places, host, id, heard } = input;
        let attended = attended(event, host);
        let silent = policy.mode != Mode::Enforce || host.paused().is_some();
        At { event, policy, places, host, id, heard, native, attended, silent }
    }
}

impl Session for At<'_> {
    fn branch(&self) -> Branch {
        self.host.branch(&self.places.cwd)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.host.variable(name)
    }

    fn today(&self) -> Date {
        Date::from_unix_seconds(self.host.now() / 1000)
    }

    fn attended(&self) -> bool {
        self.attended
    }
}

/// Is a person there to answer a question?
#[must_use]
pub fn attended(event: &Event, host: &dyn Host) -> bool {
    event.attended(|name| host.variable(name))
}

/// Is it a tool call that can still be stopped?
pub(crate) fn is_call(event: &Event) -> bool {
    matches!(event.name, EventName::PreToolUse | EventName::PermissionRequest) && event.tool().is_some()
}
