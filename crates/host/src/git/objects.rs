//! Commits and trees, loose or packed.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::index::offset;
use super::{Id, Repository, number};

/// The largest object that is read.
const LARGEST: usize = 1024 * 1024;
/// The longest chain of differences that is followed.
const LONGEST_CHAIN: u32 = 60;
/// The most packs that are looked at.
const MOST_PACKS: usize = 32;

/// Reads objects.
pub(super) struct Objects {
    folders: Vec<PathBuf>,
    packs: Vec<Pack>,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Commit,
    Tree,
    Tag,
    Other,
}

struct Pack {
    index: File,
    data: PathBuf,
    /// How many objects begin with a byte up to each one.
    fanout: Vec<u32>,
}

impl Objects {
    pub(super) fn of(repository: &Repository) -> Objects {
        let mut objects = Objects { folders: Vec::new(), packs: Vec::new() };
        objects.add(repository);
        objects
    }

    /// Reads those of another repository, too.
    pub(super) fn add(&mut self, repository: &Repository) {
        let folder = repository.common.join("objects");
        let names = fs::read_dir(folder.join("pack")).into_iter().flatten().filter_map(Result::ok);
        let indexes =
            names.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "idx"));
        self.packs.extend(indexes.take(MOST_PACKS).filter_map(|path| Pack::open(&path)));
        self.folders.push(folder);
    }

    /// The kind and content of an object.
    pub(super) fn read(&self, id: &Id) -> Option<(Kind, Vec<u8>)> {
        self.loose(id).or_else(|| self.packed(id, 0))
    }

    fn loose(&self, id: &Id) -> Option<(Kind, Vec<u8>)> {
        let name = hexadecimal(id);
        let (folder, file) = name.split_at_checked(2)?;
        let mut packed = Vec::new();
        let file = self.folders.iter().find_map(|objects| open(&objects.join(folder).join(file)))?;
        file.take(LARGEST as u64).read_to_end(&mut packed).ok()?;
        let whole = decompress_to_vec_zlib_with_limit(&packed, LARGEST).ok()?;
        let end = whole.iter().position(|byte| *byte == 0)?;
        let kind = match whole.get(..end)?.split(|byte| *byte == b' ').next()? {
            b"commit" => Kind::Commit,
            b"tree" => Kind::Tree,
            b"tag" => Kind::Tag,
            _ => Kind::Other,
        };
        Some((kind, whole.get(end + 1..)?.to_vec()))
    }

    fn packed(&self, id: &Id, depth: u32) -> Option<(Kind, Vec<u8>)> {
        self.packs.iter().find_map(|pack| pack.at(self, pack.find(id)?, depth))
    }

    /// The one object whose name begins with these digits; `None` where there are none or several.
    pub(super) fn abbreviated(&self, digits: &str) -> Option<Id> {
        let (folder, rest) = digits.split_at_checked(2)?;
        let mut found: Vec<Id> = Vec::new();
        let folders = self.folders.iter().filter_map(|objects| fs::read_dir(objects.join(folder)).ok());
        for entry in folders.flatten().filter_map(Result::ok) {
            let name = entry.file_name();
            if let Some(name) = name.to_str().filter(|name| name.starts_with(rest)) {
                found.extend(identifier(&format!("{folder}{name}")));
            }
        }
        let first = u8::from_str_radix(folder, 16).ok()?;
        for pack in &self.packs {
            let (from, to) = pack.range(first)?;
            for position in from..to.min(from.saturating_add(4_096)) {
                let id = pack.id(position)?;
                if hexadecimal(&id).starts_with(digits) {
                    found.push(id);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        match found.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}

/// Opens a regular file; anything else would be waited for.
fn open(path: &Path) -> Option<File> {
    path.metadata().ok()?.is_file().then(|| File::open(path).ok())?
}

impl Pack {
    fn open(path: &Path) -> Option<Pack> {
        let index = open(path)?;
        let head = bytes_at(&index, 0, 8 + 1024)?;
        let mut rest = head.strip_prefix(b"\xfftOc\0\0\0\x02")?;
        let mut fanout = Vec::with_capacity(256);
        while let Some((count, more)) = number(rest) {
            fanout.push(count);
            rest = more;
        }
        Some(Pack { index, data: path.with_extension("pack"), fanout })
    }

    /// The positions of the names that begin with this byte.
    fn range(&self, first: u8) -> Option<(u32, u32)> {
        let from = match first.checked_sub(1) {
            Some(before) => *self.fanout.get(usize::from(before))?,
            None => 0,
        };
        Some((from, *self.fanout.get(usize::from(first))?))
    }

    fn id(&self, position: u32) -> Option<Id> {
        bytes_at(&self.index, 8 + 1024 + u64::from(position) * 20, 20)?.try_into().ok()
    }

    /// Where an object begins.
    fn find(&self, id: &Id) -> Option<u64> {
        let (mut from, mut to) = self.range(*id.first()?)?;
        while from < to {
            let middle = from + (to - from) / 2;
            match self.id(middle)?.cmp(id) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => return self.offset(middle),
            }
        }
        None
    }

    fn offset(&self, position: u32) -> Option<u64> {
        let count = u64::from(*self.fanout.last()?);
        let offsets = 8 + 1024 + count * 24;
        let small = bytes_at(&self.index, offsets + u64::from(position) * 4, 4)?;
        let (small, _) = number(&small)?;
        if small & 0x8000_0000 == 0 {
            return Some(u64::from(small));
        }
        let large = offsets + count * 4 + u64::from(small & 0x7fff_ffff) * 8;
        Some(u64::from_be_bytes(bytes_at(&self.index, large, 8)?.try_into().ok()?))
    }

    fn at(&self, objects: &Objects, start: u64, depth: u32) -> Option<(Kind, Vec<u8>)> {
        if depth > LONGEST_CHAIN {
            return None;
        }
        let data = open(&self.data)?;
        // A name or an offset, at most.
        let head = up_to_at(&data, start, 64)?;
        let (first, mut rest) = head.split_first()?;
        let mut size = usize::from(first & 0x0f);
        let mut shift = 4_u32;
        let mut more = first & 0x80 != 0;
        while more {
            let (byte, after) = rest.split_first()?;
            size |= usize::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            more = byte & 0x80 != 0;
            rest = after;
        }
        if size > LARGEST {
            return None;
        }
        let (kind, base, rest) = match (first >> 4) & 7 {
            1 => (Kind::Commit, None, rest),
            2 => (Kind::Tree, None, rest),
            3 => (Kind::Other, None, rest),
            4 => (Kind::Tag, None, rest),
            6 => {
                let (back, rest) = offset(rest)?;
                let base = self.at(objects, start.checked_sub(u64::try_from(back).ok()?)?, depth + 1)?;
                (base.0, Some(base.1), rest)
            }
            7 => {
                let (id, rest) = rest.split_first_chunk::<20>()?;
                let base = objects.loose(id).or_else(|| objects.packed(id, depth + 1))?;
                (base.0, Some(base.1), rest)
            }
            _ => return None,
        };
        let used = u64::try_from(head.len() - rest.len()).ok()?;
        // What can't be made smaller grows by a few bytes for each block.
        let packed = up_to_at(&data, start + used, size + size / 100 + 64)?;
        let content = decompress_to_vec_zlib_with_limit(&packed, size.max(1)).ok()?;
        match base {
            None => Some((kind, content)),
            Some(base) => Some((kind, applied(&base, &content)?)),
        }
    }
}

/// The text that a difference makes of its base.
fn applied(base: &[u8], difference: &[u8]) -> Option<Vec<u8>> {
    let (_, rest) = size(difference)?;
    let (length, mut rest) = size(rest)?;
    if length > LARGEST {
        return None;
    }
    let mut text = Vec::with_capacity(length);
    while let Some((command, after)) = rest.split_first() {
        rest = after;
        if command & 0x80 == 0 {
            let (piece, after) = rest.split_at_checked(usize::from(*command))?;
            text.extend_from_slice(piece);
            rest = after;
            continue;
        }
        let mut numbers = [0_usize; 2];
        for bit in 0..7_u32 {
            if command & (1 << bit) != 0 {
                let (byte, after) = rest.split_first()?;
                rest = after;
                let (number, shift) = if bit < 4 { (0, bit * 8) } else { (1, (bit - 4) * 8) };
                *numbers.get_mut(number)? |= usize::from(*byte) << shift;
            }
        }
        let [from, length] = numbers;
        let length = if length == 0 { 0x1_0000 } else { length };
        text.extend_from_slice(base.get(from..from.checked_add(length)?)?);
        if text.len() > LARGEST {
            return None;
        }
    }
    (text.len() == length).then_some(text)
}

/// A number with its lowest bits first.
fn size(mut bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (mut value, mut shift) = (0_usize, 0_u32);
    loop {
        let (first, rest) = bytes.split_first()?;
        bytes = rest;
        value |= usize::from(first & 0x7f).checked_shl(shift)?;
        shift += 7;
        if first & 0x80 == 0 {
            return Some((value, bytes));
        }
    }
}

fn bytes_at(file: &File, start: u64, length: usize) -> Option<Vec<u8>> {
    up_to_at(file, start, length).filter(|bytes| bytes.len() == length)
}

fn up_to_at(mut file: &File, start: u64, length: usize) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::with_capacity(length);
    file.take(u64::try_from(length).ok()?).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// An object's name in digits.
pub(super) fn hexadecimal(id: &Id) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The object that forty digits name.
pub(super) fn identifier(text: &str) -> Option<Id> {
    if text.len() != 40 || !text.is_ascii() {
        return None;
    }
    let mut id = [0; 20];
    for (at, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(at * 2..at * 2 + 2)?, 16).ok()?;
    }
    Some(id)
}
