//! Which events a rule looks at.

use hookgate_agents::EventName;

/// A set of events; each has the bit of its place in [`EventName::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventSet(u64);

impl EventSet {
    /// No event.
    pub const NONE: EventSet = EventSet(0);
    /// Before a tool runs.
    pub const PRE_TOOL_USE: EventSet = EventSet(1);
    /// A permission prompt is about to be shown.
    pub const PERMISSION_REQUEST: EventSet = EventSet(1 << 17);
    /// Every event that this build knows.
    pub const ALL: EventSet = EventSet((1 << EventName::ALL.len()) - 1);
    /// The events that are about one tool call.
    pub const TOOL: EventSet = EventSet(1 | 1 << 1 | 1 << 2 | 1 << 17 | 1 << 18);

    /// The event of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<EventSet> {
        EventName::ALL.iter().position(|known| known.as_str() == name).map(|bit| EventSet(1 << bit))
    }

    /// One event; nothing for an event that this build has never heard of.
    #[must_use]
    pub fn of(event: &EventName) -> EventSet {
        EventName::ALL
            .iter()
            .position(|known| known == event)
            .map_or(EventSet::NONE, |bit| EventSet(1 << bit))
    }

    /// Both sets.
    #[must_use]
    pub const fn union(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn intersection(self, other: EventSet) -> EventSet {
        EventSet(self.0 & other.0)
    }

    /// Is nothing in it?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of what is in it.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        EventName::ALL
            .iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 & (1 << bit) != 0)
            .map(|(_, name)| name.as_str())
    }

    /// The names of all events.
    pub fn all_names() -> impl Iterator<Item = &'static str> + Clone {
        EventName::ALL.iter().map(EventName::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::{EventName, EventSet};

    #[test]
    fn the_tool_events_are_the_five_with_one_call() {
        assert_eq!(EventSet::PRE_TOOL_USE, EventSet::of(&EventName::PreToolUse));
        assert_eq!(EventSet::PERMISSION_REQUEST, EventSet::of(&EventName::PermissionRequest));
        let names: Vec<_> = EventSet::TOOL.names().collect();
        assert_eq!(
            names,
            ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"]
        );
    }
}
