//! How much a deleted directory holds.

use std::collections::BTreeSet;

use hookgate_effects::{Effect, EntryKind, Kind, Place, Places, Target};

use hookgate_text::{Message, say};

use crate::Host;

/// The most directory entries that are looked at for one event.
const MOST_ENTRIES: usize = 2_000;
/// The longest that counting for one event takes, in milliseconds.
const MOST_MILLISECONDS: u64 = 20;

/// The directory that an effect deletes with all that is in it. Of the system's own nobody needs a number to decide.
pub(super) fn tree(effect: &Effect) -> Option<&str> {
    match &effect.target {
        Some(Target::Path(fact))
            if effect.kind == Kind::Delete
                && effect.recursive
                && !fact.pattern
                && fact.place < Place::System =>
        {
            Some(&fact.path)
        }
        _ => None,
    }
}

/// Is the directory a repository of its own, or has it one right below it?
pub(super) fn holds_repository(root: &str, host: &dyn Host) -> bool {
    let root = root.trim_end_matches('/');
    let is_one = |directory: &str| host.entry(&format!("{directory}/.git")).is_some();
    let below = host.list(&format!("{root}/"), MOST_ENTRIES);
    is_one(root) || below.iter().any(|name| is_one(&format!("{root}/{name}")))
}

/// Is nothing at that path? What can't be looked at may be there.
pub(super) fn is_absent(path: &str, host: &dyn Host) -> bool {
    let path = path.trim_end_matches('/');
    let Some((directory, name)) = path.rsplit_once('/').filter(|(directory, _)| !directory.is_empty()) else {
        return false;
    };
    if host.entry(path).is_some() {
        return false;
    }
    match host.entry(directory) {
        None => is_absent(directory, host),
        Some(_) => {
            let names = host.list(&format!("{directory}/"), MOST_ENTRIES + 1);
            (1..=MOST_ENTRIES).contains(&names.len()) && !names.iter().any(|known| known == name)
        }
    }
}

#[derive(Default)]
struct Count {
    files: usize,
    bytes: u64,
    not_in_git: usize,
    /// Not everything was looked at.
    cut: bool,
}

pub(super) fn describe(root: &str, places: &Places, host: &dyn Host) -> Option<Message> {
    if host.entry(root)?.kind != EntryKind::Directory {
        return None;
    }
    let project = format!("{}/", places.project);
    let inside = root == places.project || root.starts_with(&project);
    let tracked = inside.then(|| host.git_tracked(&places.project)).flatten();
    let count = count(root, &project, tracked.as_ref(), host);
    if count.files == 0 {
        return None;
    }
    let files = match count.files {
        _ if count.cut => say!("more than {} files", count.files),
        1 => "1 file".into(),
        files => say!("{} files", files),
    };
    let untracked = match (&tracked, count.not_in_git) {
        (None, _) | (_, 0) => Message::default(),
        (_, number) if number == count.files && !count.cut => ", not in git".into(),
        (_, number) => say!(", {} of them not in git", number),
    };
    Some(say!("{} ({}){}", files, size(count.bytes), untracked))
}

fn count(root: &str, project: &str, tracked: Option<&BTreeSet<String>>, host: &dyn Host) -> Count {
    let mut count = Count::default();
    let end = host.now().saturating_add(MOST_MILLISECONDS);
    let mut left = MOST_ENTRIES;
    let mut directories = vec![root.trim_end_matches('/').to_owned()];
    while let Some(directory) = directories.pop() {
        if left == 0 || host.now() > end {
            count.cut = true;
            break;
        }
        let names = host.list(&format!("{directory}/"), left + 1);
        count.cut |= names.len() > left;
        for name in names.iter().take(left) {
            let path = format!("{directory}/{name}");
            match host.entry(&path) {
                Some(entry) if entry.kind == EntryKind::Directory => directories.push(path),
                Some(entry) => {
                    count.files += 1;
                    count.bytes = count.bytes.saturating_add(entry.size);
                    let relative = path.strip_prefix(project).unwrap_or(&path);
                    // What git keeps its history in is nothing that it could give back.
                    let known = tracked.is_none_or(|names| names.contains(relative));
                    if !known && !relative.starts_with(".git/") {
                        count.not_in_git += 1;
                    }
                }
                None => {}
            }
        }
        left = left.saturating_sub(names.len());
    }
    count
}

fn size(bytes: u64) -> Message {
    let mut unit = 1_000;
    for name in ["kB", "MB", "GB"] {
        if bytes >= unit && bytes < unit.saturating_mul(1_000) {
            return say!("{}.{} {}", bytes / unit, bytes % unit * 10 / unit, name);
        }
        unit = unit.saturating_mul(1_000);
    }
    if bytes < 1_000 { say!("{} bytes", bytes) } else { say!("{} GB", bytes / 1_000_000_000) }
}
