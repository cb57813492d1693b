//! Shell text to commands, words, redirections and nested scripts, with byte spans. Syntax only.
//!
//! [`parse()`] reads bash text, strictly: what it accepts it has read completely. [`foreign()`] recognises text of
//! PowerShell and cmd, which is never read as bash; [`powershell()`] splits PowerShell into commands and words.

mod foreign;
mod parse;
mod powershell;
mod quote;
mod success;
mod tree;
mod walk;

pub use foreign::{Foreign, foreign};
pub use parse::{Limits, Piece, comments, parse, pieces};
pub use powershell::{PowerShell, PowerShellCommand, PowerShellWord, powershell};
pub use quote::{quoted, quoted_if_needed};
pub use success::shown_by_success;
pub use tree::{
    Assignment, Case, Command, Direction, Expansion, Heredoc, Joint, LoopKind, Node, Part, Problem,
    ProblemKind, Redirection, RedirectionKind, Script, Span, Statement, Word, Zsh,
};
pub use walk::Visitor;
