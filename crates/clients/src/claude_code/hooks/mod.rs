//! The hooks in the client's settings: hookgate's own, those of others, and which of these can be supervised.

mod foreign;
mod movable;
mod questions;
mod registered;
mod splice;

pub(super) use foreign::{handlers, put_back, take};
pub(super) use movable::entry;
pub(super) use registered::{install, registrations, remove, stands_twice};
