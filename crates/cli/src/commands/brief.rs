//! `hookgate brief`: the policy in a few words, for an agent's context.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hookgate_host::read_regular;

use crate::environment::Environment;
use crate::error::CommandError;
use crate::writing::{refuse_place, write_atomically};

/// The largest file that is read.
const LARGEST: u64 = 4 * 1024 * 1024;

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
                refuse_place(&gate, path)?;
                check_place(path, &environment.project())?;
                let now = read(path)?;
                let new = with_section(&now, &text);
                if new != now {
                    write_atomically(path, &new)?;
                }
            }
            None => print!("{text}"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The file's text; of one that isn't there, none.
fn read(path: &Path) -> Result<String, CommandError> {
    match read_regular(path, LARGEST) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(CommandError::file(path, &error)),
        Ok(file) => String::from_utf8(file.bytes)
            .map_err(|_| CommandError::usage(format!("{}: is no UTF-8 text", path.display()))),
    }
}

/// Refuses what a repository could have put in the place of the file: a link to a file of the person's, a pipe, a way out.
fn check_place(path: &Path, project: &Path) -> Result<(), CommandError> {
    let failed = |error: io::Error| CommandError::file(path, &error);
    let refused = |why: &str| Err(CommandError::usage(format!("{}: {why}", path.display())));
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => return refused("is a link; name the file that it leads to"),
        Ok(metadata) if !metadata.is_file() => return refused("is no regular file"),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let inside = folder.canonicalize().map_err(failed)?.starts_with(project.canonicalize().map_err(failed)?);
    if inside { Ok(()) } else { refused("is outside of this project") }
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

    #[cfg(unix)]
    #[test]
    fn only_a_regular_file_of_the_project_is_written() {
        use std::fs;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (project, outside) = (folder.path().join("project"), folder.path().join("outside"));
        fs::create_dir_all(&project).unwrap();
        fs::create_dir_all(&outside).unwrap();
        fs::write(project.join("there"), "x").unwrap();
        symlink(outside.join("file"), project.join("link")).unwrap();
        symlink(&outside, project.join("way")).unwrap();
        let pipe = std::process::Command::new("mkfifo").arg(project.join("pipe")).status();
        assert!(pipe.unwrap().success());
        for (name, is_written) in [
            ("there", true),
            ("new", true),
            ("link", false),
            ("way/file", false),
            ("pipe", false),
            ("../x", false),
        ] {
            assert_eq!(check_place(&project.join(name), &project).is_ok(), is_written, "{name}");
        }
        assert!(read(&project.join("pipe")).is_err());
    }

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
