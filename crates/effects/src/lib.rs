//! What a tool call does: effects, from shell text by way of the knowledge base, and from every other tool.
//!
//! Rules and policies see [`Effects`]; the command text never leaves this room.

mod context;
mod effect;
mod field;
mod interpreter;
mod knowledge;
mod languages;
mod matching;
mod paths;
mod programs;
mod world;

pub use effect::{
    Argument, Call, Certainty, Effect, Effects, Kind, Output, PathFact, Place, Target, Traits, Unknown,
};
pub use world::{Entry, EntryKind, Places, World};

use hookgate_agents::Event;

/// The effects of an event's tool call; none for events without one.
#[must_use]
pub fn of_event(_event: &Event, _places: &Places, _world: &dyn World) -> Effects {
    Effects::default()
}
