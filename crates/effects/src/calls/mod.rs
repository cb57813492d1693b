//! What one call does, by what its program's file says.

mod apply;
mod flows;
mod idle;
mod leaving;
mod manner;
pub(crate) mod masking;
mod reach;
mod steering;

pub(crate) use idle::{Idle, does_nothing, lacks_operand};
pub(crate) use leaving::address;
pub(crate) use steering::is_steering;
