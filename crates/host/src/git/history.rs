//! Which commits a change of history is about.

use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::Path;

use hookgate_engine::Count;

use super::objects::{Kind, Objects};
use super::references::Commit;
use super::{Id, Repository};

/// The most commits that are looked at.
const MOST: usize = 4_000;

/// From the side whose history changes.
const CHANGED: u8 = 1;
/// From the side that the question is about.
const ASKED: u8 = 2;
/// Of no interest, and neither is what is before it.
const KEPT: u8 = 4;

/// Commits of the current branch behind `base` that its branch at the remote has: `None` as a base is the start of history.
pub(crate) fn published(directory: &Path, base: Option<&str>) -> Option<Count> {
    let repository = Repository::around(directory)?;
    let upstream = repository.upstream(&repository.branch()?)?;
    let objects = Objects::of(&repository);
    let mut starts =
        vec![(repository.reference("HEAD")?, CHANGED), (repository.reference(&upstream)?, ASKED)];
    if let Some(base) = base {
        starts.push((repository.revision(&objects, base)?, KEPT));
    }
    walk(&repository, &objects, &starts, CHANGED | ASKED, &upstream)
}

/// Commits of the current branch that a revision has not, and their newest by the beginning of its name.
pub(crate) fn dropped(directory: &Path, target: &str) -> Option<Count> {
    let repository = Repository::around(directory)?;
    let objects = Objects::of(&repository);
    let head = repository.reference("HEAD")?;
    let starts = [(head, ASKED), (repository.revision(&objects, target)?, KEPT)];
    let newest: String = head.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    walk(&repository, &objects, &starts, ASKED, &newest)
}

/// Commits of a branch at the remote, as far as it is known here, that the local one has not.
pub(crate) fn overwritten(directory: &Path, branch: Option<&str>, source: Option<&str>) -> Option<Count> {
    let repository = Repository::around(directory)?;
    let current = repository.branch();
    let branch = branch.or(current.as_deref())?;
    let upstream = match repository.upstream(branch) {
        // The remote's default branch is a guess about another branch.
        Some(name) if !name.ends_with("/HEAD") => name,
        _ => return None,
    };
    let source = source.unwrap_or(branch);
    let objects = Objects::of(&repository);
    let starts = [(repository.reference(&upstream)?, ASKED), (repository.revision(&objects, source)?, KEPT)];
    walk(&repository, &objects, &starts, ASKED, &upstream)
}

/// Commits of branches that no other branch and no tag has; `gone` are the short names of those that keep nothing.
pub(crate) fn unmerged(
    directory: &Path,
    branches: &[String],
    gone: &[String],
    remotes: bool,
) -> Option<Count> {
    let repository = Repository::around(directory)?;
    // References that are kept in another way can't be read.
    repository.reference("HEAD")?;
    let objects = Objects::of(&repository);
    let asked: BTreeSet<Id> =
        branches.iter().filter_map(|name| repository.reference(&format!("refs/heads/{name}"))).collect();
    let keeps = |name: &str| {
        let short = ["refs/heads/", "refs/tags/"].iter().find_map(|folder| name.strip_prefix(folder));
        match short {
            Some(short) => !gone.iter().chain(branches).any(|known| known == short),
            None => remotes && name.starts_with("refs/remotes/"),
        }
    };
    let references = repository.references();
    let kept: BTreeSet<Id> = references.iter().filter(|(name, _)| keeps(name)).map(|(_, id)| *id).collect();
    if asked.is_subset(&kept) {
        return Some(Count { number: 0, more: false, about: None });
    }
    let starts: Vec<(Id, u8)> =
        asked.into_iter().map(|id| (id, ASKED)).chain(kept.into_iter().map(|id| (id, KEPT))).collect();
    walk(&repository, &objects, &starts, ASKED, "")
}

/// The message of the commit that a revision names.
pub(crate) fn message_of(directory: &Path, revision: &str) -> Option<String> {
    let repository = Repository::around(directory)?;
    let objects = Objects::of(&repository);
    let id = repository.revision(&objects, revision)?;
    let (Kind::Commit, bytes) = objects.read(&id)? else { return None };
    let text = String::from_utf8(bytes).ok()?;
    text.split_once("\n\n").map(|(_, message)| message.to_owned())
}

/// Counts the commits with just these marks, from the newest back to where nothing else is left.
fn walk(
    repository: &Repository,
    objects: &Objects,
    starts: &[(Id, u8)],
    counted: u8,
    upstream: &str,
) -> Option<Count> {
    let mut marks: BTreeMap<Id, u8> = BTreeMap::new();
    let mut queue: BinaryHeap<(u64, Id)> = BinaryHeap::new();
    let mut commits: BTreeMap<Id, Commit> = BTreeMap::new();
    for (id, mark) in starts {
        *marks.entry(*id).or_default() |= mark;
        let commit = Commit::read(objects, id)?;
        queue.push((commit.time, *id));
        commits.insert(*id, commit);
    }
    let mut cut = false;
    while let Some((_, id)) = queue.pop() {
        let mark = marks.get(&id).copied().unwrap_or_default();
        let Some(commit) = commits.get(&id) else { continue };
        let parents = commit.parents.clone();
        for parent in parents {
            let known = marks.entry(parent).or_default();
            let before = *known;
            *known |= mark;
            if *known == before {
                continue;
            }
            let commit = match commits.entry(parent) {
                Slot::Occupied(slot) => slot.into_mut(),
                // Without one it is the end of a shallow clone.
                Slot::Vacant(slot) => match Commit::read(objects, &parent) {
                    Some(commit) => slot.insert(commit),
                    None => continue,
                },
            };
            let time = commit.time;
            queue.push((time, parent));
        }
        // What only the kept side has left says nothing more, once it is older than all that could still be kept.
        let is_kept = |id: &Id| marks.get(id).is_some_and(|mark| mark & KEPT != 0);
        if queue.iter().all(|(_, id)| is_kept(id)) {
            let open = commits.iter().filter(|(id, _)| !is_kept(id)).map(|(_, commit)| commit.time).min();
            if queue.peek().is_none_or(|(time, _)| open.is_none_or(|oldest| *time < oldest)) {
                break;
            }
        }
        if commits.len() > MOST || repository.is_late() {
            cut = true;
            break;
        }
    }
    let number = commits.keys().filter(|id| marks.get(*id) == Some(&counted)).count();
    let shown = upstream.strip_prefix("refs/remotes/").unwrap_or(upstream).to_owned();
    Some(Count { number, more: cut, about: Some(shown) })
}
