//! Where the links in a path lead.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How many links in a row are followed that lead to nothing, as the system would.
const MOST_HOPS: usize = 40;

/// How long it holds where a directory leads: a program that is run meanwhile may put a link in its place.
const HOLDS: Duration = Duration::from_millis(20);

/// Follows links, and remembers the last directory: the paths of one call mostly lie in the same one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links(RefCell<Option<Directory>>);

/// A directory without links in its name.
#[derive(Clone, Debug)]
struct Directory {
    path: String,
    real: String,
    when: Instant,
}

impl Links {
    /// The path without links; what isn't there stays as it is written. `None` where nothing of it is there, and where links lead
    /// round in a circle.
    pub(crate) fn follow(&self, path: &str) -> Option<String> {
        self.in_a_directory(path).or_else(|| follow(path))
    }

    /// The same for a path in a directory that is there, unless it is a link itself.
    fn in_a_directory(&self, path: &str) -> Option<String> {
        let (parent, name) = path.rsplit_once('/').filter(|(parent, _)| !parent.is_empty())?;
        let is_link = || fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        if matches!(name, "" | "." | "..") || is_link() {
            return None;
        }
        let mut last = self.0.try_borrow_mut().ok()?;
        let holds = |last: &&mut Directory| last.path == parent && last.when.elapsed() < HOLDS;
        let directory = match last.as_mut().filter(holds) {
            Some(directory) => directory,
            None => {
                let when = Instant::now();
                let real = Path::new(parent).canonicalize().ok()?.to_str()?.to_owned();
                last.insert(Directory { path: parent.to_owned(), real, when })
            }
        };
        let slash = if directory.real.ends_with('/') { "" } else { "/" };
        Some([&directory.real, slash, name].concat())
    }
}

fn follow(path: &str) -> Option<String> {
    let mut path = path.to_owned();
    for _ in 0..MOST_HOPS {
        let mut existing = path.as_str();
        while Path::new(existing).symlink_metadata().is_err() {
            existing = match existing.rfind('/')? {
                0 if existing.len() > 1 => "/",
                0 => return None,
                slash => existing.get(..slash)?,
            };
        }
        let rest = path.get(existing.len()..)?.trim_start_matches('/');
        if let Ok(resolved) = Path::new(existing).canonicalize() {
            let resolved = resolved.to_str()?;
            let slash = if rest.is_empty() || resolved.ends_with('/') { "" } else { "/" };
            return Some([resolved, slash, rest].concat());
        }
        // A link to what is not there yet: who writes to it makes that.
        let target = fs::read_link(existing).ok()?;
        let folder = Path::new(existing).parent()?.canonicalize().ok()?;
        path = folder.join(target).join(rest).to_str()?.trim_end_matches('/').to_owned();
    }
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_of_one_directory_are_followed_like_any_other() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let at = |name: &str| base.join(name).to_str().unwrap().to_owned();
        fs::create_dir_all(base.join("real/inner")).unwrap();
        fs::write(base.join("real/file"), "x").unwrap();
        symlink("real", base.join("link")).unwrap();
        symlink("inner", base.join("real/to_inner")).unwrap();
        symlink("nowhere", base.join("real/dangling")).unwrap();
        symlink("circle", base.join("real/circle")).unwrap();
        let links = Links::default();
        for (path, wanted) in [
            ("link/file", Some("real/file")),
            ("link/new", Some("real/new")),
            ("link/to_inner", Some("real/inner")),
            ("link/to_inner/new", Some("real/inner/new")),
            ("link/dangling", Some("real/nowhere")),
            ("link/file/below", Some("real/file/below")),
            ("link/new/below", Some("real/new/below")),
            ("link/circle", None),
            ("real/file", Some("real/file")),
            ("link", Some("real")),
        ] {
            // Twice: the second time the directory is known.
            for _ in 0..2 {
                assert_eq!(links.follow(&at(path)), wanted.map(at), "{path}");
            }
            assert_eq!(links.follow(&at(path)), follow(&at(path)), "{path}");
        }
        assert_eq!(links.follow("/"), Some("/".to_owned()));
        assert_eq!(links.follow("/nowhere-at-all"), Some("/nowhere-at-all".to_owned()));
    }

    #[test]
    fn a_directory_that_becomes_a_link_is_followed_again_soon() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let path = base.join("a/x").to_str().unwrap().to_owned();
        fs::create_dir_all(base.join("a")).unwrap();
        fs::create_dir_all(base.join("b")).unwrap();
        let links = Links::default();
        assert_eq!(links.follow(&path), Some(path.clone()));
        fs::remove_dir(base.join("a")).unwrap();
        symlink("b", base.join("a")).unwrap();
        std::thread::sleep(HOLDS);
        assert_eq!(links.follow(&path).as_deref(), base.join("b/x").to_str());
    }
}
