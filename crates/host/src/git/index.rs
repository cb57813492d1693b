//! The index: which files git knows, and how they looked when it last looked at them.

use super::{Id, number};

/// The largest index that is read.
pub(super) const LARGEST: u64 = 8 * 1024 * 1024;

/// The longest path that is held, in bytes: the longest that systems open.
pub(super) const LONGEST_PATH: usize = 4_096;
/// How much all paths may hold together. Version 4 and trees write once what many paths begin with, so a small file can stand
/// for far more.
pub(super) const LARGEST_PATHS: usize = 16 * 1024 * 1024;

/// A file that git knows.
#[derive(Debug)]
pub(super) struct Entry {
    /// Below the root of the work tree.
    pub(super) path: String,
    pub(super) id: Id,
    pub(super) size: u32,
    /// When it was changed: seconds, nanoseconds (0 where git did not note them).
    pub(super) modified: (u32, u32),
    /// It is a file or a link that is to be in the work tree.
    pub(super) here: bool,
    /// It is a link.
    pub(super) link: bool,
    /// It is another repository.
    pub(super) repository: bool,
    /// It is one side of a conflict.
    pub(super) conflict: bool,
}

/// The entries of an index of version 2 to 4; `None` where it is another or broken, or its names are too long. Names that are no text are left out.
pub(super) fn entries(index: &[u8]) -> Option<Vec<Entry>> {
    let rest = index.strip_prefix(b"DIRC")?;
    let (version, rest) = number(rest)?;
    let (count, mut rest) = number(rest)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut entries = Vec::new();
    let mut name: Vec<u8> = Vec::new();
    let mut room = LARGEST_PATHS;
    for _ in 0..count {
        let start = rest;
        let (_, after) = start.split_at_checked(8)?;
        let (seconds, after) = number(after)?;
        let (nanoseconds, after) = number(after)?;
        let (_, after) = after.split_at_checked(8)?;
        let (mode, after) = number(after)?;
        let (_, after) = after.split_at_checked(8)?;
        let (size, after) = number(after)?;
        let (id, after) = after.split_first_chunk::<20>()?;
        let (flags, mut after) = after.split_first_chunk::<2>()?;
        let flags = u16::from_be_bytes(*flags);
        let mut skipped = flags & 0x8000 != 0;
        if version >= 3 && flags & 0x4000 != 0 {
            let (extended, more) = after.split_first_chunk::<2>()?;
            // Not in the work tree, or only announced.
            skipped |= u16::from_be_bytes(*extended) & 0x6000 != 0;
            after = more;
        }
        if version == 4 {
            let (dropped, more) = offset(after)?;
            after = more;
            name.truncate(name.len().checked_sub(dropped)?);
        } else {
            name.clear();
        }
        let length = after.iter().position(|byte| *byte == 0)?;
        let (tail, more) = after.split_at_checked(length)?;
        name.extend_from_slice(tail);
        room = left(room, name.len())?;
        if let Ok(path) = std::str::from_utf8(&name) {
            let kind = mode & 0o170_000;
            entries.push(Entry {
                path: path.to_owned(),
                id: *id,
                size,
                modified: (seconds, nanoseconds),
                here: !skipped && matches!(kind, 0o100_000 | 0o120_000),
                link: kind == 0o120_000,
                repository: kind == 0o160_000,
                conflict: flags & 0x3000 != 0,
            });
        }
        rest = if version == 4 {
            more.get(1..)?
        } else {
            // One to eight zero bytes fill up to a multiple of eight.
            let used = start.len().checked_sub(more.len())?;
            start.get((used + 8) & !7..)?
        };
    }
    Some(entries)
}

/// How much room for paths is left after one more; `None` where it is too long.
pub(super) fn left(room: usize, path: usize) -> Option<usize> {
    if path > LONGEST_PATH { None } else { room.checked_sub(path) }
}

/// A number in the encoding of pack offsets.
pub(super) fn offset(mut bytes: &[u8]) -> Option<(usize, &[u8])> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of version 4 with one name, and then others that only repeat it.
    fn repeated(name: usize, count: u32) -> Vec<u8> {
        let mut index = [b"DIRC".as_slice(), &4_u32.to_be_bytes(), &count.to_be_bytes()].concat();
        for number in 0..count {
            index.extend([0; 24]);
            index.extend(0o100_644_u32.to_be_bytes());
            index.extend([0; 34]);
            // Nothing of the name before is dropped.
            index.push(0);
            index.extend(vec![b'a'; if number == 0 { name } else { 0 }]);
            index.push(0);
        }
        index
    }

    #[test]
    fn a_small_index_does_not_stand_for_names_without_end() {
        assert_eq!(entries(&repeated(LONGEST_PATH, 4_096)).unwrap().len(), 4_096);
        assert!(entries(&repeated(LONGEST_PATH, 4_097)).is_none());
        assert!(entries(&repeated(LONGEST_PATH + 1, 1)).is_none());
    }
}
