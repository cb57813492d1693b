//! What is known about one program stands in its file below `knowledge/`. Text in Rust that is a program's name is
//! counted here, by room, so that it only gets less; each room says why what is left stays.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that can't read the sources fails")]

use std::fs;
use std::path::{Path, PathBuf};

use hookgate_knowledge::shipped;

/// A place below `crates/`, how many names it may hold, and why. A file counts where the longest path holds it.
const ROOMS: &[(&str, usize, &str)] = &[
    (
        "effects/src",
        495,
        "handlers, the shell's own commands and variables, the tools whose files define what they run",
    ),
    ("readers/src", 69, "clients of databases, and what is done to texts"),
    ("rules/src", 36, "package managers, whose commands are translated into one another"),
    ("engine/src", 10, "commands of a shell that no file is about"),
    ("clients/src", 122, "what a client's own permission rules do to the programs that it knows"),
    ("", 221, "keys of settings, policies and events, answers, and the hosts of this gate"),
];

/// Texts that are names of programs as well, and are none where they are in the sources outside of `effects` and
/// `rules`: punctuation, keys and values of JSON and of policies, the gate's own name, and that of its first host, which is also a
/// package's.
const WORDS: &[&str] = &[
    ":",
    "[",
    "[[",
    "type",
    "file",
    "column",
    "kind",
    "id",
    "time",
    "yes",
    "true",
    "false",
    "pass",
    "halt",
    "shadow",
    "code",
    "hookgate",
    "claude-code",
];

#[test]
fn names_of_programs_only_get_less() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        names_below(&entry.unwrap().path().join("src"), &mut files);
    }
    files.sort();
    let mut grown = Vec::new();
    let mut whole = 0;
    for (room, most, reason) in ROOMS {
        let is_deeper = |other: &str| other.len() > room.len() && other.starts_with(room);
        let held: Vec<_> = files
            .iter()
            .map(|(path, names)| (path.strip_prefix(crates).unwrap(), names))
            .filter(|(path, _)| path.starts_with(room))
            .filter(|(path, _)| !ROOMS.iter().any(|(other, ..)| is_deeper(other) && path.starts_with(other)))
            .collect();
        let count: usize = held.iter().map(|(_, names)| names.len()).sum();
        println!("{count} in {room}: {reason}");
        for (path, names) in held {
            println!("    {} {}: {}", names.len(), path.display(), names.join(" "));
        }
        whole += count;
        if count > *most {
            grown.push(format!("{room} holds {count} names of programs, and may hold {most}"));
        }
    }
    println!("{whole} in all");
    assert!(grown.is_empty(), "say it in the program's file instead:\n{}", grown.join("\n"));
}

/// Adds the files of the sources with the texts in them that are names of programs. Tests don't count.
fn names_below(path: &Path, found: &mut Vec<(PathBuf, Vec<String>)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            names_below(&entry.unwrap().path(), found);
        }
        return;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !name.ends_with(".rs") || name.contains("test") {
        return;
    }
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let texts = code.flat_map(|line| line.split('"').skip(1).step_by(2));
    let runs_programs = path.iter().any(|part| part == "effects" || part == "rules");
    let names: Vec<String> = texts
        .filter(|text| runs_programs || !WORDS.contains(text))
        .filter(|text| shipped().exact_program(text).is_some())
        .map(str::to_owned)
        .collect();
    if !names.is_empty() {
        found.push((path.to_owned(), names));
    }
}
