//! Changes of a person's files: shown, asked for, and written whole.

#![expect(clippy::print_stdout, reason = "what a person asked for goes to standard output")]

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use hookgate_host::read_regular;
use similar::TextDiff;

use crate::error::CommandError;
use crate::gate::Gate;
use crate::terminal::printable;

/// Removes a file that hookgate had made, and its folder if nothing else is in it.
pub(crate) fn remove_file(path: &Path) -> Result<(), CommandError> {
    // What a link leads to is the file.
    let file = target(path);
    fs::remove_file(&file).map_err(|error| CommandError::file(path, &error))?;
    println!("Removed {}, which hookgate had created.", path.display());
    if let Some(folder) = file.parent() {
        // A folder that holds something stays.
        drop(fs::remove_dir(folder));
    }
    Ok(())
}

/// What is in a file; nothing where it is not there.
pub(crate) fn read_or_empty(path: &Path) -> Result<String, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(CommandError::file(path, &error)),
    }
}

/// Shows what a file becomes.
pub(crate) fn show_change(path: &Path, before: &str, after: &str) {
    let name = path.display().to_string();
    println!("{}", TextDiff::from_lines(before, after).unified_diff().context_radius(3).header(&name, &name));
}

/// The largest file that is looked at before something takes its place.
const LARGEST: u64 = 64 << 20;

/// Writes a file that an option names. An agent could name any: only a new one or one of the same kind (`what`, as `is_own` tells it)
/// is written, and none that guards are about.
///
/// # Errors
/// Where there is something else, or the file can't be written.
pub(crate) fn replace_own(
    gate: &Gate,
    path: &Path,
    what: &str,
    is_own: impl Fn(&str) -> bool,
    text: &str,
) -> Result<(), CommandError> {
    refuse_place(gate, path)?;
    match read_regular(path, LARGEST) {
        Ok(file) if is_own(&String::from_utf8_lossy(&file.bytes)) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Ok(_) => return Err(refused(path, &format!("exists and is no {what}; nothing was written"))),
        Err(error) => return Err(CommandError::file(path, &error)),
    }
    write_atomically(path, text)
}

/// Refuses what guards are about, and what could stand for it: a link, a pipe.
///
/// # Errors
/// Where it is one.
pub(crate) fn refuse_place(gate: &Gate, path: &Path) -> Result<(), CommandError> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => {
            return Err(refused(path, "is a link; name the file that it leads to"));
        }
        Ok(metadata) if !metadata.is_file() => return Err(refused(path, "is no regular file")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(CommandError::file(path, &error));
        }
        _ => {}
    }
    if gate.guards(path) {
        return Err(refused(
            path,
            "belongs to hookgate, an agent or what starts by itself; name another file",
        ));
    }
    Ok(())
}

fn refused(path: &Path, why: &str) -> CommandError {
    CommandError::usage(format!("{}: {why}", printable(&path.display().to_string())))
}

/// Asks for a yes. Refuses where nobody can give one.
pub(crate) fn confirm(question: &str) -> Result<bool, CommandError> {
    if !io::stdin().is_terminal() {
        return Err(CommandError::usage("not a terminal; pass --yes to write without confirmation"));
    }
    print!("{question} [y/N] ");
    io::stdout().flush().map_err(|error| CommandError::usage(error.to_string()))?;
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(|error| CommandError::usage(error.to_string()))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Writes beside the file and renames, so that a settings file is never half written. The file's permissions stay.
pub(crate) fn write_atomically(path: &Path, text: &str) -> Result<(), CommandError> {
    let failed = |error: io::Error| CommandError::file(path, &error);
    let target = target(path);
    if fs::metadata(&target).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(CommandError::usage(format!(
            "{} is read-only; make it writable first, or add hookgate where it is made",
            path.display()
        )));
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = target.with_extension(format!("hookgate-{}", std::process::id()));
    // What is left of an earlier run goes; a link that somebody put there meanwhile is not followed.
    drop(fs::remove_file(&beside));
    let made = fs::OpenOptions::new().write(true).create_new(true).open(&beside);
    made.and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)?;
    if let Ok(metadata) = fs::metadata(&target) {
        let _ = fs::set_permissions(&beside, metadata.permissions());
    }
    fs::rename(&beside, &target).map_err(|error| {
        let _ = fs::remove_file(&beside);
        CommandError::file(path, &error)
    })
}

/// The file that the agent reads: links are followed, whether something is there or not.
pub(crate) fn target(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    // The system follows forty.
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(next) => target = target.parent().map_or_else(|| next.clone(), |folder| folder.join(&next)),
            Err(_) => break,
        }
    }
    target
}

/// Takes the rights of everybody else away.
#[cfg(unix)]
pub(crate) fn only_for_the_owner(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(crate) fn only_for_the_owner(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
