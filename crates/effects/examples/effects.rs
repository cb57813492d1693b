//! Prints the effects of each command on standard input: one a line, or with `--json` one JSON object
//! `{"command": ...}` a line. `--time` prints only how long all of them took.

#![expect(clippy::print_stdout, reason = "it is what the example is for")]

use std::io::BufRead;
use std::time::Instant;

use hookgate_effects::{Effect, Entry, Places, Target, World, of_command};

/// A machine with nothing on it.
struct Nothing;

impl World for Nothing {
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn read(&self, _path: &str, _limit: usize) -> Option<Vec<u8>> {
        None
    }
    fn entry(&self, _path: &str) -> Option<Entry> {
        None
    }
    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }
    fn list(&self, _path: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }
}

fn main() {
    let options: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| options.iter().any(|option| option == name);
    let places = Places {
        cwd: "/home/dev/project".to_owned(),
        home: "/home/dev".to_owned(),
        project: "/home/dev/project".to_owned(),
        temporary: vec!["/tmp".to_owned()],
        ..Places::default()
    };
    let commands: Vec<String> = std::io::stdin()
        .lock()
        .lines()
        .map_while(Result::ok)
        .filter_map(|line| {
            if !has("--json") {
                return Some(line);
            }
            let value: serde_json::Value = serde_json::from_str(&line).ok()?;
            value.get("command")?.as_str().map(str::to_owned)
        })
        .collect();
    let start = Instant::now();
    let mut slowest = (0, String::new());
    let mut found = 0;
    for command in &commands {
        let begin = Instant::now();
        let effects = of_command(command, &places, &Nothing);
        let taken = begin.elapsed().as_micros();
        if taken > slowest.0 {
            slowest = (taken, command.clone());
        }
        found += effects.effects.len();
        if !has("--time") {
            let shown: Vec<String> = effects.effects.iter().map(show).collect();
            println!("{}\t{}", command.replace('\n', "\\n"), shown.join(", "));
        }
    }
    if has("--time") {
        println!(
            "{} commands, {found} effects, {:?}; slowest {} us: {}",
            commands.len(),
            start.elapsed(),
            slowest.0,
            slowest.1
        );
    }
}

fn show(effect: &Effect) -> String {
    match &effect.target {
        None => effect.kind.name().to_owned(),
        Some(Target::Path(fact)) => format!("{} {} ({:?})", effect.kind.name(), fact.path, fact.place),
        Some(Target::Host(text) | Target::Name(text)) => format!("{} {text}", effect.kind.name()),
        Some(Target::Unresolved(text)) => format!("{} ?{text}", effect.kind.name()),
    }
}
