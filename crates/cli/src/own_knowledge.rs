//! What a person's own files say of programs: found, read within bounds, and compiled (key `knowledge` of a policy).

use std::fs;
use std::path::{Path, PathBuf};

use hookgate_host::{Trust, read_regular};
use hookgate_knowledge::Compiler;
use hookgate_policy::{Glob, Policy};
use hookgate_text::Quoted;

/// The largest file that is read.
const LARGEST: u64 = 256 << 10;
/// The most files that are read.
const MOST: usize = 64;

/// The files that the policy names, compiled, and what a person should hear about them. A mistake in one file leaves all of
/// them without effect: they can only add, so nothing is lost but what they add.
pub(crate) fn compile(policy: &Policy, trust: &Trust) -> (Option<Vec<u8>>, Vec<String>) {
    let mut notices = Vec::new();
    let mut compiler = Compiler::new();
    let mut count = 0;
    for (named_by, kind, pattern) in &policy.knowledge {
        let directory = Path::new(named_by).parent().unwrap_or(Path::new(""));
        let files = matching(directory, pattern);
        if files.is_empty() {
            notices.push(format!("{}: no file is called {}", Quoted::new(named_by), Quoted::new(pattern)));
        }
        for path in files.into_iter().take(MOST.saturating_sub(count)) {
            let shown = path.display().to_string();
            let text = match read_regular(&path, LARGEST).map(|file| String::from_utf8(file.bytes)) {
                Ok(Ok(text)) => text,
                Ok(Err(_)) => {
                    notices.push(format!("{}: not UTF-8", Quoted::new(&shown)));
                    continue;
                }
                Err(error) => {
                    notices.push(format!("{}: {error}", Quoted::new(&shown)));
                    continue;
                }
            };
            if kind.is_in_repository() && !trust.holds(&path, &text) {
                let quoted = Quoted::new(&shown);
                notices.push(format!(
                    "{quoted} isn't trusted, so what it says of programs has no effect: run `hookgate trust` on it"
                ));
                continue;
            }
            count += 1;
            compiler.add_own(&shown, &text);
        }
    }
    if count == 0 {
        return (None, notices);
    }
    match compiler.finish() {
        Ok(compiled) => (Some(compiled), notices),
        Err(mistakes) => {
            notices.extend(mistakes.iter().take(5).map(ToString::to_string));
            (None, notices)
        }
    }
}

/// The files below the directory that the pattern names, sorted.
fn matching(directory: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![directory.to_path_buf()];
    for part in pattern.split('/') {
        found = match Glob::parse(part) {
            Ok(glob) if part.contains('*') => found
                .iter()
                .filter_map(|directory| fs::read_dir(directory).ok())
                .flat_map(|entries| entries.flatten().take(1_000))
                .filter(|entry| entry.file_name().to_str().is_some_and(|name| glob.matches_text(name)))
                .map(|entry| entry.path())
                .collect(),
            _ => found.iter().map(|directory| directory.join(part)).collect(),
        };
    }
    found.retain(|path| path.is_file());
    found.sort();
    found
}
