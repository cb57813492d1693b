//! The sessions that work in a repository: a folder for the repository, a file for each session, a line for what it did.
//!
//! A line is added with one write to a file opened for appending, so that neither parallel hooks nor one that is killed lose or tear
//! another's line, and nobody waits for a lock. A full file is moved aside as a whole; whoever has it open writes on into it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hookgate_policy::digest;
use hookgate_session::{Neighbour, Trace};

use crate::overrides::is_mine;
use crate::session::file_name;

/// How long a session counts that nothing is heard of.
const ALIVE: Duration = Duration::from_secs(60 * 60);
/// How long its file is kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The size in bytes at which a file is moved aside.
const LARGEST: u64 = 32 * 1024;
/// The most sessions that are looked at.
const MOST: usize = 128;

/// Adds a line. Where it can't be stored, it isn't.
pub(crate) fn note(state: &Path, repository: &Path, session: &str, trace: &Trace) {
    let _ = append(&folder(state, repository), session, trace);
}

/// The session is gone.
pub(crate) fn leave(state: &Path, repository: &Path, session: &str) {
    let folder = folder(state, repository);
    for name in [current(session), aside(session)] {
        let _ = fs::remove_file(folder.join(name));
    }
}

/// The other sessions that are alive there. Files of sessions that are long gone are removed.
pub(crate) fn others(state: &Path, repository: &Path, session: &str) -> Vec<Neighbour> {
    let folder = folder(state, repository);
    let own = current(session);
    let now = SystemTime::now();
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let since_epoch = now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, millis);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).take(MOST) {
        let Ok(metadata) = entry.metadata() else { continue };
        let age = metadata.modified().ok().and_then(|when| now.duration_since(when).ok()).unwrap_or_default();
        if age > KEPT {
            let _ = fs::remove_file(entry.path());
        }
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        let Some(id) = name.strip_suffix(".jsonl").filter(|_| name != own && age <= ALIVE) else { continue };
        let mut text = text(&folder.join(aside(id))).unwrap_or_default();
        let Some(newer) = self::text(&entry.path()) else { continue };
        text.push_str(&newer);
        found.push(Neighbour::read(id, millis(age), &text, since_epoch.saturating_sub(millis(KEPT))));
    }
    found.sort_by(|one, other| one.session.cmp(&other.session));
    found
}

fn folder(state: &Path, repository: &Path) -> PathBuf {
    let name = digest(&repository.to_string_lossy());
    state.join("repositories").join(name.get(..32).unwrap_or("none"))
}

fn current(session: &str) -> String {
    format!("{}.jsonl", file_name(session))
}

fn aside(session: &str) -> String {
    format!("{}.old", file_name(session))
}

fn append(folder: &Path, session: &str, trace: &Trace) -> io::Result<()> {
    let path = folder.join(current(session));
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() || !is_mine(&metadata) => fs::remove_file(&path)?,
        Ok(metadata) if metadata.len() > LARGEST => fs::rename(&path, folder.join(aside(session)))?,
        Ok(_) => {}
        Err(_) => fs::create_dir_all(folder)?,
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(format!("{}\n", trace.line()).as_bytes())
}

/// A file of this user's that nobody else may write.
fn text(path: &Path) -> Option<String> {
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || !is_mine(&metadata) {
        return None;
    }
    let mut bytes = Vec::new();
    // A little more than the largest, for what parallel calls have added.
    File::open(path).ok()?.take(4 * LARGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(path: &str) -> Trace {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
        Trace { at: u64::try_from(now.as_millis()).unwrap(), changed: vec![path.to_owned()], started: vec![] }
    }

    #[test]
    fn parallel_calls_of_many_sessions_lose_no_line_and_a_session_that_ends_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let (state, repository) = (folder.path(), Path::new("/p"));
        std::thread::scope(|scope| {
            for number in 0..64 {
                scope.spawn(move || {
                    let session = format!("s{}", number % 8);
                    note(state, repository, &session, &trace(&format!("/p/{number}")));
                });
            }
        });
        let found = others(state, repository, "s0");
        let changed: usize = found.iter().map(|one| one.changed.len()).sum();
        assert_eq!((found.len(), changed), (7, 56));
        leave(state, repository, "s1");
        assert_eq!(others(state, repository, "s0").len(), 6);
        assert!(others(state, Path::new("/q"), "s0").is_empty());
    }

    #[test]
    fn a_session_takes_a_bounded_place_and_counts_for_an_hour() {
        let folder = tempfile::tempdir().unwrap();
        let (state, repository) = (folder.path(), Path::new("/p"));
        for number in 0..2_000 {
            note(state, repository, "busy", &trace(&format!("/p/{number}")));
        }
        let found = others(state, repository, "own");
        assert!(found.len() == 1 && found[0].changed.contains(&"/p/1999".to_owned()));
        let files: Vec<_> = fs::read_dir(super::folder(state, repository)).unwrap().flatten().collect();
        let bytes: u64 = files.iter().map(|file| file.metadata().unwrap().len()).sum();
        assert!(files.len() == 2 && bytes < 3 * LARGEST, "{} files, {bytes} bytes", files.len());
        for file in files {
            let file = File::options().write(true).open(file.path()).unwrap();
            file.set_modified(SystemTime::now() - ALIVE - Duration::from_secs(5)).unwrap();
        }
        assert!(others(state, repository, "own").is_empty());
    }
}
