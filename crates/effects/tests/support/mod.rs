//! A made-up machine, and cases in TOML.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a case that can't be read is a failure")]

use std::path::{Path, PathBuf};

use hookgate_effects::{Effect, Effects, Entry, EntryKind, Places, Target, World};
use toml::{Table, Value};

/// The home directory of the made-up person.
pub(crate) const HOME: &str = "/home/dev";
/// The project, which is the working directory.
pub(crate) const PROJECT: &str = "/home/dev/project";

/// A machine with nothing on it but these files.
#[derive(Default)]
pub(crate) struct MadeUp {
    pub(crate) files: Vec<(String, String)>,
    pub(crate) links: Vec<(String, String)>,
}

impl World for MadeUp {
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        let (_, text) = self.files.iter().find(|(known, _)| known == path)?;
        (text.len() <= limit).then(|| text.clone().into_bytes())
    }
    fn entry(&self, path: &str) -> Option<Entry> {
        let Some((_, text)) = self.files.iter().find(|(known, _)| known == path) else {
            let below = |(known, _): &(String, String)| {
                known.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
            };
            let is_there = self.files.iter().any(below);
            return is_there.then_some(Entry { kind: EntryKind::Directory, size: 0 });
        };
        Some(Entry { kind: EntryKind::File, size: text.len() as u64 })
    }
    fn resolve(&self, path: &str) -> Option<String> {
        let (link, target) = self.links.iter().find(|(link, _)| path.starts_with(link.as_str()))?;
        Some(path.replacen(link, target, 1))
    }
    fn list(&self, _path: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }
}

/// The places of the made-up machine.
pub(crate) fn places() -> Places {
    Places {
        cwd: PROJECT.to_owned(),
        home: HOME.to_owned(),
        project: PROJECT.to_owned(),
        temporary: vec!["/tmp".to_owned()],
        gate: vec![format!("{PROJECT}/.hookgate.toml")],
        agent_settings: vec![format!("{HOME}/.claude/settings.json")],
        ..Places::default()
    }
}

/// One effect as a case writes it.
pub(crate) fn shown(effect: &Effect) -> String {
    let target = match &effect.target {
        None => return effect.kind.name().to_owned(),
        Some(Target::Path(fact)) => fact.path.clone(),
        Some(Target::Host(text) | Target::Name(text) | Target::Unresolved(text)) => text.clone(),
    };
    format!("{} {target}", effect.kind.name())
}

/// Does the effect agree with `kind` or `kind target`?
fn agrees(effect: &Effect, expected: &str) -> bool {
    let Some((kind, target)) = expected.split_once(' ') else { return effect.kind.name() == expected };
    if kind != effect.kind.name() {
        return false;
    }
    match &effect.target {
        None => false,
        Some(Target::Host(text) | Target::Name(text) | Target::Unresolved(text)) => text == target,
        Some(Target::Path(fact)) => {
            let absolute = match target.strip_prefix('~') {
                Some(rest) => format!("{HOME}{rest}"),
                None if target.starts_with('/') => target.to_owned(),
                None => format!("{PROJECT}/{target}"),
            };
            let mut parts: Vec<&str> = Vec::new();
            for part in absolute.split('/').filter(|part| !part.is_empty() && *part != ".") {
                if part == ".." {
                    parts.pop();
                } else {
                    parts.push(part);
                }
            }
            fact.path == format!("/{}", parts.join("/"))
        }
    }
}

/// What is wrong with the effects, if anything.
pub(crate) fn difference(found: &Effects, expected: &[String]) -> Option<String> {
    let missing: Vec<&String> =
        expected.iter().filter(|text| !found.effects.iter().any(|effect| agrees(effect, text))).collect();
    let unexpected: Vec<String> = found
        .effects
        .iter()
        .filter(|effect| !expected.iter().any(|text| agrees(effect, text)))
        .map(shown)
        .collect();
    if missing.is_empty() && unexpected.is_empty() {
        return None;
    }
    Some(format!("missing {missing:?}, unexpected {unexpected:?}"))
}

/// The cases of a TOML file: command, expected effects, files of the machine, links of the machine.
pub(crate) struct Case {
    pub(crate) run: String,
    pub(crate) effects: Vec<String>,
    pub(crate) world: MadeUp,
}

/// Reads `[[case]]` of a file.
pub(crate) fn cases(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).unwrap();
    let table: Table = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let pairs = |case: &Value, key: &str| {
        let Some(files) = case.get(key).and_then(Value::as_table) else { return Vec::new() };
        files
            .iter()
            .map(|(name, text)| {
                let name = match name.strip_prefix('~') {
                    Some(rest) => format!("{HOME}{rest}"),
                    None if name.starts_with('/') => name.clone(),
                    None => format!("{PROJECT}/{name}"),
                };
                (name, text.as_str().unwrap_or_default().to_owned())
            })
            .collect()
    };
    table
        .get("case")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .flat_map(|case| calls(case).into_iter().map(move |call| (case, call)))
        .map(|(case, (run, effects))| Case {
            run,
            effects,
            world: MadeUp { files: pairs(case, "files"), links: pairs(case, "links") },
        })
        .collect()
}

/// The calls of a `[[case]]` with their effects: those of the lines in `calls`, or the one in `run`.
fn calls(case: &Value) -> Vec<(String, Vec<String>)> {
    let Some(lines) = case.get("calls").and_then(Value::as_str) else {
        let effects = case["effects"].as_array().unwrap().iter();
        let effects = effects.map(|effect| effect.as_str().unwrap().to_owned()).collect();
        return vec![(case["run"].as_str().unwrap().to_owned(), effects)];
    };
    let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts = lines.map(|line| line.rsplit_once(" => ").unwrap());
    parts
        .map(|(run, effects)| {
            let effects = effects.split(", ").map(str::trim).filter(|effect| *effect != "nothing");
            (run.trim().to_owned(), effects.map(str::to_owned).collect())
        })
        .collect()
}

/// The calls that are not listed and have neither an effect nor a call that they carry: what they do is told nowhere.
fn untold(found: &Effects) -> Vec<&str> {
    let told = |index: usize| {
        found.effects.iter().any(|effect| effect.call == Some(index))
            || found.calls.iter().any(|call| call.carrier == Some(index))
    };
    let silent = found.calls.iter().enumerate().filter(|(index, call)| !call.listed && !told(*index));
    silent.map(|(_, call)| call.word.as_str()).collect()
}

/// The files of a directory, and of `families` in it, that hold cases.
pub(crate) fn files(directory: &Path) -> Vec<PathBuf> {
    let files = |directory: &Path| -> Vec<_> {
        let entries = std::fs::read_dir(directory).into_iter().flatten();
        entries
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension() == Some("toml".as_ref()))
            .collect()
    };
    let mut files = [files(directory), files(&directory.join("families"))].concat();
    files.sort();
    files
}

/// How many cases a file has, and what is wrong with them.
pub(crate) fn failures(file: &Path) -> (usize, Vec<String>) {
    let mut failed = Vec::new();
    let cases = cases(file);
    for case in &cases {
        let found = hookgate_effects::of_command(&case.run, &places(), &case.world);
        for word in untold(&found) {
            failed.push(format!("{}: `{word}` is not listed and has no effect", case.run));
        }
        if let Some(difference) = difference(&found, &case.effects) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            failed.push(format!("{name}: {}\n    {difference}", case.run));
        }
    }
    (cases.len(), failed)
}
