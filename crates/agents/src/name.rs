//! The events' names and classes.

macro_rules! event_names {
    ($($name:ident),+ $(,)?) => {
        /// The events of the agents, and whatever comes after them. Where agents have different names for one event, this is
        /// Claude Code's.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the names are the agents' own; the protocol page describes each")]
        pub enum EventName {
            $($name,)+
            /// An event that this build has never heard of, under the agent's name for it.
            Unknown(String),
        }

        impl EventName {
            /// Every known event: those of Claude Code in its own order, then those that only others have.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The agent's name of the event.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$name => stringify!($name),)+
                    Self::Unknown(name) => name,
                }
            }
        }

        impl From<&str> for EventName {
            fn from(name: &str) -> Self {
                match name {
                    $(stringify!($name) => Self::$name,)+
                    _ => Self::Unknown(name.to_owned()),
                }
            }
        }
    };
}

event_names!(
    PreToolUse,
    PostToolUse,
    PostToolUseFailure,
    PostToolBatch,
    Notification,
    UserPromptSubmit,
    UserPromptExpansion,
    SessionStart,
    SessionEnd,
    Stop,
    StopFailure,
    SubagentStart,
    SubagentStop,
    PreCompact,
    PostCompact,
    PreModelSwitch,
    PostModelSwitch,
    PermissionRequest,
    PermissionDenied,
    Setup,
    TeammateIdle,
    TaskCreated,
    TaskCompleted,
    Elicitation,
    ElicitationResult,
    ConfigChange,
    WorktreeCreate,
    WorktreeRemove,
    InstructionsLoaded,
    CwdChanged,
    FileChanged,
    DirectoryAdded,
    MessageDisplay,
    Interrupt,
);

impl std::fmt::Display for EventName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a failure of the gate means for an event: the classes of `on_error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventClass {
    /// A tool call is about to run: the policy says what a failure gets.
    ToolCall,
    /// The agent, a teammate or a task wants to finish: a failure releases it, with a notice.
    StopLike,
    /// A prompt, a compaction, a setting, a model or an MCP dialogue: a failure lets it pass.
    Gate,
    /// Something happened: a failure says nothing.
    Observation,
}

impl EventName {
    /// The event's class.
    #[must_use]
    pub fn class(&self) -> EventClass {
        match self {
            Self::PreToolUse | Self::PermissionRequest => EventClass::ToolCall,
            Self::Stop
            | Self::SubagentStop
            | Self::TaskCreated
            | Self::TaskCompleted
            | Self::TeammateIdle => EventClass::StopLike,
            Self::UserPromptSubmit
            | Self::UserPromptExpansion
            | Self::PostToolBatch
            | Self::PreCompact
            | Self::PreModelSwitch
            | Self::ConfigChange
            | Self::Elicitation
            | Self::ElicitationResult
            | Self::WorktreeCreate => EventClass::Gate,
            _ => EventClass::Observation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_as_itself() {
        for name in EventName::ALL {
            assert_eq!(&EventName::from(name.as_str()), name);
        }
        let new = EventName::from("TurnRewound");
        assert_eq!(new, EventName::Unknown("TurnRewound".to_owned()));
        assert_eq!(new.as_str(), "TurnRewound");
    }

    #[test]
    fn names_are_case_sensitive_as_in_the_agent() {
        assert!(matches!(EventName::from("pretooluse"), EventName::Unknown(_)));
    }
}
