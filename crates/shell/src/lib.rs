//! Shell text to commands, words, redirections and nested scripts, with byte spans. Syntax only.
//!
//! [`parse`] reads bash text. The parser library that it uses for the order of statements stands behind
//! `parse/statement.rs`; everything else sees the tree of this crate. [`foreign`] recognises text of PowerShell
//! and cmd, which [`powershell`] splits into words; such text is never read as bash.

mod parse;
mod tree;
mod walk;

pub use parse::{Limits, parse};
pub use tree::{
    Assignment, Case, Command, Direction, Expansion, Heredoc, Joint, LoopKind, Node, Part, Problem,
    ProblemKind, Redirection, RedirectionKind, Script, Span, Statement, Word,
};
pub use walk::Visitor;
