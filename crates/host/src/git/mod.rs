//! What is read off a repository without asking git.
//!
//! The formats: <https://git-scm.com/docs/gitformat-index>, gitformat-pack, gitrepository-layout, gitignore.

mod changes;
mod history;
mod ignored;
mod index;
mod objects;
mod references;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use changes::{changed, tracked, untracked};
pub(crate) use history::{overwritten, published};

/// The longest that one question takes.
const LONGEST: Duration = Duration::from_millis(25);

/// The name of an object.
type Id = [u8; 20];

/// A repository, and the time that is left for looking at it.
struct Repository {
    /// The root of the work tree, or what was asked about.
    root: PathBuf,
    /// `.git`, of this work tree.
    own: PathBuf,
    /// `.git`, of all work trees.
    common: PathBuf,
    end: Instant,
}

impl Repository {
    fn around(directory: &Path) -> Option<Repository> {
        let root = repository_root(directory)?;
        let own = git_directory(&root)?;
        let common = match fs::read_to_string(own.join("commondir")) {
            Ok(text) => own.join(text.trim()),
            Err(_) => own.clone(),
        };
        Some(Repository { root, own, common, end: Instant::now() + LONGEST })
    }

    fn is_late(&self) -> bool {
        Instant::now() > self.end
    }
}

/// The first bytes as a number, and the rest.
fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*number), rest))
}

/// The root of the work tree around `directory`: the nearest directory upwards that holds a `.git`.
#[must_use]
pub fn repository_root(directory: &Path) -> Option<PathBuf> {
    directory
        .ancestors()
        .find(|ancestor| ancestor.join(".git").symlink_metadata().is_ok())
        .map(Path::to_path_buf)
}

/// The branch that is checked out in the work tree around `directory`; `None` on a detached head.
#[must_use]
pub fn branch(directory: &Path) -> Option<String> {
    let root = repository_root(directory)?;
    let head = fs::read_to_string(git_directory(&root)?.join("HEAD")).ok()?;
    Some(head.trim().strip_prefix("ref: refs/heads/")?.to_owned())
}

/// `.git` itself, or what the file `.git` of a linked work tree or submodule points to.
fn git_directory(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branch_is_found_from_a_subdirectory_and_through_a_linked_work_tree() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main");
        fs::create_dir_all(main.join(".git/worktrees/side")).unwrap();
        fs::create_dir_all(main.join("src/deep")).unwrap();
        fs::write(main.join(".git/HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        assert_eq!(branch(&main.join("src/deep")).as_deref(), Some("feature/x"));

        let side = folder.path().join("side");
        fs::create_dir_all(&side).unwrap();
        fs::write(side.join(".git"), format!("gitdir: {}\n", main.join(".git/worktrees/side").display()))
            .unwrap();
        fs::write(main.join(".git/worktrees/side/HEAD"), "ref: refs/heads/side\n").unwrap();
        assert_eq!(branch(&side).as_deref(), Some("side"));

        fs::write(main.join(".git/HEAD"), "0123456789abcdef0123456789abcdef01234567\n").unwrap();
        assert_eq!(branch(&main), None);
    }
}
