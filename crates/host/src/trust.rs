//! What a person trusts, and the last good version of every policy file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hookgate_policy::{digest, fingerprint};

use crate::Directories;
use crate::names::inside;
use crate::overrides::write_whole;
use crate::regular::read_text;

/// The largest record that is read: a policy file is none that is larger.
const LARGEST: u64 = 1 << 20;

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
        read_text(&record, LARGEST).is_some_and(|recorded| recorded.trim_end() == digest(text))
    }

    /// Notes the person's trust in this content of the file.
    ///
    /// # Errors
    /// Where there is no place for it or it can't be written.
    pub fn grant(&self, path: &Path, text: &str) -> io::Result<()> {
        let record = self.record("trust", path).ok_or(io::ErrorKind::NotFound)?;
        write_whole(&record, &format!("{}\n", digest(text)))?;
        // Only to show what changed since. What can't be kept is shown whole.
        if let Some(record) = self.record("trusted", path) {
            drop(write_whole(&record, text));
        }
        Ok(())
    }

    /// The content that was trusted last, if there was any.
    #[must_use]
    pub fn trusted(&self, path: &Path) -> Option<String> {
        read_text(&self.record("trusted", path)?, LARGEST)
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
        if write_whole(&marked, text).is_ok() {
            for old in before {
                let _ = fs::remove_file(old);
            }
        }
    }

    /// Is this content the file's last good one?
    #[must_use]
    pub fn is_kept(&self, path: &Path, text: &str) -> bool {
        let record = self.record("good", path);
        record.is_some_and(|record| {
            record.join(format!("{:016x}", fingerprint(text))).symlink_metadata().is_ok()
        })
    }

    /// The file's last good content.
    #[must_use]
    pub fn kept(&self, path: &Path) -> Option<String> {
        self.versions(path)
            .into_iter()
            .find_map(|version| read_text(&version, LARGEST).filter(|text| !text.trim().is_empty()))
    }

    /// Forgets the file's last good content, because the file was taken away for good. What was deleted must not come back.
    pub fn forget(&self, path: &Path) {
        if let Some(record) = self.record("good", path).filter(|record| record.is_dir()) {
            let _ = fs::remove_dir_all(record);
        }
    }

    /// Keeps what a tool call of the project gets when the gate fails, for a failure that comes before the policy is read.
    /// What a policy that says nothing does (`usual`) is kept by keeping nothing.
    pub fn keep_on_error(&self, project: &Path, choice: &str, usual: bool) {
        let Some(record) = self.record("on-error", project) else { return };
        if usual {
            if record.symlink_metadata().is_ok() {
                let _ = fs::remove_file(&record);
            }
        } else if read_text(&record, LARGEST).as_deref() != Some(choice) {
            let _ = write_whole(&record, choice);
        }
    }

    /// What was kept by [`Trust::keep_on_error`].
    #[must_use]
    pub fn kept_on_error(&self, project: &Path) -> Option<String> {
        read_text(&self.record("on-error", project)?, LARGEST)
    }

    fn versions(&self, path: &Path) -> Vec<PathBuf> {
        // Most files have none, and a folder that is not there is not opened.
        let record = self.record("good", path).filter(|record| record.is_dir());
        let entries = record.and_then(|record| fs::read_dir(record).ok());
        entries.into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path()).collect()
    }

    fn record(&self, kind: &str, path: &Path) -> Option<PathBuf> {
        let state = self.state.as_ref()?;
        let number = fingerprint(&path.to_string_lossy());
        let mut name = String::with_capacity(kind.len() + 17);
        name.push_str(kind);
        name.push('/');
        // By hand: each event asks for a handful of names.
        let digits = (0..16).rev().map(|at| (number >> (4 * at)) & 0xf);
        name.extend(digits.filter_map(|digit| char::from_digit(u32::try_from(digit).ok()?, 16)));
        Some(inside(state, &name))
    }
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
        trust.forget(path);
        trust.forget(path);
        assert_eq!(trust.kept(path), None);
    }
}
