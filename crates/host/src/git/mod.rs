//! What is read off a repository without asking git.
//!
//! The formats: <https://git-scm.com/docs/gitformat-index>, gitformat-pack, gitrepository-layout, gitignore.

mod brought;
mod changes;
mod history;
mod hooks;
mod ignored;
mod index;
mod objects;
#[cfg(test)]
mod oracle;
mod references;
mod remotes;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hookgate_rules::own::Branch;

use crate::regular::read_text;

pub(crate) use brought::brought;
pub(crate) use changes::{additions, beside_merge, changed, has_staged, tracked, untracked};
pub(crate) use history::{dropped, message_of, overwritten, published, unmerged};
pub(crate) use hooks::{has_hook, holds_repositories};
pub(crate) use remotes::{is_tag, remotes, usual_remote};

/// The longest that one question takes. A debug build is what tests run, on a machine that may be busy.
const LONGEST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 25 });

/// The largest file that names something: a head, a reference, another directory.
const LARGEST_NAME: u64 = 64 * 1024;

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
        let common = match read_text(&own.join("commondir"), LARGEST_NAME) {
            Some(text) => own.join(text.trim()),
            None => own.clone(),
        };
        Some(Repository { root, own, common, end: Instant::now() + LONGEST })
    }

    /// The repository in a folder, which may have no work tree.
    fn within(folder: &Path) -> Option<Repository> {
        let is_bare = folder.join("HEAD").is_file() && folder.join("objects").is_dir();
        if folder.join(".git").symlink_metadata().is_ok() || !is_bare {
            return Repository::around(folder).filter(|found| found.root == folder);
        }
        let own = folder.to_path_buf();
        Some(Repository { root: own.clone(), common: own.clone(), own, end: Instant::now() + LONGEST })
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

/// The branch that is checked out in the work tree around `directory`.
#[must_use]
pub fn branch(directory: &Path) -> Branch {
    let Some(root) = repository_root(directory) else { return Branch::None };
    let head = git_directory(&root).and_then(|own| read_text(&own.join("HEAD"), LARGEST_NAME));
    head.map_or(Branch::Unknown, |head| head_of(head.trim()))
}

/// What a head says. Where references are in one table (`git init --ref-format=reftable`), it names a branch that no
/// repository can have.
fn head_of(head: &str) -> Branch {
    let is_name = |name: &&str| !name.is_empty() && !name.split('/').any(|part| part.starts_with('.'));
    match head.strip_prefix("ref:").map(str::trim_start) {
        Some(name) if name.starts_with("refs/heads/") => {
            let name = name.strip_prefix("refs/heads/").filter(is_name);
            name.map_or(Branch::Unknown, |name| Branch::Named(name.to_owned()))
        }
        Some(name) if name.starts_with("refs/") => Branch::None,
        None if matches!(head.len(), 40 | 64) && head.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Branch::None
        }
        _ => Branch::Unknown,
    }
}

/// `.git` itself, or what the file `.git` of a linked work tree or submodule points to.
fn git_directory(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = read_text(&dot_git, LARGEST_NAME)?;
    Some(root.join(text.trim().strip_prefix("gitdir: ")?))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn named(name: &str) -> Branch {
        Branch::Named(name.to_owned())
    }

    #[test]
    fn a_head_that_cannot_be_told_is_not_taken_for_a_detached_one() {
        for (head, expected) in [
            ("ref: refs/heads/main", named("main")),
            ("ref:refs/heads/feature/x", named("feature/x")),
            ("ref: refs/heads/.invalid", Branch::Unknown),
            ("ref: refs/heads/", Branch::Unknown),
            ("ref: refs/remotes/origin/main", Branch::None),
            ("0123456789abcdef0123456789abcdef01234567", Branch::None),
            ("0123456789abcdef", Branch::Unknown),
            ("", Branch::Unknown),
            ("garbage", Branch::Unknown),
        ] {
            assert_eq!(head_of(head), expected, "{head}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_head_that_is_a_pipe_a_device_or_far_too_large_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let git = folder.path().join(".git");
        fs::create_dir_all(&git).unwrap();
        let start = Instant::now();
        assert_eq!(branch(folder.path()), Branch::Unknown, "missing");
        std::os::unix::fs::symlink("/dev/zero", git.join("HEAD")).unwrap();
        assert_eq!(branch(folder.path()), Branch::Unknown);
        fs::remove_file(git.join("HEAD")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(git.join("HEAD")).status().unwrap().success());
        assert_eq!(branch(folder.path()), Branch::Unknown);
        fs::remove_file(git.join("HEAD")).unwrap();
        fs::File::create(git.join("HEAD")).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(branch(folder.path()), Branch::Unknown);
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn the_branch_is_found_from_a_subdirectory_and_through_a_linked_work_tree() {
        let folder = tempfile::tempdir().unwrap();
        let main = folder.path().join("main");
        fs::create_dir_all(main.join(".git/worktrees/side")).unwrap();
        fs::create_dir_all(main.join("src/deep")).unwrap();
        fs::write(main.join(".git/HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        assert_eq!(branch(&main.join("src/deep")), named("feature/x"));

        let side = folder.path().join("side");
        fs::create_dir_all(&side).unwrap();
        fs::write(side.join(".git"), format!("gitdir: {}\n", main.join(".git/worktrees/side").display()))
            .unwrap();
        fs::write(main.join(".git/worktrees/side/HEAD"), "ref: refs/heads/side\n").unwrap();
        assert_eq!(branch(&side), named("side"));

        fs::write(main.join(".git/HEAD"), "0123456789abcdef0123456789abcdef01234567\n").unwrap();
        assert_eq!(branch(&main), Branch::None);
    }
}
