//! What a work tree has that git has not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use hookgate_effects::Taken;
use hookgate_engine::{Count, Untracked};
use hookgate_rules::Addition;
use sha1::{Digest, Sha1};

use crate::regular::read_regular;

use super::ignored::Ignored;
use super::index::{Entry, LARGEST, LARGEST_PATHS, entries, left};
use super::objects::{Kind, Objects};
use super::references::Commit;
use super::{Id, Repository};

/// The largest file whose content is compared.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;
/// The most files that are looked at.
const MOST_FILES: usize = 20_000;
/// The most directories of the last commit that are read.
const MOST_TREES: usize = 500;

/// The files that git knows, below the root of the work tree.
pub(crate) fn tracked(directory: &Path) -> Option<BTreeSet<String>> {
    let repository = Repository::around(directory)?;
    Some(index(&repository)?.into_iter().map(|entry| entry.path).collect())
}

/// The files below these paths, or all, that differ from the index, or from the last commit.
pub(crate) fn changed(directory: &Path, paths: &[String], since_commit: bool) -> Option<Count> {
    let repository = Repository::around(directory)?;
    let known = index(&repository)?;
    let places = below(&repository, paths)?;
    let is_meant = |path: &str| places.iter().any(|place| within(path, place));
    let mut different: BTreeSet<&str> = BTreeSet::new();
    let mut more = false;
    for (number, entry) in known.iter().filter(|entry| entry.here && is_meant(&entry.path)).enumerate() {
        if number >= MOST_FILES || (number % 32 == 0 && repository.is_late()) {
            more = true;
            break;
        }
        if differs(&repository.root, entry) {
            different.insert(&entry.path);
        }
    }
    let committed = if since_commit { committed(&repository) } else { Some(BTreeMap::new()) };
    let committed = committed.unwrap_or_else(|| {
        more = true;
        BTreeMap::new()
    });
    if since_commit && !more {
        for entry in known.iter().filter(|entry| is_meant(&entry.path)) {
            if committed.get(&entry.path) != Some(&entry.id) {
                different.insert(&entry.path);
            }
        }
        let here: BTreeSet<&str> = known.iter().map(|entry| entry.path.as_str()).collect();
        let gone = committed.keys().filter(|path| is_meant(path) && !here.contains(path.as_str()));
        different.extend(gone.map(String::as_str));
    }
    Some(Count { number: different.len(), more, about: None })
}

/// The files that differ from the index, but for those with conflicts.
pub(crate) fn beside_merge(directory: &Path) -> Option<Count> {
    let repository = Repository::around(directory)?;
    let known = index(&repository)?;
    let mut found = Count { number: 0, more: false, about: None };
    for (number, entry) in known.iter().filter(|entry| entry.here && !entry.conflict).enumerate() {
        if number >= MOST_FILES || (number % 32 == 0 && repository.is_late()) {
            found.more = true;
            break;
        }
        if differs(&repository.root, entry) {
            found.number += 1;
        }
    }
    Some(found)
}

/// The files below these paths, or all, that git does not know and would clean.
pub(crate) fn untracked(directory: &Path, paths: &[String], what: Untracked) -> Option<Count> {
    let repository = Repository::around(directory)?;
    let known: BTreeSet<String> = index(&repository)?.into_iter().map(|entry| entry.path).collect();
    let places = below(&repository, paths)?;
    let mut number = 0;
    let whole = each_untracked(&repository, &known, &places, what, &mut |_| number += 1);
    Some(Count { number, more: !whole, about: None })
}

/// The files below these paths, or all, that `git add` would take: changed ones, and new ones that aren't ignored unless only
/// known ones are meant. `None` where they are too many to be looked at.
pub(crate) fn additions(directory: &Path, paths: &[String], only_known: bool) -> Option<Vec<Addition>> {
    let repository = Repository::around(directory)?;
    // Before anything was put into it, a repository has none.
    let is_new = !repository.own.join("index").exists();
    let entries = if is_new { Vec::new() } else { index(&repository)? };
    let places = below(&repository, paths)?;
    let mut found = Vec::new();
    for (number, entry) in entries.iter().filter(|entry| entry.here).enumerate() {
        if number >= MOST_FILES || (number % 32 == 0 && repository.is_late()) {
            return None;
        }
        let meant = places.iter().any(|place| within(&entry.path, place));
        if meant && differs(&repository.root, entry) {
            found.push(entry.path.clone());
        }
    }
    if !only_known {
        let known: BTreeSet<String> = entries.into_iter().map(|entry| entry.path).collect();
        let what = Untracked { ignored: false, others: true, directories: true };
        if !each_untracked(&repository, &known, &places, what, &mut |path| found.push(path)) {
            return None;
        }
    }
    let addition = |path: String| {
        let path = repository.root.join(path);
        // A file that is gone is staged as gone.
        let size = path.symlink_metadata().map_or(0, |metadata| metadata.len());
        Some(Addition { path: path.to_str()?.to_owned(), size })
    };
    Some(found.into_iter().filter_map(addition).collect())
}

/// Does the index differ from the last commit? `None` where it can't be told, and in the middle of a merge, which may be committed
/// without a change.
pub(crate) fn has_staged(directory: &Path) -> Option<bool> {
    let repository = Repository::around(directory)?;
    let unfinished = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
    if unfinished.iter().any(|name| repository.own.join(name).exists()) {
        return None;
    }
    let entries = match repository.own.join("index").symlink_metadata() {
        Ok(_) => index(&repository)?,
        Err(_) => Vec::new(),
    };
    let committed = committed(&repository)?;
    let same = entries.len() == committed.len()
        && entries.iter().all(|entry| committed.get(&entry.path) == Some(&entry.id));
    Some(!same)
}

/// The files that the index holds otherwise than the last commit, or that are gone from the work tree; below the root.
pub(super) fn waiting(repository: &Repository) -> Option<BTreeSet<String>> {
    let committed = committed(repository)?;
    let is_new = |entry: &Entry| {
        committed.get(&entry.path) != Some(&entry.id)
            || repository.root.join(&entry.path).symlink_metadata().is_err()
    };
    Some(index(repository)?.into_iter().filter(is_new).map(|entry| entry.path).collect())
}

/// The files that the index holds otherwise than the last commit and the work tree; below the root.
pub(super) fn staged(repository: &Repository) -> Option<BTreeSet<String>> {
    let committed = committed(repository)?;
    let other = index(repository)?.into_iter().filter(|entry| committed.get(&entry.path) != Some(&entry.id));
    let mut found = BTreeSet::new();
    for entry in other {
        if repository.is_late() {
            return None;
        }
        if differs(&repository.root, &entry) {
            found.insert(entry.path);
        }
    }
    Some(found)
}

/// The hidden files that git takes out of the work tree: those that aren't as in the last commit, and of those that it doesn't know
/// the ones that are meant. `None` where it can't be told.
pub(super) fn taken(repository: &Repository, what: Taken) -> Option<BTreeSet<String>> {
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    let entries = if repository.own.join("index").exists() { index(repository)? } else { Vec::new() };
    let mut found = BTreeSet::new();
    let hidden: Vec<&Entry> = entries.iter().filter(|entry| is_hidden(&entry.path)).collect();
    let committed = if hidden.is_empty() { BTreeMap::new() } else { committed(repository)? };
    for entry in hidden {
        if repository.is_late() {
            return None;
        }
        if committed.get(&entry.path) != Some(&entry.id) || differs(&repository.root, entry) {
            found.insert(entry.path.clone());
        }
    }
    if what != Taken::Known {
        let known: BTreeSet<String> = entries.into_iter().map(|entry| entry.path).collect();
        let what = Untracked { ignored: what == Taken::Ignored, others: true, directories: true };
        let mut note = |path: String| {
            if is_hidden(&path) {
                found.insert(path);
            }
        };
        if !each_untracked(repository, &known, &[String::new()], what, &mut note) {
            return None;
        }
    }
    Some(found)
}

/// Each file below these places that git does not know. Says whether all of them were met.
fn each_untracked(
    repository: &Repository,
    known: &BTreeSet<String>,
    places: &[String],
    what: Untracked,
    found: &mut dyn FnMut(String),
) -> bool {
    let mut seen = 0;
    let mut folders = vec![(String::new(), Ignored::of(repository), false, false)];
    while let Some((folder, mut ignored, is_new, is_ignored)) = folders.pop() {
        ignored.add(&repository.root.join(&folder).join(".gitignore"), &folder);
        for item in fs::read_dir(repository.root.join(&folder)).into_iter().flatten().filter_map(Result::ok) {
            seen += 1;
            if seen > MOST_FILES || repository.is_late() {
                return false;
            }
            let name = item.file_name();
            let (Some(name), Ok(kind)) = (name.to_str(), item.file_type()) else { continue };
            if name == ".git" {
                continue;
            }
            let path = format!("{folder}{name}");
            let is_ignored = is_ignored || ignored.has(&path, kind.is_dir());
            if kind.is_dir() {
                let inside = format!("{path}/");
                let first = known.range(inside.clone()..).next();
                let is_new = is_new || !first.is_some_and(|first| first.starts_with(&inside));
                // A repository of its own is left alone, and so is what is not on the way.
                let own = item.path().join(".git").exists();
                let meant = places.iter().any(|place| within(&path, place) || within(place, &path));
                if meant && !own && (!is_new || what.directories) && (!is_ignored || what.ignored || !is_new)
                {
                    folders.push((inside, ignored.clone(), is_new, is_ignored));
                }
                continue;
            }
            let meant = places.iter().any(|place| within(&path, place));
            let wanted = if is_ignored { what.ignored } else { what.others };
            if meant && wanted && !known.contains(&path) {
                found(path);
            }
        }
    }
    true
}

pub(super) fn index(repository: &Repository) -> Option<Vec<Entry>> {
    entries(&read_regular(&repository.own.join("index"), LARGEST).ok()?.bytes)
}

/// The paths, absolute, as paths below the root; the root is the empty one. `None` where one is outside.
fn below(repository: &Repository, paths: &[String]) -> Option<Vec<String>> {
    if paths.is_empty() {
        return Some(vec![String::new()]);
    }
    let relative = |path: &String| {
        let relative = Path::new(path).strip_prefix(&repository.root).ok()?;
        relative.to_str().map(|text| text.trim_end_matches('/').to_owned())
    };
    paths.iter().map(relative).collect()
}

/// Is the path the place or below it?
fn within(path: &str, place: &str) -> bool {
    place.is_empty() || path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Does the file differ from what the index says? By its size and time, and where these leave it open by its content.
fn differs(root: &Path, entry: &Entry) -> bool {
    let path = root.join(&entry.path);
    let Ok(metadata) = path.symlink_metadata() else { return true };
    if metadata.is_symlink() != entry.link || metadata.is_dir() {
        return true;
    }
    // An entry without a size was noted while the file could still change.
    if entry.size != 0 && metadata.len() != u64::from(entry.size) {
        return true;
    }
    if entry.size != 0 && is_stamped(&metadata, entry.modified) {
        return false;
    }
    let content = if entry.link {
        fs::read_link(&path).ok().and_then(|target| Some(target.to_str()?.as_bytes().to_vec()))
    } else {
        read_regular(&path, LARGEST_FILE).ok().map(|file| file.bytes)
    };
    content.is_some_and(|content| blob(&content) != entry.id)
}

fn is_stamped(metadata: &Metadata, (seconds, nanoseconds): (u32, u32)) -> bool {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.is_some_and(|time| {
        // git keeps the low bits.
        time.as_secs() & 0xffff_ffff == u64::from(seconds)
            && (nanoseconds == 0 || time.subsec_nanos() == nanoseconds)
    })
}

/// The name that git gives to a content.
fn blob(content: &[u8]) -> Id {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", content.len()).as_bytes());
    hash.update(content);
    hash.finalize().into()
}

/// The files of the last commit; empty where there is none. `None` where they are too many, or their names too long.
fn committed(repository: &Repository) -> Option<BTreeMap<String, Id>> {
    let mut files = BTreeMap::new();
    let Some(head) = repository.reference("HEAD") else { return Some(files) };
    let objects = Objects::of(repository);
    let mut trees = vec![(String::new(), Commit::read(&objects, &head)?.tree?)];
    let mut read = 0;
    let mut room = LARGEST_PATHS;
    while let Some((folder, id)) = trees.pop() {
        read += 1;
        if read > MOST_TREES || repository.is_late() {
            return None;
        }
        let (Kind::Tree, bytes) = objects.read(&id)? else { return None };
        let mut rest = bytes.as_slice();
        for number in 0_usize.. {
            if rest.is_empty() {
                break;
            }
            if number % 256 == 255 && repository.is_late() {
                return None;
            }
            let blank = rest.iter().position(|byte| *byte == b' ')?;
            let (mode, after) = rest.split_at_checked(blank)?;
            let zero = after.iter().position(|byte| *byte == 0)?;
            let name = String::from_utf8_lossy(after.get(1..zero)?).into_owned();
            let (id, after) = after.get(zero + 1..)?.split_first_chunk::<20>()?;
            rest = after;
            room = left(room, folder.len() + name.len())?;
            let path = format!("{folder}{name}");
            if mode == b"40000" {
                trees.push((format!("{path}/"), *id));
            } else {
                files.insert(path, *id);
            }
        }
    }
    Some(files)
}
