//! Paths: made absolute, followed through links, and classed by what they are to the person.

mod folding;
mod known;
mod links;
mod secrets;
mod traits;

use crate::effect::{PathFact, Place, Traits};
use crate::world::{Places, World};

pub use secrets::glob_matches;
pub use traits::GUARDS;

/// A link that the command text itself makes: where it is, and where it points (both absolute).
pub type MadeLink = (String, String);

/// How a glob writes a character that is no slash.
const ANY_BUT_SLASH: &str = "[!/]";

/// An absolute path without `.`, `..`, doubled or trailing slashes. Text that is not absolute comes back as if it
/// began with a slash.
pub fn normalise(path: &str) -> String {
    if is_normal(path) {
        return path.to_owned();
    }
    // The slash in the pattern of a computed word parts no names: `/tmp/[!/]*/..` is `/tmp`.
    if path.contains(ANY_BUT_SLASH) {
        return normalise(&path.replace(ANY_BUT_SLASH, "[!\0]")).replace("[!\0]", ANY_BUT_SLASH);
    }
    let mut result = String::with_capacity(path.len() + 1);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let parent = result.rfind('/').unwrap_or(0);
                result.truncate(parent);
            }
            name => {
                result.push('/');
                result.push_str(name);
            }
        }
    }
    if result.is_empty() {
        result.push('/');
    }
    result
}

fn normalised(path: String) -> String {
    if is_normal(&path) { path } else { normalise(&path) }
}

/// Is there nothing to do? Most paths are written as they are meant.
fn is_normal(path: &str) -> bool {
    let bytes = path.as_bytes();
    let is_odd = |byte: u8, next: u8| (next == b'[') | ((byte == b'/') & ((next == b'/') | (next == b'.')));
    // A name may begin with a dot.
    let is_name = |name: &str| !matches!(name, "" | "." | "..");
    bytes.len() > 1
        && bytes.starts_with(b"/")
        && !bytes.ends_with(b"/")
        && (!has_pair(bytes, is_odd) || !path.contains('[') && path.split('/').skip(1).all(is_name))
}

/// Are any two bytes side by side that? Sixteen are compared at once and without a way out, since every path of every call
/// is looked at like this, and mostly there are none.
fn has_pair(bytes: &[u8], is: impl Fn(u8, u8) -> bool) -> bool {
    let next = bytes.get(1..).unwrap_or_default();
    let (mut these, mut those) = (bytes.chunks_exact(16), next.chunks_exact(16));
    let mut has = false;
    for (this, that) in these.by_ref().zip(those.by_ref()) {
        has |= this.iter().zip(that).fold(false, |has, (byte, next)| has | is(*byte, *next));
    }
    let rest = next.len() - those.remainder().len();
    let (these, those) = (bytes.get(rest..).unwrap_or_default(), those.remainder());
    has || these.iter().zip(those).any(|(byte, next)| is(*byte, *next))
}

/// The absolute path that the text names, seen from a directory; `None` where the directory is needed and unknown.
pub fn absolute(text: &str, directory: Option<&str>) -> Option<String> {
    if text.starts_with('/') {
        return Some(normalise(text));
    }
    let text = windows_path(text);
    if text.starts_with('/') {
        return Some(normalise(&text));
    }
    Some(normalised([directory?, "/", text.as_ref()].concat()))
}

/// `C:\x` and `C:/x` as `/c/x`, so that it is never taken for a name in the working directory.
fn windows_path(text: &str) -> std::borrow::Cow<'_, str> {
    let mut characters = text.chars();
    match (characters.next(), characters.next(), characters.next()) {
        (Some(drive), Some(':'), Some('\\' | '/')) if drive.is_ascii_alphabetic() => {
            let rest: String = characters.map(|c| if c == '\\' { '/' } else { c }).collect();
            format!("/{}/{rest}", drive.to_ascii_lowercase()).into()
        }
        _ => text.into(),
    }
}

/// Is `path` the directory or below it?
pub fn is_within(path: &str, directory: &str) -> bool {
    // Where a name would have to end is seen before the two are compared: mostly none does.
    let ends = match path.as_bytes().get(directory.len()) {
        None => path.len() == directory.len(),
        Some(next) => *next == b'/' || directory.ends_with('/'),
    };
    ends && path.starts_with(directory)
}

/// What stands before the last slash.
pub fn parent(path: &str) -> &str {
    match last_slash(path) {
        Some(0) | None => "/",
        Some(slash) => path.get(..slash).unwrap_or_default(),
    }
}

/// What stands behind the last slash.
pub fn file_name(path: &str) -> &str {
    last_slash(path).map_or(path, |slash| path.get(slash + 1..).unwrap_or_default())
}

/// Names are short: they are looked through byte by byte.
fn last_slash(path: &str) -> Option<usize> {
    path.bytes().rposition(|byte| byte == b'/')
}

/// What `*`, `?` and `[` in a path are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// A glob that is expanded.
    Pattern,
    /// Characters, as far as the shell is concerned; the program may expand them.
    Plain,
    /// Characters of the name, for certain.
    Literal,
}

impl Spelling {
    /// Of a field that is a pattern, or that is certainly none.
    pub fn of(pattern: bool, literal: bool) -> Spelling {
        match (pattern, literal) {
            (true, _) => Spelling::Pattern,
            (false, true) => Spelling::Literal,
            (false, false) => Spelling::Plain,
        }
    }
}

/// What is known about an absolute, normalised path.
pub fn fact(
    path: String,
    spelling: Spelling,
    places: &Places,
    world: &dyn World,
    links: &[MadeLink],
) -> PathFact {
    let pattern = spelling == Spelling::Pattern;
    let literal = spelling == Spelling::Literal;
    let mut place = spelled_place(&path, literal, places);
    let mut traits = traits::of(&path, pattern, places);
    let mut real = None;
    if place != Place::Null {
        for end in links::ends(&path, links) {
            let Some(end) = real_path(&path, end, pattern, world) else { continue };
            let end_place = spelled_place(&end, literal, places);
            traits = traits.union(traits::of(&end, pattern, places));
            // A link out of a temporary directory's own alias (`/tmp` to `/private/tmp`) is no way out of it.
            if real.is_none() || end_place > place {
                real = Some(end);
            }
            place = place.max(end_place);
        }
    }
    PathFact { path, real, place, traits, pattern, literal }
}

/// The path that the links of the text lead to, with those of the machine resolved as well, where that is another one than was written.
fn real_path(path: &str, led: String, pattern: bool, world: &dyn World) -> Option<String> {
    // Of a glob only the directories before it can be looked at.
    let (literal, rest) = if pattern { literal_directory(&led) } else { (led.as_str(), "") };
    let resolved = match world.resolve(literal) {
        Some(resolved) if rest.is_empty() => normalised(resolved),
        Some(resolved) => normalise(&format!("{resolved}/{rest}")),
        None => led,
    };
    (resolved != path).then_some(resolved)
}

/// The directories before the first component with a glob, and the rest.
pub fn literal_directory(path: &str) -> (&str, &str) {
    let glob = path.find(['*', '?', '[']).unwrap_or(path.len());
    let (before, _) = path.split_at_checked(glob).unwrap_or((path, ""));
    let slash = before.rfind('/').unwrap_or(0);
    let (directory, rest) = path.split_at_checked(slash).unwrap_or((path, ""));
    if directory.is_empty() { ("/", rest) } else { (directory, rest) }
}

/// Where a path lies, which may be a glob.
pub fn place_of(path: &str, places: &Places) -> Place {
    spelled_place(path, false, places)
}

fn spelled_place(path: &str, literal: bool, places: &Places) -> Place {
    if let Some(device) = path.strip_prefix("/dev/") {
        return device_place(device);
    }
    if is_within(path, "/proc/self/fd") {
        return Place::Null;
    }
    let mut best: (usize, Place) = (0, fixed_place(path, literal));
    let mut consider = |directory: &str, place: Place| {
        if directory.len() > 1 && directory.len() >= best.0 && is_within(path, directory) {
            best = (directory.len(), place);
        }
    };
    for directory in
        ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"]
    {
        consider(directory, Place::Temporary);
    }
    consider(&places.home, Place::Home);
    for directory in &places.temporary {
        consider(directory, Place::Temporary);
    }
    for directory in std::iter::once(&places.project).chain(&places.also_project) {
        consider(directory, Place::Project);
    }
    best.1
}

fn device_place(device: &str) -> Place {
    match device {
        "null" | "stdout" | "stderr" | "stdin" | "tty" | "zero" | "full" | "random" | "urandom" => {
            Place::Null
        }
        _ if device.starts_with("fd/") => Place::Null,
        _ if is_within(device, "shm") => Place::Temporary,
        _ => Place::Device,
    }
}

/// Where a path lies by its beginning alone.
fn fixed_place(path: &str, literal: bool) -> Place {
    let mut parts = path.split('/').skip(1);
    let first = parts.next().unwrap_or_default();
    match first {
        "home" | "Users" | "root" => Place::Home,
        "" | "etc" | "usr" | "bin" | "sbin" | "lib" | "lib32" | "lib64" | "libx32" | "boot" | "opt"
        | "proc" | "sys" | "run" | "nix" | "snap" | "private" | "System" | "Library" | "Applications"
        | "cores" | "vmlinuz" | "initrd.img" | "dev" => Place::System,
        drive if drive.len() == 1 => windows_place(parts),
        // Sites lie there, no programs and no settings.
        "var" if parts.next() == Some("www") && parts.next().is_some() => Place::Elsewhere,
        "mnt" => match parts.next() {
            Some(drive) if drive.len() == 1 => windows_place(parts),
            _ => Place::Elsewhere,
        },
        "var" => Place::System,
        glob if !literal && glob.contains(['*', '?', '[']) => Place::System,
        _ => Place::Elsewhere,
    }
}

fn windows_place<'a>(mut parts: impl Iterator<Item = &'a str>) -> Place {
    match parts.next().map(str::to_ascii_lowercase).as_deref() {
        None | Some("" | "windows" | "program files" | "program files (x86)" | "programdata") => {
            Place::System
        }
        Some("users") => Place::Home,
        _ => Place::Elsewhere,
    }
}

/// Is it a directory of programs, such as `/usr/local/bin`, which are guarded like startup files?
pub fn is_absolute_program_directory(path: &str, places: &Places) -> bool {
    path.starts_with('/')
        && traits::of(&format!("{}/x", normalise(path)), false, places).contains(Traits::PROGRAMS)
}

/// Makes the traits worse for what happens to whole trees: a directory with the gate, the hook settings, keys or the
/// repository in it goes with all of them.
pub fn tree_traits(path: &str, places: &Places) -> Traits {
    traits::of_tree(path, places)
}

#[cfg(test)]
mod tests;
