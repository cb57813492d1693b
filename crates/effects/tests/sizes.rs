//! How long functions, files, rooms and the knowledge are: counted, so that none grows.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic, and says what it found"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a function.
const FUNCTION: usize = 100;
/// Functions that are tables: one arm for each thing that there is, and nothing between them.
const TABLES: &[(&str, &str)] = &[
    ("readers/src/calls/acts.rs", "perform"),
    ("readers/src/sql/statements.rs", "judge"),
    ("policy/src/read/entry.rs", "rule"),
    ("prover/src/roles.rs", "takes"),
    ("lint/src/settings/compare.rs", "each_tool_knows_which_way_is_stricter"),
];
/// The most lines of a function that decides.
const DECIDE: usize = 60;
/// The most lines of a file.
const FILE: usize = 800;
/// The largest part of all lines that one room may be, in percent.
const ROOM: usize = 26;
/// The most lines of knowledge.
const KNOWLEDGE: usize = 42_000;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn below(path: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, ending, found);
        } else if path.extension().is_some_and(|known| known == ending) {
            found.push(path);
        }
    }
}

/// The sources of every crate, by their paths.
fn sources() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(crates()).unwrap() {
        below(&entry.unwrap().path().join("src"), "rs", &mut files);
    }
    let name = |path: &Path| path.strip_prefix(crates()).unwrap().display().to_string();
    files.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// The functions of a formatted source, each with its lines.
fn functions(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let bare = line.trim_start();
        let Some((before, after)) = bare.split_once("fn ") else { continue };
        let is_head = |word: &str| matches!(word, "pub" | "const" | "pub(crate)" | "pub(super)");
        let name = after.split(['(', '<']).next().unwrap();
        if !before.split_whitespace().all(is_head) || bare.ends_with([';', '}']) {
            continue;
        }
        let end = format!("{}}}", " ".repeat(line.len() - bare.len()));
        let length = lines[at..].iter().position(|line| *line == end).map_or(0, |length| length + 1);
        found.push((name, length));
    }
    found
}

#[test]
fn functions_are_short_unless_they_are_tables() {
    let mut long = Vec::new();
    let mut decide = 0;
    for (path, text) in sources() {
        for (name, length) in functions(&text) {
            if path.starts_with("engine") && name == "decide" {
                decide = length.max(decide);
            }
            if length > FUNCTION && !TABLES.contains(&(path.as_str(), name)) {
                long.push(format!("{path}: {name} has {length} lines"));
            }
        }
    }
    assert!(long.is_empty(), "part them:\n{}", long.join("\n"));
    assert!((1..=DECIDE).contains(&decide), "`decide` has {decide} lines");
}

#[test]
fn files_and_rooms_are_small() {
    let mut rooms: BTreeMap<String, usize> = BTreeMap::new();
    let mut long = Vec::new();
    for (path, text) in sources() {
        let lines = text.lines().count();
        *rooms.entry(path.split('/').next().unwrap().to_owned()).or_default() += lines;
        if lines > FILE {
            long.push(format!("{path}: {lines} lines, at most {FILE}"));
        }
    }
    assert!(long.is_empty(), "part them:\n{}", long.join("\n"));
    let all: usize = rooms.values().sum();
    let (room, largest) = rooms.iter().max_by_key(|(_, lines)| **lines).unwrap();
    println!("{room} is the largest room: {largest} of {all} lines");
    assert!(largest * 100 <= all * ROOM, "{room} has {largest} of {all} lines, more than {ROOM} %");
}

#[test]
fn knowledge_is_no_longer_than_it_has_to_be() {
    let mut files = Vec::new();
    below(&crates().join("../knowledge"), "toml", &mut files);
    let lines: usize = files.iter().map(|file| fs::read_to_string(file).unwrap().lines().count()).sum();
    println!("{lines} lines of knowledge");
    assert!(lines <= KNOWLEDGE, "{lines} lines of knowledge");
}

#[test]
fn a_function_is_counted_from_its_head_to_its_end() {
    let text = "impl A {\n    pub(crate) fn one(\n        &self,\n    ) -> u8 {\n        1\n    }\n\n    fn two(self) {}\n}\n\nfn three<T>() {\n    // fn no\n}\n";
    assert_eq!(functions(text), [("one", 5), ("three", 3)]);
}
