//! Files whose kind and size nobody can be sure of: looked at before they are opened, bounded while they are read, and
//! never waited for.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

/// A regular file, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegularFile {
    /// All of its content.
    pub bytes: Vec<u8>,
    /// When its content was changed; `None` where the system does not say.
    pub modified: Option<SystemTime>,
}

/// Reads a regular file, or what a link leads to, of at most `limit` bytes. A pipe or a device is not opened.
///
/// # Errors
/// `NotFound` where there is no such file; any other kind where there is something that can't be read, or where nobody can
/// tell.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<RegularFile> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("is no regular file"));
    }
    let too_large = || io::Error::other(format!("is larger than {limit} bytes"));
    if metadata.len() > limit {
        return Err(too_large());
    }
    let found = contents(&File::open(path)?, limit)?;
    // It may have grown meanwhile, and some files say that they are empty.
    if u64::try_from(found.bytes.len()).is_ok_and(|length| length > limit) {
        return Err(too_large());
    }
    Ok(found)
}

/// What an open file has, up to a byte more than the limit. It is asked for its time last: what is changed while it is looked at
/// has just been changed, though it was old when it was found.
fn contents(mut file: &File, limit: u64) -> io::Result<RegularFile> {
    let mut bytes = Vec::new();
    file.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(RegularFile { bytes, modified: file.metadata()?.modified().ok() })
}

/// The text of a regular file of at most `limit` bytes; `None` where it can't be read or is no UTF-8.
pub(crate) fn read_text(path: &Path, limit: u64) -> Option<String> {
    String::from_utf8(read_regular(path, limit).ok()?.bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit_and_nothing_else_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_regular(&path, 5).unwrap().bytes, b"12345");
        assert!(read_regular(&path, 4).unwrap_err().to_string().contains("larger than 4 bytes"));
        assert_eq!(read_regular(&folder.path().join("b"), 4).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(read_regular(folder.path(), 4).unwrap_err().to_string().contains("no regular file"));
    }

    #[test]
    fn a_file_that_is_changed_while_it_is_read_is_as_new_as_the_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "a = 1").unwrap();
        let long_ago = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        assert_eq!(read_regular(&path, 100).unwrap().modified, Some(long_ago));
        let open = File::open(&path).unwrap();
        fs::write(&path, "").unwrap();
        let found = contents(&open, 100).unwrap();
        assert!(found.bytes.is_empty());
        assert!(found.modified.unwrap() > long_ago, "an editor has just emptied it");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_a_device_are_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let zero = folder.path().join("zero");
        std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
        for path in [pipe, zero] {
            assert!(read_regular(&path, 100).unwrap_err().to_string().contains("no regular file"));
        }
    }
}
