//! What one call does, by what its program's file says.

mod apply;
mod flows;
mod idle;
pub(crate) mod leaving;
mod links;
mod manner;
pub(crate) mod masking;
mod reach;
pub(crate) mod said;
pub(crate) mod steering;

pub(crate) use idle::{Idle, does_nothing, lacks_operand};
