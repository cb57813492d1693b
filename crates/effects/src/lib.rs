//! What a tool call does: effects, from shell text by way of the knowledge base, and from every other tool.
//!
//! Rules and policies see [`Effects`]; the command text never leaves this room.

mod adrift;
mod bounds;
mod calls;
mod composed;
mod context;
mod foreign;
mod hosts;
mod inside;
mod interpreter;
mod knowledge;
mod programs;
mod run;
mod scope;
mod secrets;
mod state;
mod texts;
mod tools;

pub use hookgate_facts::is_loopback;
pub use hookgate_facts::paths::{GUARDS, file_name};
pub use hookgate_facts::{
    Argument, Call, Certainty, Composed, Effect, Effects, Entry, EntryKind, FileText, Kind, Manner, Output,
    Part, PathFact, Place, Places, Said, Step, Taken, Target, Traits, Unknown, World,
};
pub use programs::is_agent;
pub use secrets::name_of as secret_name_of;

pub(crate) use hookgate_facts::{effect, escapes, field, paths, world};
pub(crate) use hookgate_readers as languages;

use context::Context;
use hookgate_agents::{Event, ToolCall};
use interpreter::Interpreter;

/// The effects of an event's tool call; none for events without one.
#[must_use]
pub fn of_event(event: &Event, places: &Places, world: &dyn World) -> Effects {
    event.tool().map(|call| of_call(call, places, world)).unwrap_or_default()
}

/// What a text carries that no tool reads, as a prompt does: secrets.
#[must_use]
pub fn of_text(text: &str, places: &Places, world: &dyn World) -> Effects {
    let mut context = Context::new(places, world, &Interpreter);
    secrets::written(&mut context, text);
    context.note_found();
    context.found
}

/// The effects of a shell command.
#[must_use]
pub fn of_command(text: &str, places: &Places, world: &dyn World) -> Effects {
    of_call(&ToolCall::bash(text), places, world)
}

/// Is that path, absolute or seen from the working directory, one that guards are about: the gate's, an agent's settings or what it
/// loads, or what runs by itself?
#[must_use]
pub fn is_guarded(path: &str, places: &Places, world: &dyn World) -> bool {
    let Some(path) = paths::absolute(path, Some(&places.cwd)) else { return true };
    let fact = paths::fact(path, paths::Spelling::Literal, places, world, &[]);
    let own = || places.gate.iter().chain(&places.agent_settings);
    [Traits::GATE, Traits::AGENT_SETTINGS, Traits::AGENT_LOADS, Traits::STARTUP, Traits::GIT_HOOK]
        .into_iter()
        .any(|one| fact.traits.contains(one))
        || [Some(&fact.path), fact.real.as_ref()]
            .into_iter()
            .flatten()
            .any(|path| own().any(|kept| kept == path))
}

fn of_call(call: &ToolCall, places: &Places, world: &dyn World) -> Effects {
    let mut context = Context::new(places, world, &Interpreter);
    tools::tool_call(&mut context, call);
    secrets::carried(&mut context, call);
    context.note_found();
    context.found.files = std::mem::take(&mut context.state).texts();
    context.found
}
