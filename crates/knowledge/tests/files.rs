//! What holds of the files of this repository besides what the compiler checks.

#![expect(clippy::unwrap_used, reason = "a test may panic, and says where")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge");
    let mut files = Vec::new();
    for directory in [directory.clone(), directory.join("families")] {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.extension() == Some("toml".as_ref()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// As many options as this in the same order, in two places, are a copy.
const COPIED: usize = 11;

/// The options of every specification in the table, one text each, with where they are.
fn blocks(table: &Table, path: &str, found: &mut Vec<(String, Vec<String>)>) {
    if let Some(Value::String(text)) = table.get("options") {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let options = lines.flat_map(|line| {
            let (names, effects) = line.split_once("=>").unwrap_or((line, ""));
            let one =
                |name: &str| format!("{} {effects}", name.split_whitespace().collect::<Vec<_>>().join(" "));
            names.split(", ").map(one).collect::<Vec<_>>()
        });
        found.push((path.to_owned(), options.collect()));
    }
    for (key, value) in table {
        if let Value::Table(inner) = value {
            blocks(inner, &format!("{path} {key}"), found);
        }
    }
}

#[test]
fn no_eleven_options_in_a_row_are_copied() {
    let mut found = Vec::new();
    for file in files() {
        let table: Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        blocks(&table, &file.file_name().unwrap().to_string_lossy(), &mut found);
    }
    let mut places: BTreeMap<&[String], &str> = BTreeMap::new();
    let mut copied: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (path, options) in &found {
        for run in options.windows(COPIED) {
            if let Some(other) = places.insert(run, path) {
                *copied.entry((other, path)).or_default() += 1;
            }
        }
    }
    let shown: Vec<String> = copied
        .iter()
        .map(|((one, two), runs)| format!("{} options: {one}; {two}", runs + COPIED - 1))
        .collect();
    assert!(shown.is_empty(), "say `same-as` or `like`:\n{}", shown.join("\n"));
}
