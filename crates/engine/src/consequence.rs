//! What stopped effects amount to, in numbers that a person can decide by: "347 files (12.4 MB), 12 of them not in git".
//!
//! Counting costs more than judging, so it is done after the rules, for findings that stop something only, and within
//! bounds. What is not cheap to know is not said.

use std::collections::BTreeSet;

use hookgate_effects::{Effect, Effects, EntryKind, Kind, Place, Places, Target};
use hookgate_policy::Level;

use crate::{Finding, Host};

/// The most directory entries that are looked at for one event.
const MOST_ENTRIES: usize = 2_000;
/// The longest that counting for one event takes, in milliseconds.
const MOST_MILLISECONDS: u64 = 20;
/// The largest index of git that is read.
const LARGEST_INDEX: usize = 4 * 1024 * 1024;

/// Adds to findings that stop something what their effects amount to.
pub(crate) fn add(findings: &mut [Finding], effects: &Effects, places: &Places, host: &dyn Host) {
    // What is only taken to exist can't be counted.
    if host.assume_present() {
        return;
    }
    let mut counted: Option<(usize, Option<String>)> = None;
    for finding in findings.iter_mut().filter(|finding| finding.level >= Level::Ask && finding.applies()) {
        let trees = finding.effects.iter().filter_map(|index| Some((*index, effects.effects.get(*index)?)));
        let Some((index, root)) = trees.filter_map(|(index, effect)| Some((index, tree(effect)?))).next()
        else {
            continue;
        };
        // One tree is counted for one event, however many findings are about it.
        let (_, text) = match &counted {
            Some(known) if known.0 == index => known.clone(),
            Some(_) => continue,
            None => (index, describe(root, places, host)),
        };
        if let Some(text) = &text {
            finding.message.push_str(": ");
            finding.message.push_str(text);
        }
        counted = Some((index, text));
    }
}

/// The directory that an effect deletes with all that is in it. Of the system's own nobody needs a number to decide.
fn tree(effect: &Effect) -> Option<&str> {
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

#[derive(Default)]
struct Count {
    files: usize,
    bytes: u64,
    not_in_git: usize,
    /// Not everything was looked at.
    cut: bool,
}

fn describe(root: &str, places: &Places, host: &dyn Host) -> Option<String> {
    if host.entry(root)?.kind != EntryKind::Directory {
        return None;
    }
    let project = format!("{}/", places.project);
    let inside = root == places.project || root.starts_with(&project);
    let index = inside.then(|| host.read(&format!("{project}.git/index"), LARGEST_INDEX)).flatten();
    let tracked = index.as_deref().and_then(names);
    let count = count(root, &project, tracked.as_ref(), host);
    if count.files == 0 && !count.cut {
        return None;
    }
    let files = match count.files {
        _ if count.cut => format!("more than {} files", count.files),
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    };
    let untracked = match (&tracked, count.not_in_git) {
        (None, _) | (_, 0) => String::new(),
        (_, number) if number == count.files && !count.cut => ", not in git".to_owned(),
        (_, number) => format!(", {number} of them not in git"),
    };
    Some(format!("{files} ({}){untracked}", size(count.bytes)))
}

fn count(root: &str, project: &str, tracked: Option<&BTreeSet<Vec<u8>>>, host: &dyn Host) -> Count {
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
                    let known = tracked.is_none_or(|names| names.contains(relative.as_bytes()));
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

fn size(bytes: u64) -> String {
    let mut unit = 1_000;
    for name in ["kB", "MB", "GB"] {
        if bytes >= unit && bytes < unit.saturating_mul(1_000) {
            return format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit);
        }
        unit = unit.saturating_mul(1_000);
    }
    if bytes < 1_000 { format!("{bytes} bytes") } else { format!("{} GB", bytes / 1_000_000_000) }
}

/// The names in git's index, versions 2 to 4; `None` where it is another or broken.
/// <https://git-scm.com/docs/index-format>
fn names(index: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
    /// Times, numbers and rights of the file and the name of its object, before the flags.
    const FIXED: usize = 60;
    let rest = index.strip_prefix(b"DIRC")?;
    let (version, rest) = number(rest)?;
    let (entries, mut rest) = number(rest)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut names = BTreeSet::new();
    let mut last: Vec<u8> = Vec::new();
    for _ in 0..entries {
        let start = rest;
        let flags = *start.get(FIXED)?;
        let extended = version >= 3 && flags & 0x40 != 0;
        rest = start.get(FIXED + if extended { 4 } else { 2 }..)?;
        if version == 4 {
            let (dropped, after) = offset(rest)?;
            rest = after;
            last.truncate(last.len().checked_sub(dropped)?);
        } else {
            last.clear();
        }
        let length = rest.iter().position(|byte| *byte == 0)?;
        let (name, _) = rest.split_at_checked(length)?;
        last.extend_from_slice(name);
        names.insert(last.clone());
        rest = if version == 4 {
            rest.get(length + 1..)?
        } else {
            // One to eight zero bytes fill up to a multiple of eight.
            let used = start.len().checked_sub(rest.len())? + length;
            start.get((used + 8) & !7..)?
        };
    }
    Some(names)
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_be_bytes(*number), rest))
}

/// A number in the encoding of pack offsets.
fn offset(mut bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    loop {
        let (first, rest) = bytes.split_first()?;
        bytes = rest;
        value = value.checked_add(usize::from(first & 0x7f))?;
        if first & 0x80 == 0 {
            return Some((value, bytes));
        }
        value = value.checked_add(1)?.checked_mul(128)?;
    }
}
