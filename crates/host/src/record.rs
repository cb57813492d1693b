//! A session's record on disk: lines that are added in one write each, and a file that is halved when it has grown too large.
//!
//! Hooks of one session run at the same time. Each adds its lines with one write to a file opened for appending, under a lock
//! that is not waited for long; halving happens only under the lock.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use hookgate_session::{Entry, Record, Tail};

use crate::overrides::{is_mine, write_whole};
use crate::session::file_name;

/// The size in bytes at which the older half of a record is forgotten.
const LARGEST: u64 = 512 * 1024;
/// How long another hook's lock is waited for.
const PATIENCE: Duration = Duration::from_millis(45);

/// Adds entries to a session's record. Where nothing can be stored, nothing is.
pub(crate) fn note(state: &Path, session: &str, entries: &[Entry]) {
    let _ = append(&path(state, session), entries);
}

/// What was recorded of a session. Only a file of this user's that nobody else may write counts.
pub(crate) fn read(state: &Path, session: &str) -> Record {
    text(&path(state, session)).map(|text| Record::read(&text)).unwrap_or_default()
}

fn path(state: &Path, session: &str) -> PathBuf {
    state.join("sessions").join(file_name(session)).join("record")
}

fn append(path: &Path, entries: &[Entry]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let mut lines = String::new();
    for entry in entries {
        lines.push_str(&entry.line());
        lines.push('\n');
    }
    let lock = lock(&folder.join("record.lock"));
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() || !is_mine(&metadata) => fs::remove_file(path)?,
        // Without the lock another hook may be halving it.
        Ok(metadata) if metadata.len() > LARGEST && lock.is_some() => {
            let halved = Record::read(&text(path).unwrap_or_default()).halved();
            write_whole(path, &halved.text())?;
        }
        _ => {}
    }
    if ends_within_a_line(path) {
        lines.insert(0, '\n');
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(lines.as_bytes())
}

/// Was whoever wrote last ended within a line? What is added behind that would be lost with it.
pub(crate) fn ends_within_a_line(path: &Path) -> bool {
    let last = || -> io::Result<u8> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok(u8::from_ne_bytes(byte))
    };
    last().is_ok_and(|byte| byte != b'\n')
}

/// The record's lock, if it can be had soon. It ends with the file.
pub(crate) fn lock(path: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).ok()?;
    let end = Instant::now() + PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(_) if Instant::now() < end => thread::sleep(Duration::from_millis(1)),
            Err(_) => return None,
        }
    }
}

fn text(path: &Path) -> Option<String> {
    let metadata = path.symlink_metadata().ok()?;
    if !metadata.is_file() || !is_mine(&metadata) {
        return None;
    }
    let mut file = File::open(path).ok()?;
    // Parallel hooks may have added to a full one; what is newest counts.
    let largest = 2 * LARGEST;
    if metadata.len() > largest {
        file.seek(SeekFrom::End(-i64::try_from(largest).ok()?)).ok()?;
    }
    let mut bytes = Vec::new();
    file.take(largest).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Notes how well a judge agreed with labelled cases.
///
/// # Errors
/// Where it can't be written.
pub fn note_measure(state: &Path, judge: &str, labels: u32, agreement: f64) -> io::Result<()> {
    let folder = state.join("judges");
    fs::create_dir_all(&folder)?;
    write_whole(&folder.join(file_name(judge)), &format!("{labels} {agreement:.4}\n"))
}

/// How well a judge agreed with labelled cases, and with how many.
pub(crate) fn measure(state: &Path, judge: &str) -> Option<(u32, f64)> {
    let text = text(&state.join("judges").join(file_name(judge)))?;
    let (labels, agreement) = text.trim().split_once(' ')?;
    Some((labels.parse().ok()?, agreement.parse().ok()?))
}

/// A regular file that is read from its end.
#[derive(Debug)]
pub(crate) struct FileTail {
    file: File,
    length: u64,
}

impl FileTail {
    /// The file there; `None` for what is no regular file.
    pub(crate) fn open(path: &Path) -> Option<FileTail> {
        // Looked at before it is opened: opening a pipe waits.
        if !fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len();
        Some(FileTail { file, length })
    }
}

impl Tail for FileTail {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, offset: u64, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count);
        let mut file = &self.file;
        let limit = u64::try_from(count).unwrap_or(u64::MAX);
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.take(limit).read_to_end(&mut bytes));
        drop(read);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookgate_session::{What, last_turns};

    fn called(at: u64) -> Entry {
        Entry::new(at, What::Called { tool: format!("tool-{at}-{}", "x".repeat(200)) })
    }

    #[test]
    fn parallel_hooks_lose_no_entry_and_a_session_has_its_own_record() {
        let folder = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for writer in 0..8_u64 {
                let state = folder.path();
                scope.spawn(move || (0..40).for_each(|n| note(state, "s", &[called(writer * 1000 + n)])));
            }
        });
        let record = read(folder.path(), "s");
        assert_eq!(record.entries.len(), 320);
        assert!(read(folder.path(), "other").entries.is_empty());
    }

    #[test]
    fn a_record_that_grows_for_days_stays_small_and_keeps_the_last_edit() {
        let folder = tempfile::tempdir().unwrap();
        let edit = What::Edit { paths: vec!["/p/a".to_owned()], marks: Vec::new() };
        note(folder.path(), "s", &[Entry::new(1, edit.clone())]);
        for n in 0..200 {
            let entries: Vec<Entry> = (0..40).map(|m| called(n * 100 + m)).collect();
            note(folder.path(), "s", &entries);
        }
        let size = fs::metadata(path(folder.path(), "s")).unwrap().len();
        assert!(size < LARGEST + 100_000, "{size}");
        let record = read(folder.path(), "s");
        assert!(record.entries.iter().any(|entry| entry.what == edit));
        assert_eq!(record.entries.last(), Some(&called(199 * 100 + 39)));
    }

    #[test]
    fn what_follows_a_torn_line_or_garbage_is_not_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = path(folder.path(), "s");
        for rest in [&b"{\"at\":17,\"wha"[..], b"\xff\xfe\0garbage", b"]]]\n\n\0\0\0"] {
            note(folder.path(), "s", &[called(1)]);
            OpenOptions::new().append(true).open(&path).unwrap().write_all(rest).unwrap();
            note(folder.path(), "s", &[called(2)]);
            assert_eq!(read(folder.path(), "s").entries, [called(1), called(2)], "{rest:?}");
            fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_record_that_others_may_write_counts_for_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        note(folder.path(), "s", &[called(1)]);
        let path = path(folder.path(), "s");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        assert!(read(folder.path(), "s").entries.is_empty());
    }

    #[test]
    fn a_transcript_is_read_from_its_end_and_a_pipe_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jsonl");
        let line = "{\"type\":\"assistant\",\"message\":{\"content\":\"done\"}}\n";
        fs::write(&file, format!("{}\n{line}", "{}\n".repeat(100_000))).unwrap();
        let turns = last_turns(&FileTail::open(&file).unwrap(), 3);
        assert_eq!(turns.len(), 1);
        assert!(FileTail::open(folder.path()).is_none());
    }
}
