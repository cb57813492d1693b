//! What is known about programs and libraries: the format of its files, their compiler, and a reader of the result.
//!
//! The files of this repository are compiled when it is built ([`shipped`]); a person's own are compiled when they are
//! read. Both are one array of bytes without a pointer in it, so that reading it costs nothing before it is used.

use std::cell::RefCell;

mod act;
mod blob;
mod compiler;
mod facet;
mod format;
pub mod glob;
mod kind;
mod library;
mod manner;
mod matching;
mod part;
mod reader;
mod role;
mod table;

pub use act::{Act, NOWHERE, RECEIVER};
pub use compiler::{Compiler, Mistake};
pub use facet::{Facet, Form};
pub use kind::{Kind, Unknown};
pub use library::Library;
pub use manner::Manner;
pub use matching::{
    Matched, MatchedOption, Word, assign_operands, has_ambiguous, listed_operands, match_call,
};
pub use part::Part;
pub use reader::{
    Change, Count, EffectSpecification, Knowledge, Operand, OptionSpecification, Program, ShortSubcommand,
    Specification, StandardInput, Subcommand, Unlisted, ValueForm,
};
pub use role::Role;
pub use table::{Row, Table};

/// The base that this program was built with.
#[must_use]
pub fn shipped() -> Knowledge<'static> {
    static SHIPPED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/knowledge"));
    // What the build wrote is whole; the tests read all of it.
    Knowledge::new(SHIPPED).unwrap_or(Knowledge::EMPTY)
}

/// The shipped program of that name, a version or another system's ending taken off where that is needed.
#[must_use]
pub fn program(name: &str) -> Option<Program<'static>> {
    thread_local! {
        /// The one that was asked for last: most questions in a row are about one call.
        static LAST: RefCell<(String, Option<Program<'static>>)> = RefCell::default();
    }
    LAST.with_borrow_mut(|(last, program)| {
        if last != name {
            *program = shipped().program(name);
            name.clone_into(last);
        }
        *program
    })
}
