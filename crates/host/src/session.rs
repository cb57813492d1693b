//! What is remembered for a session: one empty file per thing noted.

use std::fs::{self, OpenOptions};
use std::path::Path;

/// Notes `key` for the session under the state directory; true the first time. Where nothing can be stored, true:
/// said too often is better than never.
#[must_use]
pub fn first_time(state: &Path, session: &str, key: &str) -> bool {
    let folder = state.join("sessions").join(file_name(session));
    if fs::create_dir_all(&folder).is_err() {
        return true;
    }
    match OpenOptions::new().write(true).create_new(true).open(folder.join(file_name(key))) {
        Ok(_) => true,
        Err(error) => error.kind() != std::io::ErrorKind::AlreadyExists,
    }
}

/// A file name that holds nothing but letters, digits, `-` and `_`, and is bounded.
pub(crate) fn file_name(text: &str) -> String {
    let name: String = text
        .chars()
        .take(80)
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' })
        .collect();
    if name.is_empty() { "none".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_key_is_new_once_per_session_and_names_cannot_escape_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(super::first_time(folder.path(), "s1", "armed"));
        assert!(!super::first_time(folder.path(), "s1", "armed"));
        assert!(super::first_time(folder.path(), "s2", "armed"));
        assert!(super::first_time(folder.path(), "../../x", "a/b"));
        assert!(folder.path().join("sessions/______x/a_b").exists());
    }
}
