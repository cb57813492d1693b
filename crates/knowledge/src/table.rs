//! Rows that other rooms keep beside the programs: functions of a library, places of secrets, cmdlets.
//!
//! A table `DIRECTORY/FILE/TABLE` comes from `[TABLE]` (or the list `TABLE = [...]`) in `knowledge/DIRECTORY/FILE.toml`.

use crate::blob::{Blob, List, Text};
use crate::format::REFERENCE;

/// One table: rows, sorted by key. A key may stand in several rows.
#[derive(Clone, Copy, Debug)]
pub struct Table<'k> {
    blob: Blob<'k>,
    rows: List<'k>,
}

/// One row: a key and its cells.
#[derive(Clone, Copy, Debug)]
pub struct Row<'k> {
    key: Text<'k>,
    cells: List<'k>,
}

impl<'k> Table<'k> {
    pub(crate) fn new(blob: Blob<'k>, rows: List<'k>) -> Table<'k> {
        Table { blob, rows }
    }

    fn row(self, place: usize) -> Row<'k> {
        Row { key: self.blob.text(place), cells: self.blob.list(place + REFERENCE, REFERENCE) }
    }

    /// Is the key in the table?
    #[must_use]
    pub fn contains(self, key: &str) -> bool {
        self.rows.find(|text| text.compare(key)).is_some()
    }

    /// The first row with that key.
    #[must_use]
    pub fn find(self, key: &str) -> Option<Row<'k>> {
        self.rows.find(|text| text.compare(key)).map(|place| self.row(place))
    }

    /// Does any key begin like that?
    #[must_use]
    pub fn has_beginning(self, beginning: &str) -> bool {
        let first = self.rows.text(self.rows.lower_bound(|text| text.compare(beginning)));
        first.is_some_and(|key| key.starts_with(beginning))
    }

    /// The row of that number, in the order of the keys.
    #[must_use]
    pub fn nth(self, index: usize) -> Option<Row<'k>> {
        self.rows.place(index).map(|place| self.row(place))
    }

    /// All rows with that key.
    pub fn all(self, key: &str) -> impl Iterator<Item = Row<'k>> {
        let first = self.rows.lower_bound(|text| text.compare(key));
        (first..self.rows.len())
            .map_while(move |index| self.rows.place(index).map(|place| self.row(place)))
            .take_while(move |row| row.key.is(key))
    }

    /// Every row, sorted by key.
    pub fn rows(self) -> impl Iterator<Item = Row<'k>> {
        self.rows.places().map(move |place| self.row(place))
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(self) -> usize {
        self.rows.len()
    }

    /// Is there no row?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.rows.is_empty()
    }
}

impl<'k> Row<'k> {
    /// What the row is found by.
    #[must_use]
    pub fn key(self) -> &'k str {
        self.key.get()
    }

    /// What stands in it: the words of the entry's text, or the entries of its list.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = &'k str> + Clone {
        self.cells.texts().map(Text::get)
    }

    /// The bytes of one of its cells; none where there is no such cell.
    #[must_use]
    pub fn cell_bytes(self, index: usize) -> &'k [u8] {
        self.cells.text(index).map(Text::bytes).unwrap_or_default()
    }

    /// One of its cells, counted from 0.
    #[must_use]
    pub fn cell(self, index: usize) -> Option<&'k str> {
        self.cells.text(index).map(Text::get)
    }
}
