//! Secrets in text: tokens by the shapes that providers give them, private keys, passwords in URLs, and values that are
//! assigned to a name such as `password`.
//!
//! The shapes are rows of data (`knowledge/secrets/`); this crate holds the mechanisms. [`scan`] reads a text once and in
//! linear time. It never reports documentation examples, placeholders or references to a variable.

mod assignment;
mod connection;
mod escape;
mod index;
mod names;
mod piece;
mod placeholder;
mod private_key;
mod shape;

pub use index::ANCHOR;
pub use names::{finds_secrets, is_masked_after, names_a_secret};

use std::ops::Range;

use hookgate_knowledge::{Table, shipped};
use sha2::{Digest, Sha256};

use shape::Refuted;

/// More guesses than this are not told apart in one text: those that follow each other are one finding, up to the next that is
/// certain. They leave the room of what is certain alone, or a text could hide a token behind them.
pub const MAXIMUM_LIKELY: usize = 256;

/// More certain findings than this are not told apart: the last one takes in the rest of the text, so that nothing of it is
/// passed on as free of secrets.
pub const MAXIMUM_CERTAIN: usize = 4096;

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<'k> {
    /// What it is, as the row of its shape names it: `github-personal-token`, `private-key`, `password-assignment`.
    pub name: &'k str,
    /// Where the secret itself stands, in bytes: the value, not the name that it is assigned to.
    pub range: Range<usize>,
    /// A shape that only this kind of secret has, or a guess by name and randomness?
    pub certainty: Certainty,
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// A value that looks random, assigned to a name that speaks of a secret.
    Likely,
    /// A shape that nothing else has.
    Certain,
}

/// The least length of a literal piece that tells a token by itself.
const TELLING: usize = 3;

/// Every secret has this many bytes without white space between them.
const LEAST_RUN: usize = 16;

/// The shipped shapes, a row each.
#[must_use]
pub fn table() -> Table<'static> {
    shipped().table("secrets/tokens/shapes")
}

/// The shipped names whose values have a shape, a row each: the name's end without joints, and the shape.
#[must_use]
pub fn known_names() -> Table<'static> {
    shipped().table("secrets/tokens/assigned")
}

/// Does the text begin as the tokens of some provider do, with `least` bytes of a token's characters and nothing else behind
/// that? A guess: what is written down is masked sooner than what is reported.
#[must_use]
pub fn begins_as_token(text: &str, least: usize) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let long = text.len() >= least + TELLING;
    long && shape::behind_literal(text, TELLING).any(|rest| rest.len() >= least && rest.bytes().all(is_token))
}

/// The secrets in a text, in the order in which they stand; none overlaps another.
#[must_use]
pub fn scan(text: &str) -> Vec<Found<'static>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Found<'static>> = Vec::new();
    // Most texts of an event end here, before anything is indexed.
    if !bytes.split(u8::is_ascii_whitespace).any(|run| run.len() >= LEAST_RUN) {
        return found;
    }
    let mut refuted = Refuted::default();
    let (mut at, mut last_end) = (0, 0);
    let mut room = Room::default();
    while let Some(start) = shape::next_candidate(bytes, at) {
        let one = match bytes.get(start) {
            Some(b'=') => assignment::at(text, start),
            // A token in the place of a password is named as what it is.
            Some(b':') => connection::at(text, start)
                .map(|url| shape::at(text, url.range.start, &mut refuted).unwrap_or(url))
                .or_else(|| assignment::at(text, start)),
            Some(b'-') => private_key::at(text, start),
            _ => None,
        };
        let one = one.or_else(|| shape::at(text, start, &mut refuted));
        // What is assigned to a telling name may be a token of a known shape.
        let one = one.map(|one| match one.certainty {
            Certainty::Certain => one,
            Certainty::Likely => shape::within(text, one.range.clone(), &mut refuted).unwrap_or(one),
        });
        at = match one {
            Some(one) => {
                let end = one.range.end.max(start + 1);
                if last_end <= one.range.start {
                    last_end = one.range.end;
                    match room.take(one.certainty) {
                        Space::Free => found.push(one),
                        Space::Joined => match found.last_mut() {
                            Some(last) if last.certainty == one.certainty => last.range.end = one.range.end,
                            _ => found.push(one),
                        },
                        Space::Last => {
                            found.push(Found { range: one.range.start..text.len(), ..one });
                            break;
                        }
                    }
                }
                end
            }
            None => start + 1,
        };
    }
    found
}

/// The secrets in a value that is given to a name outside of the text, as in `{"env": {NAME: VALUE}}`: those of the text, or
/// else what the name says of all of it.
#[must_use]
pub fn scan_named(name: &str, value: &str) -> Vec<Found<'static>> {
    let found = scan(value);
    if !found.is_empty() || !assignment::may_be_assigned(name, value) {
        return found;
    }
    let behind = name.len() + 1;
    let assigned = assignment::at(&format!("{name}={value}"), name.len());
    let shift = |one: Found<'static>| {
        let range = one.range.start.checked_sub(behind)?..one.range.end.checked_sub(behind)?;
        Some(Found { range, ..one })
    };
    assigned.and_then(shift).into_iter().collect()
}

/// How many findings of each kind there are.
#[derive(Default)]
struct Room {
    likely: usize,
    certain: usize,
}

/// Is there room for one more?
enum Space {
    Free,
    /// For this one, which stands for all that follow.
    Last,
    /// In the one before it.
    Joined,
}

impl Room {
    fn take(&mut self, certainty: Certainty) -> Space {
        let (count, most) = match certainty {
            Certainty::Likely => (&mut self.likely, MAXIMUM_LIKELY),
            Certainty::Certain => (&mut self.certain, MAXIMUM_CERTAIN),
        };
        *count += 1;
        match certainty {
            Certainty::Likely if *count > most => Space::Joined,
            Certainty::Certain if *count >= most => Space::Last,
            _ => Space::Free,
        }
    }
}

/// Names a secret without telling it: the first 16 hexadecimal digits of its SHA-256. Allow lists, baselines and messages hold
/// these. A short password can be guessed from it, a drawn token can't.
#[must_use]
pub fn fingerprint(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The text with every secret replaced by `[redacted NAME]`; nothing else changes. `None` where there is none.
#[must_use]
pub fn mask(text: &str) -> Option<String> {
    let found = scan(text);
    (!found.is_empty()).then(|| masked(text, &found))
}

/// The most joints of a name behind which a secret is looked for.
const MOST_JOINTS: usize = 32;

/// Where a secret may begin in a name whose words are joined by `_` and `-`, as a server's tools have: the name and each of its ends.
/// Names are short; of a longer one the first 32 joints are looked behind.
pub fn ends_of_name(name: &str) -> impl Iterator<Item = &str> {
    let joints = name.match_indices(['_', '-']).take(MOST_JOINTS);
    std::iter::once(name)
        .chain(joints.filter_map(|(at, _)| name.get(at + 1..)))
        .filter(|end| end.len() > SHORTEST_END)
}

/// No secret is as short as that, in bytes.
const SHORTEST_END: usize = 16;

/// A name whose words are joined by `_` and `-`, without secrets. `None` where it has none.
#[must_use]
pub fn mask_name(name: &str) -> Option<String> {
    let found = ends_of_name(name).find_map(|end| Some((end, mask(end)?)));
    found.map(|(end, masked)| format!("{}{masked}", name.strip_suffix(end).unwrap_or_default()))
}

/// The text with these secrets replaced by `[redacted NAME]`. One of several lines leaves its line breaks, so that what follows
/// keeps its line.
#[must_use]
pub fn masked(text: &str, found: &[Found<'_>]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for one in found {
        masked.push_str(text.get(at..one.range.start).unwrap_or_default());
        masked.push_str("[redacted ");
        masked.push_str(one.name);
        masked.push(']');
        let secret = text.get(one.range.clone()).unwrap_or_default();
        masked.extend(secret.matches('\n'));
        at = one.range.end;
    }
    masked.push_str(text.get(at..).unwrap_or_default());
    masked
}
