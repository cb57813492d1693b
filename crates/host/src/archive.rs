//! The names of what is in an archive: tar, also compressed with gzip, and zip. Nothing of it is unpacked to a file.
//!
//! The formats: POSIX ustar and pax, GNU tar's long names, RFC 1952, PKWARE's APPNOTE.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// The most names that are listed, and the most headers of a tar archive that are read.
const MOST: usize = 4_096;
/// How much of a compressed archive is looked through, unpacked.
const LARGEST: usize = 16 * 1024 * 1024;
/// The largest part of a file that is held.
const LARGEST_PART: u64 = 4 * 1024 * 1024;
const BLOCK: usize = 512;
/// How much the decompressor may refer back to.
const WINDOW: usize = 32 * 1024;

/// The names, as they are written; `None` where the file is no such archive, is damaged, or holds more than are listed.
pub(crate) fn members(path: &Path) -> Option<Vec<String>> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let mut start = [0; 4];
    file.read_exact(&mut start).ok()?;
    file.seek(SeekFrom::Start(0)).ok()?;
    match start {
        [0x1f, 0x8b, 8, _] => tar(&mut Unpacked::new(file)?),
        [b'P', b'K', 3 | 5, 4 | 6] => zip(&mut file),
        _ => tar(&mut Plain(file)),
    }
}

/// Where the blocks of a tar archive come from.
trait Blocks {
    /// The next bytes; `false` at the end.
    fn fill(&mut self, into: &mut [u8]) -> bool;
    fn skip(&mut self, count: u64) -> bool;
}

struct Plain(File);

impl Blocks for Plain {
    fn fill(&mut self, into: &mut [u8]) -> bool {
        self.0.read_exact(into).is_ok()
    }
    fn skip(&mut self, count: u64) -> bool {
        i64::try_from(count).is_ok_and(|count| self.0.seek(SeekFrom::Current(count)).is_ok())
    }
}

/// What a gzip file holds, as far as it is looked at.
struct Unpacked {
    bytes: std::vec::IntoIter<u8>,
}

impl Unpacked {
    fn new(file: File) -> Option<Unpacked> {
        let mut packed = Vec::new();
        file.take(LARGEST_PART).read_to_end(&mut packed).ok()?;
        let mut rest = packed.get(gzip_header(&packed)?..)?;
        let mut state = Box::<DecompressorOxide>::default();
        let mut window = vec![0; WINDOW];
        let mut bytes = Vec::new();
        let mut at = 0;
        loop {
            let (status, read, written) =
                decompress(&mut state, rest, &mut window, at, TINFL_FLAG_HAS_MORE_INPUT);
            bytes.extend_from_slice(window.get(at..at + written)?);
            rest = rest.get(read..)?;
            at = (at + written) % WINDOW;
            match status {
                TINFLStatus::HasMoreOutput if bytes.len() < LARGEST => {}
                // The end, or that of what is looked at: a file that goes on behind it is found by its missing end.
                TINFLStatus::Done | TINFLStatus::NeedsMoreInput | TINFLStatus::HasMoreOutput => break,
                _ => return None,
            }
        }
        Some(Unpacked { bytes: bytes.into_iter() })
    }
}

impl Blocks for Unpacked {
    fn fill(&mut self, into: &mut [u8]) -> bool {
        into.iter_mut().all(|byte| self.bytes.next().map(|next| *byte = next).is_some())
    }
    fn skip(&mut self, count: u64) -> bool {
        let Some(before) = usize::try_from(count).ok().and_then(|count| count.checked_sub(1)) else {
            return count == 0;
        };
        self.bytes.nth(before).is_some()
    }
}

/// Where the data of a gzip file begins.
fn gzip_header(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        let (low, high) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += bytes.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
        }
    }
    Some(if flags & 2 == 0 { at } else { at + 2 })
}

fn tar(blocks: &mut dyn Blocks) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut long: Option<String> = None;
    let mut header = [0; BLOCK];
    let mut room = LARGEST as u64;
    // Not only names are counted: an archive may hold nothing but headers that name nothing.
    for _ in 0..=MOST {
        if !blocks.fill(&mut header) {
            return None;
        }
        if header.iter().all(|byte| *byte == 0) {
            return Some(names);
        }
        if !is_header(&header) {
            return None;
        }
        let size = number(header.get(124..136)?)?;
        let padded = size.div_ceil(BLOCK as u64).checked_mul(BLOCK as u64)?;
        let kind = *header.get(156)?;
        match kind {
            b'L' | b'x' if size <= LARGEST_PART / 64 => {
                room = room.checked_sub(padded)?;
                let mut bytes = vec![0; usize::try_from(padded).ok()?];
                if !blocks.fill(&mut bytes) {
                    return None;
                }
                bytes.truncate(usize::try_from(size).ok()?);
                long = if kind == b'L' { Some(text(&bytes)) } else { pax_path(&bytes).or(long) };
            }
            b'L' | b'x' => return None,
            _ => {
                // A global header names nothing; a link and a folder have no content.
                if kind != b'g' {
                    names.push(long.take().unwrap_or_else(|| name(&header)));
                }
                if !blocks.skip(padded) {
                    return None;
                }
            }
        }
    }
    None
}

/// Does the sum of the header's bytes agree with what it says?
fn is_header(header: &[u8; BLOCK]) -> bool {
    let sum: u64 = header
        .iter()
        .enumerate()
        .map(|(at, byte)| if (148..156).contains(&at) { 32 } else { u64::from(*byte) })
        .sum();
    header.get(148..156).and_then(number) == Some(sum)
}

/// An octal number, or a binary one where its first bit is set.
fn number(bytes: &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first()?;
    if first & 0x80 != 0 {
        return rest
            .iter()
            .try_fold(u64::from(first & 0x7f), |all, byte| Some(all.checked_mul(256)? + u64::from(*byte)));
    }
    let digits = text(bytes);
    let digits = digits.trim_matches([' ', '\0']);
    if digits.is_empty() { Some(0) } else { u64::from_str_radix(digits, 8).ok() }
}

fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

fn name(header: &[u8; BLOCK]) -> String {
    let own = text(header.get(..100).unwrap_or_default());
    let prefix = text(header.get(345..500).unwrap_or_default());
    let has_prefix = header.get(257..262) == Some(b"ustar") && header.get(262) == Some(&0);
    if has_prefix && !prefix.is_empty() { format!("{prefix}/{own}") } else { own }
}

/// `path` of records like `25 path=a/b`.
fn pax_path(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes;
    let mut path = None;
    while let Some(blank) = rest.iter().position(|byte| *byte == b' ') {
        let length: usize = text(rest.get(..blank)?).parse().ok()?;
        let record = rest.get(blank + 1..length.checked_sub(1)?)?;
        path = record.strip_prefix(b"path=").map(text).or(path);
        rest = rest.get(length..)?;
    }
    path
}

/// The names in the directory at the end of a zip file.
fn zip(file: &mut File) -> Option<Vec<String>> {
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let tail = length.min(66_000);
    file.seek(SeekFrom::Start(length - tail)).ok()?;
    let mut end = Vec::new();
    file.by_ref().take(tail).read_to_end(&mut end).ok()?;
    let at = end.windows(4).rposition(|four| four == b"PK\x05\x06")?;
    let short = |bytes: &[u8], at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long = |bytes: &[u8], at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let count = usize::from(short(&end, at + 10)?);
    let (size, start) = (u64::from(long(&end, at + 12)?), u64::from(long(&end, at + 16)?));
    if count > MOST || size > LARGEST_PART {
        return None;
    }
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut directory = Vec::new();
    file.by_ref().take(size).read_to_end(&mut directory).ok()?;
    let mut names = Vec::new();
    let mut rest = directory.as_slice();
    while names.len() < count {
        rest.strip_prefix(b"PK\x01\x02")?;
        let name = usize::from(short(rest, 28)?);
        names.push(String::from_utf8_lossy(rest.get(46..46 + name)?).into_owned());
        rest = rest.get(46 + name + usize::from(short(rest, 30)?) + usize::from(short(rest, 32)?)..)?;
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    fn made(folder: &Path, words: &str) -> bool {
        let output = Command::new("sh").args(["-c", words]).current_dir(folder).output().unwrap();
        output.status.success()
    }

    #[test]
    fn names_are_those_that_the_programs_list() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let long = format!("{}/{}", "d".repeat(90), "n".repeat(120));
        fs::create_dir_all(folder.join("o").join("d".repeat(90))).unwrap();
        fs::create_dir_all(folder.join("o/.claude")).unwrap();
        fs::write(folder.join("o/.claude/settings.json"), "{}").unwrap();
        fs::write(folder.join("o").join(&long), "x".repeat(70_000)).unwrap();
        for format in ["gnu", "ustar", "pax", "v7"] {
            for letters in ["cf", "czf"] {
                let command = format!("tar --format={format} -{letters} x.tar -C o .");
                if !made(folder, &command) {
                    // `v7` has no room for such a name.
                    continue;
                }
                let names = members(&folder.join("x.tar")).unwrap();
                assert!(names.contains(&"./.claude/settings.json".to_owned()), "{command}: {names:?}");
                assert!(names.contains(&format!("./{long}")), "{command}: {names:?}");
                assert_eq!(names.len(), 5, "{command}: {names:?}");
            }
        }
        let zip = "import zipfile,os\nz=zipfile.ZipFile('x.zip','w')\nfor r,d,f in os.walk('o'):\n for n in f: z.write(os.path.join(r,n))";
        fs::write(folder.join("z.py"), zip).unwrap();
        if made(folder, "python3 z.py") {
            let names = members(&folder.join("x.zip")).unwrap();
            assert!(names.contains(&"o/.claude/settings.json".to_owned()) && names.len() == 2, "{names:?}");
        }
    }

    #[test]
    fn headers_that_name_nothing_are_counted_too() {
        let header = |kind: u8| {
            let mut header = [0; BLOCK];
            header[156] = kind;
            header[148..156].fill(b' ');
            let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
            header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
            header
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.tar");
        for kind in *b"gxL0" {
            for (count, listed) in [(MOST, true), (MOST + 1, false)] {
                let mut bytes = header(kind).repeat(count);
                bytes.extend([0; 2 * BLOCK]);
                fs::write(&path, bytes).unwrap();
                assert_eq!(members(&path).is_some(), listed, "{} {count}", char::from(kind));
            }
        }
    }

    #[test]
    fn what_is_no_archive_or_a_damaged_one_is_not_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        fs::create_dir_all(folder.path().join("o")).unwrap();
        fs::write(folder.path().join("o/a"), "x").unwrap();
        assert!(made(folder.path(), "tar cf whole.tar o && tar czf whole.tgz o"));
        for name in ["whole.tar", "whole.tgz"] {
            let whole = fs::read(folder.path().join(name)).unwrap();
            for end in [3, 60, 700.min(whole.len() / 2)] {
                fs::write(&path, &whole[..end]).unwrap();
                assert_eq!(members(&path), None, "{name} {end}");
            }
        }
        for bytes in [&b""[..], b"PK\x03\x04", b"\x1f\x8b\x08\x1f", &[7; 2_000], b"PK\x05\x06garbage"] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(members(&path), None);
        }
        assert_eq!(members(folder.path()), None);
        assert_eq!(members(Path::new("/dev/zero")), None);
    }
}
