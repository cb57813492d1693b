//! `cargo xtask help-options`: the options that installed programs print in their help, against those that their files list.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use hookgate_knowledge::{Specification, shipped};

/// Programs whose help only prints, each with how many of its options may be missing from its file.
const LIST: &str = "crates/xtask/src/help_options.txt";

/// Compares every program of the list that is installed. With `write`, the list gets the figures that were found.
///
/// # Errors
///
/// The programs that miss more options than the list says, each with the options.
pub(crate) fn compare(workspace: &Path, write: bool) -> Result<String, String> {
    let path = workspace.join(LIST);
    let list = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (mut report, mut grown, mut updated) = (String::new(), Vec::new(), String::new());
    let mut compared = 0;
    for line in list.lines() {
        let Some((name, most)) = line.split_once(' ').filter(|_| !line.starts_with('#')) else {
            let _ = writeln!(updated, "{line}");
            continue;
        };
        let Some(missing) = missing(name) else {
            let _ = writeln!(updated, "{line}");
            continue;
        };
        compared += 1;
        let _ = writeln!(updated, "{name} {}", missing.len());
        if !missing.is_empty() {
            let _ = writeln!(report, "{name}: {} missing: {}", missing.len(), missing.join(" "));
        }
        if missing.len() > most.parse().unwrap_or(0) {
            grown.push(format!("{name} misses {} options, and may miss {most}", missing.len()));
        }
    }
    if write {
        fs::write(&path, updated).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let _ = write!(report, "{compared} installed programs compared");
    if grown.is_empty() || write { Ok(report) } else { Err(format!("{report}\n{}", grown.join("\n"))) }
}

/// The options of a program's help that its file doesn't list; `None` where it isn't installed or prints none.
fn missing(name: &str) -> Option<Vec<String>> {
    let text = super::new_program::help(name).ok()?;
    let options = super::new_program::options(name, &text);
    if options.is_empty() {
        return None;
    }
    let specification = shipped().exact_program(name)?.specification();
    let missing = options.into_iter().filter(|option| !lists(specification, option));
    Some(missing.collect())
}

/// Does the file list the option? A name with `*` stands for many; every file has `-h`, `--help` and `--version`.
fn lists(specification: Specification<'_>, option: &str) -> bool {
    let fits = |name: &str| match name.split_once('*') {
        Some((start, end)) => option.starts_with(start) && option.ends_with(end),
        None => name == option,
    };
    ["--help", "--version", "-h"].contains(&option)
        || specification.options().any(|line| line.names().any(fits))
}
