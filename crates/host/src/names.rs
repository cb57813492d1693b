//! Paths compared and put together without a look at each of their names: every call does both dozens of times.

use std::path::{Path, PathBuf};

/// Is the path that directory, or below it?
#[must_use]
pub fn is_below(path: &Path, directory: &Path) -> bool {
    let (whole, beginning) = (path.as_os_str().as_encoded_bytes(), directory.as_os_str().as_encoded_bytes());
    let ends = match whole.get(beginning.len()) {
        None => whole.len() == beginning.len(),
        Some(next) => *next == b'/' || beginning.ends_with(b"/"),
    };
    if ends && whole.starts_with(beginning) && !beginning.is_empty() {
        return true;
    }
    // The same names may be written in another way.
    (is_odd(whole) || is_odd(beginning)) && path.starts_with(directory)
}

/// May it be written in another way too?
fn is_odd(path: &[u8]) -> bool {
    let mut before = 0;
    let is_odd = |&byte: &u8| {
        let odd = before == b'/' && matches!(byte, b'/' | b'.') || byte == b'\\';
        before = byte;
        odd
    };
    path.is_empty() || path.ends_with(b"/") || !path.starts_with(b"/") || path.iter().any(is_odd)
}

/// The path of a name in a directory, or of several with slashes between them.
pub(crate) fn inside(directory: &Path, name: &str) -> PathBuf {
    let mut path = PathBuf::with_capacity(directory.as_os_str().len() + 1 + name.len());
    path.push(directory);
    path.push(name);
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_paths_are() {
        let paths = [
            "/a", "/a/", "/a/b", "/a//b", "/a/./b", "/ab", "/a/b/..", "/", "", "a", "a/b", "./a", "/.a",
            "/a/.b", "//a",
        ];
        for path in paths {
            for directory in paths {
                let (path, directory) = (Path::new(path), Path::new(directory));
                assert_eq!(is_below(path, directory), path.starts_with(directory), "{path:?} {directory:?}");
            }
        }
    }

    #[test]
    fn a_name_in_a_directory_is_joined_to_it() {
        for (directory, name) in [("/a", "b"), ("/", "b/c"), ("a/", ".b"), ("", "b"), ("/a", "/b")] {
            assert_eq!(inside(Path::new(directory), name), Path::new(directory).join(name));
        }
    }
}
