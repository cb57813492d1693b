//! The audit log: one JSON line per decision, one write per line, rotated by size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// How many rotated files are kept beside the current one.
const KEPT: usize = 4;
/// How long a `write` of another process may take in which its line is seen in part.
const SETTLING: Duration = Duration::from_millis(1);

/// The log's file and how large it may get.
#[derive(Clone, Debug)]
pub struct Audit {
    path: PathBuf,
    limit: u64,
}

impl Audit {
    /// The log at `path`, rotated when it has grown over `limit` bytes.
    #[must_use]
    pub fn new(path: PathBuf, limit: u64) -> Audit {
        Audit { path, limit }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one record, which holds no line break. The line is one `write` in append mode, so that lines of parallel
    /// processes never mix. A process that is killed in the middle of it, or a disk that is full, tears that record and no
    /// other: a torn line is ended before the next record. Where another process is in the middle of its `write`, that may
    /// leave an empty line, which is no record.
    ///
    /// # Errors
    /// Where the file is none, or can't be opened or written.
    pub fn append(&self, record: &str) -> io::Result<()> {
        let (mut file, mut length) = match self.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(folder) = self.path.parent() {
                    fs::create_dir_all(folder)?;
                }
                self.open()?
            }
            other => other?,
        };
        if length > self.limit {
            self.rotate(&file)?;
            (file, length) = self.open()?;
        }
        let mut line = String::with_capacity(record.len() + 2);
        if is_torn(&file, length) {
            // A write that goes over several pages is seen growing: look again, once it should be through.
            thread::sleep(SETTLING);
            let length = file.metadata()?.len();
            if is_torn(&file, length) {
                line.push('\n');
            }
        }
        line.push_str(record);
        line.push('\n');
        file.write_all(line.as_bytes())
    }

    /// Can a record be appended?
    ///
    /// # Errors
    /// Where it can't.
    pub fn check(&self) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        self.open().map(drop)
    }

    /// The log's files, oldest first, the current one last. Only those that exist.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = self.rotated();
        if self.path.exists() {
            files.push(self.path.clone());
        }
        files
    }

    /// The last bytes of the current file, from the beginning of a line.
    #[must_use]
    pub fn tail(&self, most: u64) -> String {
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
            let mut bytes = Vec::new();
            file.take(most).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        // Opening a pipe waits.
        let is_file = fs::metadata(&self.path).is_ok_and(|metadata| metadata.is_file());
        let bytes = if is_file { read().unwrap_or_default() } else { Vec::new() };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match text.split_once('\n') {
            Some((_, rest)) if bytes.len() as u64 >= most => rest.to_owned(),
            _ => text,
        }
    }

    /// The file, and how long it is.
    fn open(&self) -> io::Result<(File, u64)> {
        let mut options = OpenOptions::new();
        // Read as well, which is also why a pipe is not waited for.
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&self.path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() {
            Ok((file, metadata.len()))
        } else {
            Err(io::Error::other("is no regular file"))
        }
    }

    /// Moves the full file aside. Only the process that gets the lock does it, and only if the path still names the file
    /// that it found full; the others write on into whichever file they hold, which loses nothing.
    fn rotate(&self, full: &File) -> io::Result<()> {
        if full.try_lock().is_err() {
            return Ok(());
        }
        if !same_file(full, &self.path) {
            return Ok(());
        }
        let name = self.path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        // Counted, not dated: a clock that ran ahead would make the newest the oldest.
        let last = self.rotated().iter().filter_map(|path| number(path)).max().unwrap_or(0);
        let aside = self.path.with_file_name(format!("{name}.{:08}.jsonl", last.saturating_add(1)));
        fs::rename(&self.path, aside)?;
        let rotated = self.rotated();
        let surplus = rotated.len().saturating_sub(KEPT);
        for old in rotated.iter().take(surplus) {
            let _ = fs::remove_file(old);
        }
        Ok(())
    }

    fn rotated(&self) -> Vec<PathBuf> {
        let (Some(folder), Some(stem)) = (self.path.parent(), self.path.file_stem()) else {
            return Vec::new();
        };
        let prefix = format!("{}.", stem.to_string_lossy());
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let mut files: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| {
                *path != self.path
                    && path.file_name().is_some_and(|name| {
                        let name = name.to_string_lossy();
                        name.starts_with(&prefix) && name.ends_with(".jsonl")
                    })
            })
            .collect();
        // Those of releases that named them by a time are the oldest.
        files.sort_by_key(|path| (number(path).unwrap_or(0), path.clone()));
        files
    }
}

/// The number in the name of a file that was moved aside: `audit.00000012.jsonl`.
fn number(path: &Path) -> Option<u64> {
    let digits = path.file_stem()?.to_str()?.rsplit('.').next()?;
    (digits.len() == 8).then(|| digits.parse().ok())?
}

/// Ends the file within a line?
#[cfg(unix)]
fn is_torn(file: &File, length: u64) -> bool {
    use std::os::unix::fs::FileExt;
    let mut last = [b'\n'];
    let Some(end) = length.checked_sub(1) else { return false };
    file.read_exact_at(&mut last, end).is_ok() && last != *b"\n"
}

#[cfg(not(unix))]
fn is_torn(_: &File, _: u64) -> bool {
    false
}

#[cfg(unix)]
fn same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(a), Ok(b)) => a.ino() == b.ino() && a.dev() == b.dev(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_parallel_writers_are_whole_and_none_is_lost_across_rotations() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/audit.jsonl");
        thread::scope(|scope| {
            for writer in 0..8 {
                let audit = Audit::new(path.clone(), 40_000);
                scope.spawn(move || {
                    for count in 0..100 {
                        audit
                            .append(&format!(
                                "{{\"w\":{writer},\"n\":{count},\"x\":\"{}\"}}",
                                "x".repeat(100)
                            ))
                            .unwrap();
                    }
                });
            }
        });
        let audit = Audit::new(path, 40_000);
        let mut lines = 0;
        for file in audit.files() {
            // A write that is not through looks like a torn one: the next begins with a line break that is not needed.
            for line in fs::read_to_string(file).unwrap().lines().filter(|line| !line.is_empty()) {
                serde_json::from_str::<serde_json::Value>(line).unwrap();
                lines += 1;
            }
        }
        assert_eq!(lines, 800);
    }

    #[cfg(unix)]
    #[test]
    fn a_torn_line_costs_no_other_record() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(folder.path().join("a.jsonl"), 1_000_000);
        audit.append("{\"n\":1}").unwrap();
        let mut file = OpenOptions::new().append(true).open(audit.path()).unwrap();
        file.write_all(b"{\"n\":2,\"torn").unwrap();
        audit.append("{\"n\":3}").unwrap();
        audit.append("{\"n\":4}").unwrap();
        let text = fs::read_to_string(audit.path()).unwrap();
        assert_eq!(text, "{\"n\":1}\n{\"n\":2,\"torn\n{\"n\":3}\n{\"n\":4}\n");
    }

    #[test]
    fn the_newest_records_are_kept_whatever_the_clock_said() {
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(folder.path().join("a.jsonl"), 10);
        // As an earlier release named it, in a year to come.
        fs::write(folder.path().join("a.zzzzzzzzzzzzz.jsonl"), "{\"n\":-1}\n").unwrap();
        for n in 0..60 {
            audit.append(&format!("{{\"n\":{n:04}}}")).unwrap();
        }
        let kept: Vec<String> = audit.files().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
        assert_eq!(kept.concat().lines().last().unwrap(), "{\"n\":0059}");
        assert_eq!(kept.len(), KEPT + 1, "{kept:?}");
        let lines: Vec<String> = kept.concat().lines().map(str::to_owned).collect();
        let mut sorted = lines.clone();
        sorted.sort();
        assert_eq!(lines, sorted);
        assert!(!kept.concat().contains("-1"), "{kept:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_the_log_is_an_error_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(Audit::new(path, 10).append("{}").is_err());
        assert!(Audit::new(PathBuf::from("/dev/full"), 10).append("{}").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_log_is_readable_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let audit = Audit::new(folder.path().join("a.jsonl"), 1_000_000);
        audit.append("{}").unwrap();
        assert_eq!(fs::metadata(audit.path()).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
