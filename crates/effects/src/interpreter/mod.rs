//! Walks a shell text and says what runs, with what arguments, where.

mod apply;
mod calls;
mod state;

pub(crate) use state::{State, Value, Variable};
