//! What is known about programs, as this room uses it.

pub(crate) use hookgate_knowledge::{
    Change, Count, EffectSpecification, Operand, Program, Role, ValueForm, assign_operands, has_ambiguous,
    listed_operands, match_call, shipped,
};

/// The program of that name, a version or another system's ending taken off where that is needed.
pub(crate) fn program(name: &str) -> Option<Program<'static>> {
    shipped().program(name)
}
