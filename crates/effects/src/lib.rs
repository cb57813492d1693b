//! What a tool call does: effects, from shell text by way of the knowledge base, and from every other tool.
//!
//! Rules and policies see [`Effects`]; the command text never leaves this room.

mod context;
mod effect;
mod field;
mod inside;
mod interpreter;
mod knowledge;
mod languages;
mod matching;
mod paths;
mod programs;
mod tools;
mod world;

pub use effect::{
    Argument, Call, Certainty, Effect, Effects, Kind, Output, PathFact, Place, Target, Traits, Unknown,
};
pub use paths::GUARDS;
pub use world::{Entry, EntryKind, Places, World};

use context::Context;
use hookgate_agents::Event;

/// The effects of an event's tool call; none for events without one.
#[must_use]
pub fn of_event(event: &Event, places: &Places, world: &dyn World) -> Effects {
    let mut context = Context::new(places, world);
    if let Some(call) = event.tool() {
        tools::tool_call(&mut context, call);
    }
    context.found
}

/// The effects of a shell command.
#[must_use]
pub fn of_command(text: &str, places: &Places, world: &dyn World) -> Effects {
    let mut context = Context::new(places, world);
    interpreter::analyse(&mut context, text);
    context.found
}
