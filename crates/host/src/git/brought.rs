//! The files that a step of git puts into the work tree.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::Path;

use hookgate_effects::Step;

use super::changes::{staged, taken, waiting};
use super::index::{LARGEST_PATHS, left};
use super::objects::{Kind, Objects, identifier};
use super::references::Commit;
use super::{Id, Repository};
use crate::regular::read_text;

/// The most trees that are read.
const MOST_TREES: usize = 4_000;
/// The most files that are named.
const MOST_FILES: usize = 4_096;
/// The most commits that are looked at for the one where two parted.
const MOST_COMMITS: usize = 4_000;
/// The largest log of references that is read.
const LARGEST_LOG: u64 = 1024 * 1024;

/// The files, absolute; `None` where the commits can't be read in time, or are not there.
pub(crate) fn brought(directory: &Path, by: Step<'_>) -> Option<Vec<String>> {
    let repository = Repository::around(directory)?;
    let absolute = |file: &String| repository.root.join(file).to_str().map(str::to_owned);
    if by == Step::Index {
        return waiting(&repository)?.iter().map(absolute).collect();
    }
    if by == Step::Staged {
        return staged(&repository)?.iter().map(absolute).collect();
    }
    if let Step::Any { joined } = by {
        return any(&repository, joined)?.iter().map(absolute).collect();
    }
    if let Step::Away(what) = by {
        return taken(&repository, what)?.iter().map(absolute).collect();
    }
    let mut objects = Objects::of(&repository);
    let pulled = match by {
        Step::Pulled { source, name } => Some(pulled(&repository, &mut objects, source, name)?),
        _ => None,
    };
    let head = || repository.reference("HEAD");
    let pairs = match by {
        Step::To("-") => {
            let before = before(&repository)?;
            vec![(Some(head()?), repository.revision(&objects, &before)?)]
        }
        Step::To(name) => vec![(Some(head()?), named(&repository, &objects, name)?)],
        Step::Onto(name) => {
            let (here, there) = (head()?, named(&repository, &objects, name)?);
            vec![(Some(parting(&repository, &objects, here, there)?), there)]
        }
        Step::Of(name) => {
            let commit = named(&repository, &objects, name)?;
            vec![(Some(*Commit::read(&objects, &commit)?.parents.first()?), commit)]
        }
        Step::Stash(number) => {
            let stash = stashed(&repository, number)?;
            let parents = Commit::read(&objects, &stash)?.parents;
            let mut pairs = vec![(Some(*parents.first()?), stash)];
            // What git didn't know is a commit of its own, without one before it.
            pairs.extend(parents.get(2).map(|untracked| (None, *untracked)));
            pairs
        }
        Step::Whole(name) => vec![(None, named(&repository, &objects, name)?)],
        Step::Pulled { .. } => match pulled {
            // Without a commit here, or one that both have, it is all that is there.
            Some(there) => {
                let parted = head().and_then(|here| parting(&repository, &objects, here, there));
                vec![(parted.or_else(head), there)]
            }
            None => Vec::new(),
        },
        Step::Index | Step::Staged | Step::Any { .. } | Step::Away(_) => Vec::new(),
    };
    let mut files = BTreeSet::new();
    for (from, to) in pairs {
        let old = match from {
            Some(from) => Some(Commit::read(&objects, &from)?.tree?),
            None => None,
        };
        different(&repository, &objects, old, Commit::read(&objects, &to)?.tree?, &mut files)?;
    }
    files.iter().map(absolute).collect()
}

/// What the commits bring that have names here. What can't be read, or not in time, is left out: each of them is only a guess.
fn any(repository: &Repository, joined: bool) -> Option<BTreeSet<String>> {
    let objects = Objects::of(repository);
    let here = repository.reference("HEAD")?;
    let mut files = BTreeSet::new();
    let mut trees = BTreeSet::new();
    for there in repository.names() {
        if repository.is_late() || files.len() > MOST_FILES {
            break;
        }
        let from = if joined { parting(repository, &objects, here, there) } else { Some(here) };
        let tree = |id: Id| Commit::read(&objects, &id)?.tree;
        let (old, new) = (tree(from.unwrap_or(here)), tree(there));
        if let Some(new) = new.filter(|_| old != new && trees.insert((old, new))) {
            // What was found of it until then counts.
            let _ = different(repository, &objects, old, new, &mut files);
        }
    }
    Some(files)
}

/// The commit of that name; a branch that only the remote has gets a local one.
fn named(repository: &Repository, objects: &Objects, name: &str) -> Option<Id> {
    repository
        .revision(objects, name)
        .or_else(|| repository.reference(&format!("refs/remotes/origin/{name}")))
}

/// The commit that a pull would join with: of a repository on this machine as it is now, else what was fetched last.
fn pulled(repository: &Repository, objects: &mut Objects, source: &str, name: &str) -> Option<Id> {
    let branch = repository.branch().unwrap_or_default();
    let upstream = repository.upstream(&branch);
    let usual = upstream.as_deref().and_then(|upstream| upstream.strip_prefix("refs/remotes/"));
    let (remote, theirs) = usual.and_then(|usual| usual.split_once('/')).unwrap_or(("origin", &branch));
    let source = if source.is_empty() { remote } else { source };
    let name = name.strip_prefix("refs/heads/").unwrap_or(name);
    let Some(folder) = repository.folder_of(source) else {
        let name = if name.is_empty() { theirs } else { name };
        return repository.reference(&format!("refs/remotes/{source}/{name}"));
    };
    let other = Repository::within(&folder)?;
    objects.add(&other);
    match name {
        "" if source == remote => {
            other.reference(&format!("refs/heads/{theirs}")).or_else(|| other.reference("HEAD"))
        }
        "" => other.reference("HEAD"),
        name => other.revision(objects, name),
    }
}

/// The branch or commit that was checked out before.
fn before(repository: &Repository) -> Option<String> {
    let log = read_text(&repository.own.join("logs/HEAD"), LARGEST_LOG)?;
    let line = log.lines().rev().find_map(|line| line.split_once("\tcheckout: moving from "))?;
    Some(line.1.split_once(" to ")?.0.to_owned())
}

fn stashed(repository: &Repository, number: usize) -> Option<Id> {
    if number == 0 {
        return repository.reference("refs/stash");
    }
    let log = read_text(&repository.common.join("logs/refs/stash"), LARGEST_LOG)?;
    identifier(log.lines().rev().nth(number)?.split(' ').nth(1)?)
}

/// The newest commit that is before both.
fn parting(repository: &Repository, objects: &Objects, one: Id, other: Id) -> Option<Id> {
    const BOTH: u8 = 3;
    let mut marks: BTreeMap<Id, u8> = BTreeMap::new();
    let mut queue: BinaryHeap<(u64, Id)> = BinaryHeap::new();
    for (id, mark) in [(one, 1), (other, 2)] {
        *marks.entry(id).or_default() |= mark;
        queue.push((Commit::read(objects, &id)?.time, id));
    }
    while let Some((_, id)) = queue.pop() {
        let mark = marks.get(&id).copied().unwrap_or_default();
        if mark == BOTH {
            return Some(id);
        }
        if marks.len() > MOST_COMMITS || repository.is_late() {
            return None;
        }
        for parent in Commit::read(objects, &id)?.parents {
            let known = marks.entry(parent).or_default();
            let old = *known;
            *known |= mark;
            if *known != old {
                queue.push((Commit::read(objects, &parent)?.time, parent));
            }
        }
    }
    None
}

/// Adds the files in which two trees differ. What is alike is not opened.
fn different(
    repository: &Repository,
    objects: &Objects,
    old: Option<Id>,
    new: Id,
    files: &mut BTreeSet<String>,
) -> Option<()> {
    let mut trees = vec![(String::new(), old, Some(new))];
    let mut read = 0;
    let mut room = LARGEST_PATHS;
    while let Some((folder, old, new)) = trees.pop() {
        read += 1;
        if read > MOST_TREES || files.len() > MOST_FILES || repository.is_late() {
            return None;
        }
        let entries = |tree: Option<Id>| tree.map_or(Some(BTreeMap::new()), |id| entries(objects, &id));
        let (old, new) = (entries(old)?, entries(new)?);
        for (number, name) in old.keys().chain(new.keys()).collect::<BTreeSet<_>>().into_iter().enumerate() {
            if number % 256 == 255 && repository.is_late() {
                return None;
            }
            let (before, after) = (old.get(name), new.get(name));
            if before == after {
                continue;
            }
            let tree = |entry: Option<&Entry>| entry.filter(|entry| entry.is_tree).map(|entry| entry.id);
            room = left(room, folder.len() + name.len())?;
            let path = format!("{folder}{name}");
            if [before, after].into_iter().flatten().any(|entry| !entry.is_tree) {
                files.insert(path.clone());
            }
            if tree(before).is_some() || tree(after).is_some() {
                trees.push((format!("{path}/"), tree(before), tree(after)));
            }
        }
    }
    Some(())
}

#[derive(PartialEq)]
struct Entry {
    is_tree: bool,
    mode: Vec<u8>,
    id: Id,
}

fn entries(objects: &Objects, tree: &Id) -> Option<BTreeMap<String, Entry>> {
    let (Kind::Tree, bytes) = objects.read(tree)? else { return None };
    let mut entries = BTreeMap::new();
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let blank = rest.iter().position(|byte| *byte == b' ')?;
        let (mode, after) = rest.split_at_checked(blank)?;
        let zero = after.iter().position(|byte| *byte == 0)?;
        let name = String::from_utf8_lossy(after.get(1..zero)?).into_owned();
        let (id, after) = after.get(zero + 1..)?.split_first_chunk::<20>()?;
        rest = after;
        entries.insert(name, Entry { is_tree: mode == b"40000", mode: mode.to_vec(), id: *id });
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    fn git(folder: &Path, words: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"])
            .args(words)
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn names(folder: &Path, by: Step<'_>) -> Option<Vec<String>> {
        let root = format!("{}/", folder.display());
        let files = brought(folder, by)?;
        Some(files.iter().map(|file| file.strip_prefix(&root).unwrap().to_owned()).collect())
    }

    fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A commit whose folder has a long name and many files in it.
    fn long_paths(folder: &Path, name: usize, files: usize) {
        git(folder, &["init", "-q"]);
        write(folder, "x", "1");
        git(folder, &["add", "."]);
        git(folder, &["commit", "-qm", "one"]);
        let content = git_with(folder, &["hash-object", "-w", "--stdin"], "1");
        let line = |number| format!("100644 blob {content}\t{number:05}\n");
        let inner = git_with(folder, &["mktree"], &(0..files).map(line).collect::<String>());
        let outer = format!("040000 tree {inner}\t{}\n", "a".repeat(name));
        let outer = git_with(folder, &["mktree"], &outer);
        let commit = git_with(folder, &["commit-tree", "-p", "HEAD", "-m", "two", &outer], "");
        git(folder, &["update-ref", "refs/heads/long", &commit]);
    }

    fn git_with(folder: &Path, words: &[&str], input: &str) -> String {
        use std::io::Write as _;
        let mut git = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(words)
            .current_dir(folder)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        git.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        String::from_utf8(git.wait_with_output().unwrap().stdout).unwrap().trim().to_owned()
    }

    #[test]
    fn a_small_tree_does_not_stand_for_paths_without_end() {
        for (name, files, is_read) in [(2_000, 9, true), (5_000, 1, false), (4_000, 5_000, false)] {
            let folder = tempfile::tempdir().unwrap();
            long_paths(folder.path(), name, files);
            let found = brought(folder.path(), Step::Of("long"));
            assert_eq!(found.is_some(), is_read, "{name} {files}");
            git(folder.path(), &["update-ref", "HEAD", "refs/heads/long"]);
            let staged = super::super::changes::has_staged(folder.path());
            assert_eq!(staged, is_read.then_some(true), "{name} {files}");
        }
    }

    #[test]
    fn a_step_brings_what_differs_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        git(folder, &["init", "-q"]);
        write(folder, "a", "1");
        write(folder, "deep/er/b", "1");
        git(folder, &["add", "."]);
        git(folder, &["commit", "-qm", "one"]);
        git(folder, &["switch", "-qc", "side"]);
        write(folder, "deep/er/c", "1");
        write(folder, ".hidden/d", "1");
        git(folder, &["add", "-A"]);
        git(folder, &["commit", "-qm", "two"]);
        git(folder, &["switch", "-q", "main"]);
        write(folder, "a", "2");
        git(folder, &["commit", "-qam", "three"]);
        write(folder, "a", "3");
        write(folder, "new", "1");
        git(folder, &["stash", "-qu"]);
        for packed in [false, true] {
            if packed {
                git(folder, &["gc", "-q"]);
            }
            let side = [".hidden/d", "deep/er/c"];
            for by in [Step::Onto("side"), Step::Of("side"), Step::Of("side~0")] {
                assert_eq!(names(folder, by).unwrap(), side, "{by:?} {packed}");
            }
            for by in [Step::To("side"), Step::To("-")] {
                assert_eq!(names(folder, by).unwrap(), [".hidden/d", "a", "deep/er/c"], "{by:?} {packed}");
            }
            assert_eq!(names(folder, Step::Stash(0)).unwrap(), ["a", "new"], "{packed}");
            assert_eq!(names(folder, Step::To("main")).unwrap(), Vec::<String>::new(), "{packed}");
            let any = names(folder, Step::Any { joined: true }).unwrap();
            assert_eq!(any, [".hidden/d", "a", "deep/er/c"], "{packed}");
        }
        assert_eq!(names(folder, Step::Staged).unwrap(), Vec::<String>::new());
        assert_eq!(names(folder, Step::Index).unwrap(), Vec::<String>::new());
        git(folder, &["read-tree", "side"]);
        assert_eq!(names(folder, Step::Index).unwrap(), [".hidden/d", "a", "deep/er/c"]);
        assert_eq!(names(folder, Step::Staged).unwrap(), [".hidden/d", "a", "deep/er/c"]);
        for by in [Step::To("none"), Step::Of("main~9"), Step::Stash(3)] {
            assert_eq!(names(folder, by), None, "{by:?}");
        }
        assert_eq!(brought(Path::new("/"), Step::To("main")), None);
    }
}
