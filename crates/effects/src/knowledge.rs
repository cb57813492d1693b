//! What is known about programs, as this room uses it.

use crate::field::Field;

pub(crate) use hookgate_knowledge::{
    Change, Count, EffectSpecification, Facet, Manner, Operand, Program, Role, Row, StandardInput, ValueForm,
    assign_operands, has_ambiguous, listed_operands, match_call, program, shipped,
};

/// What the program's file says under that key.
pub(crate) fn facet(name: &str, facet: Facet) -> Option<&'static str> {
    program(name)?.specification().facet(facet)
}

/// Does the program's file have that key?
pub(crate) fn has_facet(name: &str, facet: Facet) -> bool {
    program(name).is_some_and(|program| program.specification().has_facet(facet))
}

/// Does the program's file have the word in its list under `acts-as`?
pub(crate) fn acts_as(name: &str, what: &str) -> bool {
    program(name)
        .is_some_and(|program| program.specification().facets(Facet::ActsAs).any(|acts| acts == what))
}

/// Does the table have a row of that name?
pub(crate) fn is_listed(table: &str, word: &str) -> bool {
    shipped().table(table).contains(word)
}

/// The rows of a table.
pub(crate) fn rows(table: &str) -> impl Iterator<Item = Row<'static>> {
    shipped().table(table).rows()
}

/// Does the row of that name in the table say so?
pub(crate) fn row_says(table: &str, word: &str, what: &str) -> bool {
    shipped().table(table).find(word).is_some_and(|row| row.cells().any(|cell| cell == what))
}

/// A call, with its arguments sorted by the knowledge base.
pub(crate) type Matched<'a> = hookgate_knowledge::Matched<'a, Field>;

/// An option that is there.
pub(crate) type MatchedOption<'a> = hookgate_knowledge::MatchedOption<'a, Field>;
