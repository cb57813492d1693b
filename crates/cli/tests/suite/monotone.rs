//! Nothing that stands around a command makes its verdict milder.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bypass::{Place, fill, listed, table, texts};

const ORDER: [&str; 6] = ["allow", "pass", "handoff", "ask", "deny", "halt"];

pub(crate) fn rank(judged: &Value) -> usize {
    let decision = judged["decision"].as_str().unwrap();
    ORDER.iter().position(|name| *name == decision).unwrap()
}

/// Every command of the knowledge base's cases and of the bypass suite's.
pub(crate) fn commands() -> Vec<String> {
    let mut commands = listed(include_str!("bypass/spellings.toml"));
    let knowledge = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../knowledge");
    let entries = |folder: &Path| fs::read_dir(folder).unwrap();
    for entry in entries(&knowledge).chain(entries(&knowledge.join("families"))) {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let file = table(&fs::read_to_string(&path).unwrap());
        for case in file.get("case").and_then(toml::Value::as_array).into_iter().flatten() {
            commands.extend(case.get("run").and_then(toml::Value::as_str).map(str::to_owned));
            let calls = case.get("calls").and_then(toml::Value::as_str).unwrap_or_default();
            let calls = calls.lines().filter_map(|line| line.rsplit_once(" => "));
            commands.extend(calls.map(|(call, _)| call.trim().to_owned()));
        }
    }
    commands.sort();
    commands
}

/// One command of plain words, the first of them a program and not a word of the shell.
pub(crate) fn is_simple(command: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./~@:,%+='\" -".contains(c);
    let first = command.split(' ').next().unwrap_or_default();
    const OF_THE_SHELL: &str = " if then else for while until case do done esac fi time function select coproc cd pushd \
        popd export set unset alias source eval exec trap read local declare typeset readonly shift return exit let \
        builtin command type hash test true false wait umask ulimit shopt printf echo . : [ [[ ! { ";
    command.chars().all(plain) && !first.contains('=') && !OF_THE_SHELL.contains(&format!(" {first} "))
}

/// A pipe, list or line that goes on in the wrapper's next line.
pub(crate) fn goes_on(wrapper: &str, command: &str) -> bool {
    let end = command.trim_end();
    (wrapper.contains("{}\n") || wrapper.contains("<<<"))
        && (end.ends_with('|') || end.ends_with("&&") || end.ends_with('\\'))
}

/// Every wrapper is tried on every `SHARE`th command, each on others: all of them take too long for a test that runs
/// often. `scripts/monotone.sh` tries all.
const SHARE: usize = 8;

#[test]
fn no_wrapper_makes_a_verdict_milder() {
    let place = Place::new("monotone");
    let presets = ["recommended", "infra", "readonly"];
    let commands = commands();
    let bare = place.commands(&presets, &commands);
    let wrappers = table(include_str!("bypass/wrappers.toml"));
    let mut milder = Vec::new();
    for (name, simple) in [("around-text", false), ("around-command", true)] {
        let rows: Vec<(&String, &Value)> =
            commands.iter().zip(&bare).filter(|(command, _)| !simple || is_simple(command)).collect();
        for (number, wrapper) in texts(&wrappers[name]).into_iter().enumerate() {
            let rows: Vec<&(&String, &Value)> = rows
                .iter()
                .skip(number % SHARE)
                .step_by(SHARE)
                .filter(|(command, _)| !goes_on(&wrapper, command))
                .collect();
            let wrapped: Vec<String> = rows.iter().map(|(command, _)| fill(&wrapper, command)).collect();
            let judged = place.commands(&presets, &wrapped);
            for (((_, before), after), command) in rows.iter().zip(&judged).zip(&wrapped) {
                if rank(after) < rank(before) {
                    milder.push(format!("{} -> {}: {command}", before["decision"], after["decision"]));
                }
            }
        }
    }
    assert!(milder.is_empty(), "{} are milder:\n{}", milder.len(), milder.join("\n"));
}
