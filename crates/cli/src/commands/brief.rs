//! `hookgate brief`: the policy in a few words, for an agent's context.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::environment::Environment;
use crate::error::CommandError;

/// What surrounds the brief in a file.
const BEGIN: &str =
    "<!-- hookgate brief: begin. Written by `hookgate brief --write`; changes in here are lost. -->";
const END: &str = "<!-- hookgate brief: end -->";

/// Print the policy as a short text for an agent, or keep it in a file.
///
/// The text has at most 2,000 characters: how commits and their like are written, what hit most in this repository by the record,
/// and then what is denied and asked about.
#[derive(Args, Debug)]
pub(crate) struct Brief {
    /// Write it into FILE, such as CLAUDE.md or AGENTS.md, in the place of the brief there or at the end.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    write: Option<PathBuf>,
    /// Only say whether FILE has the brief of today; exit code 1 if not.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

impl Brief {
    pub(crate) fn run(&self, environment: &Environment) -> Result<ExitCode, CommandError> {
        let gate = environment.gate();
        // A file that others read too holds what the policy says, not what hit on this machine.
        let hits = if self.write.is_some() || self.check.is_some() {
            BTreeMap::new()
        } else {
            gate.frequent_codes()
        };
        let text = hookgate_engine::brief(gate.policy(), &hits);
        if let Some(path) = &self.check {
            let is_fresh = read(path)?.contains(&section(&text));
            if !is_fresh {
                eprintln!(
                    "hookgate: {} doesn't have the brief of this policy; `hookgate brief --write {}` writes it",
                    path.display(),
                    path.display()
                );
            }
            return Ok(if is_fresh { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        match &self.write {
            Some(path) => {
                let now = read(path)?;
                let new = with_section(&now, &text);
                if new != now {
                    fs::write(path, new).map_err(|error| CommandError::file(path, &error))?;
                }
            }
            None => print!("{text}"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The file's text; of one that isn't there, none.
fn read(path: &Path) -> Result<String, CommandError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(|error| CommandError::file(path, &error)),
    }
}

fn section(text: &str) -> String {
    format!("{BEGIN}\n{text}{END}\n")
}

/// The file's text with the brief in the place of the old one, or at its end.
fn with_section(now: &str, text: &str) -> String {
    let section = section(text);
    if let Some((before, rest)) = now.split_once(BEGIN)
        && let Some((_, after)) = rest.split_once(END)
    {
        return format!("{before}{section}{}", after.strip_prefix('\n').unwrap_or(after));
    }
    let gap = match now {
        "" => "",
        now if now.ends_with("\n\n") => "",
        now if now.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{now}{gap}{section}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brief_is_replaced_where_it_is_and_nothing_else_changes() {
        let first = with_section("# Project\n", "one\n");
        assert_eq!(first, format!("# Project\n\n{BEGIN}\none\n{END}\n"));
        let more = format!("{first}\nMore.\n");
        assert_eq!(with_section(&more, "two\n"), format!("# Project\n\n{BEGIN}\ntwo\n{END}\n\nMore.\n"));
        assert_eq!(with_section(&more, "one\n"), more);
        assert_eq!(with_section("", "x\n"), format!("{BEGIN}\nx\n{END}\n"));
    }
}
