//! Rows that other rooms keep beside the programs.
//!
//! In `knowledge/DIRECTORY/NAME.toml` each top-level table becomes the table `DIRECTORY/NAME/KEY`:
//!
//! ```toml
//! [functions]
//! "os.remove os.unlink" = "delete 0"         # keys, separated by blanks; cells, separated by blanks
//! "os.rename" = ["move 0", "write 1"]        # cells as they are
//! ```
//!
//! and so does each top-level list of texts, whose entries are keys without cells:
//!
//! ```toml
//! files = ["/.aws/credentials", "/application support/firefox"]
//! ```
//!
//! A top-level text is a row of the table `DIRECTORY/NAME`: its key, and the text as the only cell.
//!
//! The file of a program, `NAME.toml`, holds the same below `rows`: `[rows.functions]` is the table `NAME/functions`.

use toml::de::{DeTable, DeValue};

use super::Compiler;
use super::mistake::nearest;
use super::source::{Source, entry, join};

/// What rows may say: for the tables whose name begins so, the words with which a text of cells may begin. A directory
/// without an entry here may say anything.
const VOCABULARIES: &[(&str, &[&str])] =
    &[("paths/known/", &["secret", "public", "startup", "agent", "loads", "gate", "git-hook", "settings"])];

impl Compiler {
    /// What a program's file has below `rows`.
    pub(super) fn own_rows(&mut self, source: &mut Source<'_>, table: &DeTable<'_>, file: &str) {
        let Some(value) = entry(table, "rows") else { return };
        match value.get_ref() {
            DeValue::Table(tables) => self.rows(source, tables, file),
            _ => source.error(Some(value.span()), "rows", "holds tables: [rows.NAME]"),
        }
    }

    /// A file of rows.
    pub(super) fn rows(&mut self, source: &mut Source<'_>, table: &DeTable<'_>, file: &str) {
        for (key, value) in table {
            let name = format!("{file}/{}", key.get_ref());
            let rows = match value.get_ref() {
                DeValue::String(_) if key.get_ref() == "summary" => continue,
                DeValue::String(text) => {
                    let row = (key.get_ref().to_string(), vec![text.to_string()]);
                    self.tables.entry(file.to_owned()).or_default().push(row);
                    continue;
                }
                DeValue::Array(_) => {
                    let entries = source.texts(value, key.get_ref());
                    entries.into_iter().map(|(entry, _)| (entry, Vec::new())).collect()
                }
                DeValue::Table(entries) => source.table_rows(entries, key.get_ref(), &name),
                _ => {
                    source.error(Some(value.span()), key.get_ref(), "is a table of rows or a list of texts");
                    Vec::new()
                }
            };
            self.tables.entry(name).or_default().extend(rows);
        }
    }
}

impl Source<'_> {
    pub(super) fn table_rows(
        &mut self,
        entries: &DeTable<'_>,
        table: &str,
        name: &str,
    ) -> Vec<(String, Vec<String>)> {
        let vocabulary =
            VOCABULARIES.iter().find(|(start, _)| name.starts_with(start)).map(|(_, words)| *words);
        let mut rows = Vec::new();
        for (keys, value) in entries {
            let key = join(table, keys.get_ref());
            let cells: Vec<String> = match value.get_ref() {
                DeValue::String(text) => text.split_whitespace().map(str::to_owned).collect(),
                _ => self.texts(value, &key).into_iter().map(|(cell, _)| cell).collect(),
            };
            let first = cells.first().and_then(|cell| cell.split_whitespace().next());
            if let (Some(words), Some(first)) = (vocabulary, first)
                && !words.contains(&first)
            {
                let near = nearest(first, words.iter().copied());
                self.error(Some(value.span()), &key, format_args!("\"{first}\" is not a word for it{near}"));
            }
            rows.extend(keys.get_ref().split_whitespace().map(|key| (key.to_owned(), cells.clone())));
        }
        rows
    }
}
