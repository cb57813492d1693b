//! The index: which files git knows, and how they looked when it last looked at them.

use super::{Id, number};

/// The largest index that is read.
pub(super) const LARGEST: u64 = 8 * 1024 * 1024;

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
}

/// The entries of an index of version 2 to 4; `None` where it is another or broken. Names that are no text are left out.
pub(super) fn entries(index: &[u8]) -> Option<Vec<Entry>> {
    let rest = index.strip_prefix(b"DIRC")?;
    let (version, rest) = number(rest)?;
    let (count, mut rest) = number(rest)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut entries = Vec::new();
    let mut name: Vec<u8> = Vec::new();
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
        if let Ok(path) = std::str::from_utf8(&name) {
            let kind = mode & 0o170_000;
            entries.push(Entry {
                path: path.to_owned(),
                id: *id,
                size,
                modified: (seconds, nanoseconds),
                here: !skipped && matches!(kind, 0o100_000 | 0o120_000),
                link: kind == 0o120_000,
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
