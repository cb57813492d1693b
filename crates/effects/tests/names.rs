//! What is known about one program stands in its file below `knowledge/`. Text in Rust that is a program's name is
//! counted here, by room, so that it only gets less; each room says why what is left stays.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test that can't read the sources fails")]

use std::fs;
use std::path::Path;

use hookgate_knowledge::shipped;

/// A room below `crates/`, how many names it may hold, and why.
const ROOMS: &[(&str, usize, &str)] = &[
    (
        "effects/src",
        577,
        "handlers, the shell's own commands and variables, the tools whose files define what they run",
    ),
    ("readers/src", 332, "functions of libraries that are called like programs"),
    ("rules/src", 64, "package managers, whose commands are translated into one another"),
    ("engine/src", 16, "commands of a shell that no file is about"),
];

#[test]
fn names_of_programs_only_get_less() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut grown = Vec::new();
    let mut whole = 0;
    for (room, most, reason) in ROOMS {
        let count = names_below(&crates.join(room));
        println!("{count} in {room}: {reason}");
        whole += count;
        if count > *most {
            grown.push(format!("{room} holds {count} names of programs, and may hold {most}"));
        }
    }
    println!("{whole} in all");
    assert!(grown.is_empty(), "say it in the program's file instead:\n{}", grown.join("\n"));
}

/// How many texts in the sources are names of programs. Tests don't count.
fn names_below(path: &Path) -> usize {
    if path.is_dir() {
        return fs::read_dir(path).unwrap().map(|entry| names_below(&entry.unwrap().path())).sum();
    }
    let name = path.file_name().unwrap().to_string_lossy();
    if !name.ends_with(".rs") || name.contains("test") {
        return 0;
    }
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let texts = code.flat_map(|line| line.split('"').skip(1).step_by(2));
    texts.filter(|text| shipped().exact_program(text).is_some()).count()
}
