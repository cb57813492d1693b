//! Programs on `PATH`, and what they said about their version.
//!
//! A version is asked for away from the hot path (`hookgate doctor`, `hookgate init`) and written down with everything
//! that tells one file from another, so that a hook only reads one small file and starts no process.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use hookgate_engine::ProgramFile;

use crate::session::file_name;

/// The longest version text that is kept.
const LONGEST: usize = 400;

/// The first executable file of that name in the directories of `PATH`.
#[must_use]
pub fn find_program(name: &str, path: &str) -> Option<ProgramFile> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    std::env::split_paths(path).filter(|directory| directory.is_absolute()).find_map(|directory| {
        let path = directory.join(name);
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        identity(&path, &metadata)
    })
}

#[cfg(unix)]
fn identity(path: &Path, metadata: &fs::Metadata) -> Option<ProgramFile> {
    use std::os::unix::fs::MetadataExt;
    if metadata.mode() & 0o111 == 0 {
        return None;
    }
    let moment =
        |seconds: i64, nanoseconds: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    Some(ProgramFile {
        path: path.to_str()?.to_owned(),
        inode: metadata.ino(),
        size: metadata.len(),
        modified: moment(metadata.mtime(), metadata.mtime_nsec()),
        changed: moment(metadata.ctime(), metadata.ctime_nsec()),
    })
}

#[cfg(not(unix))]
fn identity(path: &Path, metadata: &fs::Metadata) -> Option<ProgramFile> {
    let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(ProgramFile {
        path: path.to_str()?.to_owned(),
        size: metadata.len(),
        modified: i128::try_from(modified.as_nanos()).ok()?,
        ..ProgramFile::default()
    })
}

/// What this very file said about its version, if it was asked.
#[must_use]
pub fn recorded_version(state: &Path, program: &ProgramFile) -> Option<String> {
    let text = fs::read_to_string(record(state, program)).ok()?;
    let (key, version) = text.split_once('\n')?;
    (key == line(program)).then(|| version.to_owned())
}

/// Writes down what a program said about its version.
///
/// # Errors
/// The state directory can't be written.
pub fn record_version(state: &Path, program: &ProgramFile, said: &str) -> io::Result<()> {
    let path = record(state, program);
    fs::create_dir_all(state.join("versions"))?;
    let said: String = said.chars().take(LONGEST).collect();
    // Written aside and renamed, so that no hook reads half of it.
    let aside = path.with_extension(format!("{}", std::process::id()));
    let mut file = fs::File::create(&aside)?;
    file.write_all(format!("{}\n{said}", line(program)).as_bytes())?;
    fs::rename(aside, path)
}

fn record(state: &Path, program: &ProgramFile) -> PathBuf {
    state.join("versions").join(file_name(&program.path))
}

fn line(program: &ProgramFile) -> String {
    let ProgramFile { path, inode, size, modified, changed } = program;
    format!("{inode} {size} {modified} {changed} {}", path.replace('\n', " "))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_version_holds_only_for_the_very_file_that_said_it() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("tool");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        let path = format!("relative:{}", folder.path().display());
        assert_eq!(find_program("tool", &path), None, "not executable");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let found = find_program("tool", &path).unwrap();
        assert_eq!(find_program("../tool", &path), None);

        let state = folder.path().join("state");
        assert_eq!(recorded_version(&state, &found), None);
        record_version(&state, &found, "tool 1.2.3").unwrap();
        assert_eq!(recorded_version(&state, &found).as_deref(), Some("tool 1.2.3"));
        fs::write(&program, "#!/bin/sh\ntrue\n").unwrap();
        let changed = find_program("tool", &path).unwrap();
        assert_eq!(recorded_version(&state, &changed), None);
    }
}
