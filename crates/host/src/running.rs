//! The processes that are judging and have been for a while: a file each, locked until its process ends. Who finds one that nobody
//! holds knows that a process ended without an answer, whatever ended it.
//!
//! Nearly every judgement is through before its file is made, so that an everyday hook costs one look for a folder that isn't there.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file without a lock may be one whose process has only just made it.
const SETTLING: Duration = Duration::from_secs(1);
/// How many files are looked at in one go.
const MOST: usize = 64;
/// The longest name of an event that a file is named by.
const LONGEST: usize = 40;

/// The file of this process.
#[derive(Debug)]
pub struct Running {
    path: PathBuf,
    /// Holds the lock.
    file: File,
}

/// A process that ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crashed {
    /// Which event it was asked about, as far as it knew.
    pub event: String,
    /// When it had started to judge, in milliseconds since the Unix epoch.
    pub time: u64,
}

impl Running {
    /// Makes the file of this process; `None` where that is not possible, which costs nothing but the record of a crash.
    #[must_use]
    pub fn note(state: &Path, event: &str, time: u64) -> Option<Running> {
        let folder = state.join("running");
        fs::create_dir_all(&folder).ok()?;
        let event: String = event.chars().filter(char::is_ascii_alphanumeric).take(LONGEST).collect();
        let path = folder.join(format!("{event}-{time}-{}", std::process::id()));
        let file = File::options().write(true).create_new(true).open(&path).ok()?;
        file.try_lock().ok()?;
        Some(Running { path, file })
    }

    /// The process has answered.
    pub fn end(self) {
        let _ = fs::remove_file(&self.path);
        drop(self.file);
        if let Some(folder) = self.path.parent() {
            // Others may have theirs in it, and then it stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The processes that ended without an answer and that nobody has asked for yet. Each is told once.
#[must_use]
pub fn crashed(state: &Path) -> Vec<Crashed> {
    let folder = state.join("running");
    if !folder.is_dir() {
        return Vec::new();
    }
    let entries = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).take(MOST);
    let crashed = entries.filter_map(|entry| left_behind(&entry.path())).collect();
    let _ = fs::remove_dir(&folder);
    crashed
}

/// The process of a file, if it is gone. The file goes with it.
fn left_behind(path: &Path) -> Option<Crashed> {
    let metadata = path.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
    let is_settled = metadata.modified().is_ok_and(|when| when.elapsed().is_ok_and(|age| age > SETTLING));
    if !is_settled || File::open(path).ok()?.try_lock().is_err() {
        return None;
    }
    // Of several that find it, one removes it.
    fs::remove_file(path).ok()?;
    let name = path.file_name()?.to_str()?;
    let mut parts = name.split('-');
    Some(Crashed { event: parts.next()?.to_owned(), time: parts.next()?.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn age(path: &Path) {
        let then = SystemTime::now() - Duration::from_secs(60);
        File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    }

    #[test]
    fn who_has_answered_leaves_nothing() {
        let state = tempfile::tempdir().unwrap();
        let running = Running::note(state.path(), "PreToolUse", 5).unwrap();
        age(&running.path);
        assert_eq!(crashed(state.path()), [], "it still runs");
        running.end();
        assert_eq!(crashed(state.path()), []);
        assert!(!state.path().join("running").exists());
    }

    #[test]
    fn who_is_gone_is_told_once() {
        let state = tempfile::tempdir().unwrap();
        let running = Running::note(state.path(), "../Pre Tool-Use", 5).unwrap();
        age(&running.path);
        let other = Running::note(state.path(), "Stop", 7).unwrap();
        drop(running.file);
        assert_eq!(crashed(state.path()), [Crashed { event: "PreToolUse".to_owned(), time: 5 }]);
        assert_eq!(crashed(state.path()), []);
        other.end();
    }

    #[test]
    fn a_file_of_another_name_is_only_removed() {
        let state = tempfile::tempdir().unwrap();
        let path = state.path().join("running/strange");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        age(&path);
        assert_eq!(crashed(state.path()), []);
        assert!(!path.exists());
    }
}
