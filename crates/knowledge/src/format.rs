//! How the compiled base lies in memory: what the compiler writes and the reader expects.
//!
//! One array of bytes without a pointer in it. Every reference is a `u32`, little-endian: the place of a list or record
//! counted from the array's start, 0 for none; or a text, whose place stands in the upper 24 bits and whose length in
//! bytes in the lower 8. A list begins with its length (`u16`); its entries have one size. Equal lists, records and texts
//! are there once.

/// What the array begins with; the number is raised when anything here changes.
pub(crate) const MAGIC: &[u8; 8] = b"hgknow01";

/// Places in the header, each of a list.
pub(crate) mod header {
    /// Names of programs, sorted: [`super::NAME`].
    pub(crate) const NAMES: usize = 8;
    /// Tables of other rooms, sorted: [`super::KEYED`].
    pub(crate) const TABLES: usize = 12;
    /// One option: `--help` and `--version`, where a file lists none.
    pub(crate) const HELP: usize = 16;
    /// Its size.
    pub(crate) const SIZE: usize = 20;
}

/// Sizes of entries.
/// A name (text) and its program (record).
pub(crate) const NAME: usize = 8;
/// A key (text) and a list: tables of rows, rows of cells.
pub(crate) const KEYED: usize = 8;
/// A text or a record. A program is three of them: name (text), specification (record), file (text).
pub(crate) const REFERENCE: usize = 4;
/// Names (list of texts), form of value, role, marks, nothing, changes (list).
pub(crate) const OPTION: usize = 12;
/// What it does, kind.
pub(crate) const CHANGE: usize = 2;
/// Role, count, kind or [`NONE`], part or [`NONE`].
pub(crate) const OPERAND: usize = 4;
/// Kind (`u32`), target (text).
pub(crate) const EFFECT: usize = 8;
/// Spelling (text), name (text), specification (record).
pub(crate) const SUBCOMMAND: usize = 12;
/// Path (text), specification (record).
pub(crate) const SHORT: usize = 8;

/// No kind.
pub(crate) const NONE: u8 = u8::MAX;

/// Marks of an option, as bits.
pub(crate) mod mark {
    pub(crate) const RECURSIVE: u8 = 1;
    pub(crate) const STANDARD_INPUT: u8 = 1 << 1;
    pub(crate) const REST: u8 = 1 << 2;
    pub(crate) const FIRST: u8 = 1 << 3;
    pub(crate) const LAST: u8 = 1 << 4;
    pub(crate) const NAMED: u8 = 1 << 5;
    /// A spelling holds `*`.
    pub(crate) const PATTERN: u8 = 1 << 6;

    /// The marks as a file writes them.
    pub(crate) const ALL: &[(&str, u8)] = &[
        ("+recursive", RECURSIVE),
        ("+stdin", STANDARD_INPUT),
        ("+rest", REST),
        ("+first", FIRST),
        ("+last", LAST),
        ("+name", NAMED),
    ];
}

/// A specification is a `u32` of bits, then a `u32` for each bit that is set from [`field::OPTIONS`] on, in their order.
pub(crate) mod field {
    /// A bit without a value: an option that is not listed is a doubt.
    pub(crate) const DOUBT: u32 = 0;
    /// A bit without a value: what looks like an option and is not listed is an operand.
    pub(crate) const OPERAND: u32 = 1;
    pub(crate) const OPTIONS: u32 = 2;
    pub(crate) const OPERANDS: u32 = 3;
    pub(crate) const EFFECTS: u32 = 4;
    pub(crate) const SUBCOMMANDS: u32 = 5;
    pub(crate) const EXACT: u32 = 6;
    pub(crate) const PATTERNS: u32 = 7;
    pub(crate) const DEFAULT: u32 = 8;
    pub(crate) const HANDLER: u32 = 9;
    /// The first facet; the others follow in the order of `Facet::ALL`.
    pub(crate) const FACETS: u32 = 10;
}

/// Every field has its bit.
const _: () = assert!(field::FACETS as usize + crate::facet::Facet::ALL.len() <= u32::BITS as usize);

/// The bits of a specification that have no value.
pub(crate) const FLAGS: u32 = (1 << field::OPTIONS) - 1;
