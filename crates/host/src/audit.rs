//! The audit log: one JSON line per decision, one write per line, rotated by size.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How many rotated files are kept beside the current one.
const KEPT: usize = 4;

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
    /// processes never mix and a process that is killed loses at most its own.
    ///
    /// # Errors
    /// Where the file can't be opened or written.
    pub fn append(&self, record: &str) -> io::Result<()> {
        let mut file = match self.open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if let Some(folder) = self.path.parent() {
                    fs::create_dir_all(folder)?;
                }
                self.open()?
            }
            other => other?,
        };
        if file.metadata()?.len() > self.limit {
            self.rotate(&file)?;
            file = self.open()?;
        }
        let mut line = String::with_capacity(record.len() + 1);
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

    fn open(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.path)
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
        let aside = self.path.with_file_name(format!("{name}.{}.jsonl", crate::decision_id()));
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
        files.sort();
        files
    }
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
        std::thread::scope(|scope| {
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
            for line in fs::read_to_string(file).unwrap().lines() {
                serde_json::from_str::<serde_json::Value>(line).unwrap();
                lines += 1;
            }
        }
        assert_eq!(lines, 800);
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
