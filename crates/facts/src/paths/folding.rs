//! Names as the file system with the least regard for spelling compares them: without case, in the form NFKC, without what stands
//! behind a name and counts nowhere, and written out where somebody wrote a short one (`CLAUDE~1`).

use std::borrow::Cow;

use hookgate_knowledge::{Row, Table, shipped};

use super::has_pair;
use super::known::places;

/// A path under which every path is found that may mean the same file.
pub(super) fn folded(path: &str) -> Cow<'_, str> {
    if is_folded(path) {
        return Cow::Borrowed(path);
    }
    let lower = if path.is_ascii() { path.to_ascii_lowercase() } else { plain(path) };
    if !lower.contains('~') && !ends_oddly(&lower) {
        return Cow::Owned(lower);
    }
    let parts: Vec<Cow<'_, str>> = lower.split('/').map(|part| written_out(without_tail(part))).collect();
    Cow::Owned(parts.join("/"))
}

/// Is it spelled like that already? Most paths are.
fn is_folded(path: &str) -> bool {
    let bytes = path.as_bytes();
    let is_other = |byte: u8| !byte.is_ascii() | byte.is_ascii_uppercase() | (byte == b'~');
    let is_odd = |byte: u8, next: u8| is_other(byte) | (is_tail(byte) & (next == b'/'));
    !has_pair(bytes, is_odd) && bytes.last().is_none_or(|last| !is_other(*last) && !is_tail(*last))
}

const fn is_tail(byte: u8) -> bool {
    matches!(byte, b'.' | b' ')
}

/// Does a name end in dots or blanks, which Windows leaves out?
fn ends_oddly(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.last().is_some_and(|last| is_tail(*last))
        || bytes.windows(2).any(|pair| matches!(pair, [last, b'/'] if is_tail(*last)))
}

fn without_tail(part: &str) -> &str {
    let name = part.trim_end_matches(['.', ' ']);
    if name.is_empty() { part } else { name }
}

/// The text in lower case, with plain letters in the place of those that may be taken for them.
fn plain(text: &str) -> String {
    let (letters, ignored) =
        (shipped().table("paths/letters/letters"), shipped().table("paths/letters/ignored"));
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            out.push(letter.to_ascii_lowercase());
        } else if let Some(instead) = instead_of(letter, letters) {
            out.push_str(&instead);
        } else if !is_ignored(letter, ignored) {
            out.extend(letter.to_lowercase());
        }
    }
    out
}

fn instead_of(letter: char, letters: Table<'static>) -> Option<String> {
    let code = u32::from(letter);
    let (first, text) = letters.rows().find_map(|row| {
        let (range, text) = row.key().split_once(' ')?;
        let (first, last) = bounds(range)?;
        (first..=last).contains(&code).then_some((first, text))
    })?;
    // What a range holds follows its first one.
    let mut begins = text.chars();
    match (begins.next(), begins.next()) {
        (Some(one), None) => char::from_u32(u32::from(one) + (code - first)).map(String::from),
        _ => Some(text.to_owned()),
    }
}

fn is_ignored(letter: char, ignored: Table<'static>) -> bool {
    let code = u32::from(letter);
    ignored.rows().filter_map(|row| bounds(row.key())).any(|(first, last)| (first..=last).contains(&code))
}

fn bounds(range: &str) -> Option<(u32, u32)> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    Some((u32::from_str_radix(first, 16).ok()?, u32::from_str_radix(last, 16).ok()?))
}

/// The guarded name that Windows calls by such a short one: six letters, a tilde and a number, three of the ending.
fn written_out(part: &str) -> Cow<'_, str> {
    let Some((_, behind)) = part.split_once('~') else { return Cow::Borrowed(part) };
    if !behind.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Cow::Borrowed(part);
    }
    let named = places()
        .rows()
        .filter(|row| !matches!(row.cell(0), Some("secret" | "public")))
        .flat_map(|row| row.key().split('/'))
        .chain(super::known::names().rows().map(Row::key))
        .filter(|name| is_short_for(part, name))
        .max_by_key(|name| name.starts_with('.'));
    named.map_or(Cow::Borrowed(part), Cow::Borrowed)
}

fn is_short_for(short: &str, name: &str) -> bool {
    let (stem, ending) = match name.trim_start_matches('.').rsplit_once('.') {
        Some((stem, ending)) => (stem, ending),
        None => (name.trim_start_matches('.'), ""),
    };
    let (begin, rest) = short.split_once('~').unwrap_or((short, ""));
    let (_, end) = rest.split_once('.').unwrap_or((rest, ""));
    let letters = stem.chars().filter(|letter| !matches!(letter, '.' | ' '));
    let same_stem = !begin.is_empty() && letters.take(6).eq(begin.chars());
    same_stem && ending.chars().take(3).eq(end.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_are_one() {
        for (path, same) in [
            ("/h/.claude/settings.json", "/h/.claude/settings.json"),
            ("/H/.CLAUDE/Settings.JSON", "/h/.claude/settings.json"),
            ("/h/.claude./settings.json. .", "/h/.claude/settings.json"),
            ("/h/.claude /settings.json ", "/h/.claude/settings.json"),
            ("/h/.\u{ff43}laude/\u{17f}etting\u{ff33}.json", "/h/.claude/settings.json"),
            ("/h/.c\u{200b}laude\u{feff}/x", "/h/.claude/x"),
            ("/h/.\u{1d4d2}\u{24db}aude/\u{fb01}x", "/h/.claude/fix"),
            ("/h/\u{2024}claude/x", "/h/.claude/x"),
            ("/h/CLAUDE~1/SETTIN~1.JSO", "/h/.claude/settings.json"),
            ("/h/MCP~1.JSO", "/h/.mcp.json"),
            ("/h/notes~1/x", "/h/notes~1/x"),
            ("/h/.../x", "/h/.../x"),
            ("/h/\u{e9}\u{c9}", "/h/\u{e9}\u{e9}"),
        ] {
            assert_eq!(folded(path), same, "{path}");
        }
    }

    #[test]
    fn every_row_of_letters_can_be_read() {
        for row in shipped().table("paths/letters/letters").rows() {
            let (range, text) = row.key().split_once(' ').unwrap();
            let (first, last) = bounds(range).unwrap();
            assert!(first <= last && text.is_ascii() && (first == last || text.len() == 1), "{range}");
        }
        assert!(shipped().table("paths/letters/ignored").rows().all(|row| bounds(row.key()).is_some()));
    }
}
