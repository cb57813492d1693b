//! What a person trusts, and the last good version of every policy file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hookgate_policy::{digest, fingerprint};

use crate::Directories;

/// Records under the state directory.
#[derive(Clone, Debug)]
pub struct Trust {
    state: Option<PathBuf>,
}

impl Trust {
    /// The records of this person.
    #[must_use]
    pub fn new(directories: &Directories) -> Trust {
        Trust { state: directories.state.clone() }
    }

    /// Does the person trust exactly this content of the file?
    #[must_use]
    pub fn holds(&self, path: &Path, text: &str) -> bool {
        let Some(record) = self.record("trust", path) else { return false };
        fs::read_to_string(record).is_ok_and(|recorded| recorded.trim_end() == digest(text))
    }

    /// Notes the person's trust in this content of the file.
    ///
    /// # Errors
    /// Where there is no place for it or it can't be written.
    pub fn grant(&self, path: &Path, text: &str) -> io::Result<()> {
        let record = self.record("trust", path).ok_or(io::ErrorKind::NotFound)?;
        write(&record, &format!("{}\n", digest(text)))
    }

    /// Takes the trust back.
    ///
    /// # Errors
    /// Where the record can't be removed.
    pub fn revoke(&self, path: &Path) -> io::Result<()> {
        let Some(record) = self.record("trust", path) else { return Ok(()) };
        match fs::remove_file(record) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Keeps this content as the file's last good one. The record's name holds the content's fingerprint, so that an
    /// unchanged file costs one question and no write.
    pub fn keep(&self, path: &Path, text: &str) {
        let Some(record) = self.record("good", path) else { return };
        let marked = record.join(format!("{:016x}", fingerprint(text)));
        if marked.symlink_metadata().is_ok() {
            return;
        }
        let before = self.versions(path);
        if write(&marked, text).is_ok() {
            for old in before {
                let _ = fs::remove_file(old);
            }
        }
    }

    /// The file's last good content.
    #[must_use]
    pub fn kept(&self, path: &Path) -> Option<String> {
        self.versions(path).into_iter().find_map(|version| fs::read_to_string(version).ok())
    }

    fn versions(&self, path: &Path) -> Vec<PathBuf> {
        let entries = self.record("good", path).and_then(|record| fs::read_dir(record).ok());
        entries.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect()
    }

    fn record(&self, kind: &str, path: &Path) -> Option<PathBuf> {
        let name = format!("{:016x}", fingerprint(&path.to_string_lossy()));
        Some(self.state.as_ref()?.join(kind).join(name))
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(state: &Path) -> Trust {
        Trust { state: Some(state.to_path_buf()) }
    }

    #[test]
    fn trust_is_bound_to_the_content_and_can_be_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let trust = trust(folder.path());
        let path = Path::new("/p/.hookgate.toml");
        assert!(!trust.holds(path, "a"));
        trust.grant(path, "a").unwrap();
        assert!(trust.holds(path, "a") && !trust.holds(path, "b") && !trust.holds(Path::new("/q"), "a"));
        trust.revoke(path).unwrap();
        trust.revoke(path).unwrap();
        assert!(!trust.holds(path, "a"));
    }

    #[test]
    fn the_last_good_version_is_the_last_one_kept() {
        let folder = tempfile::tempdir().unwrap();
        let trust = trust(folder.path());
        let path = Path::new("/p/.hookgate.toml");
        assert_eq!(trust.kept(path), None);
        trust.keep(path, "one");
        trust.keep(path, "two");
        assert_eq!(trust.kept(path).as_deref(), Some("two"));
    }
}
