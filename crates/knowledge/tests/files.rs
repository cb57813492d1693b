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

fn blocks(table: &Table, path: &str, found: &mut BTreeMap<Vec<String>, Vec<String>>) {
    if let Some(Value::String(text)) = table.get("options") {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        if lines.len() > 10 {
            found.entry(lines).or_default().push(path.to_owned());
        }
    }
    for (key, value) in table {
        if let Value::Table(inner) = value {
            blocks(inner, &format!("{path} {key}"), found);
        }
    }
}

#[test]
fn no_block_of_over_ten_options_stands_twice() {
    let mut found = BTreeMap::new();
    for file in files() {
        let table: Table = std::fs::read_to_string(&file).unwrap().parse().unwrap();
        blocks(&table, &file.file_name().unwrap().to_string_lossy(), &mut found);
    }
    let twice: Vec<_> = found.into_iter().filter(|(_, places)| places.len() > 1).collect();
    let shown: Vec<String> =
        twice.iter().map(|(lines, places)| format!("{} lines: {}", lines.len(), places.join("; "))).collect();
    assert!(twice.is_empty(), "say `same-as` or `like`:\n{}", shown.join("\n"));
}
