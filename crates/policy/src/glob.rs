//! Globs: `?`, `*`, `[a-z]`, `[!a]`, `{a,b}`, `\` before a character that stands for itself; in paths `*` and
//! `?` stop at `/`, and `**` as a whole component is any number of components (at the end: at least one).
//!
//! A glob is checked when the policy is read and interpreted when it is used, because most globs of a policy
//! are never used by the event at hand.

use std::borrow::Cow;

use hookgate_knowledge::glob::{Class, MOST_COMPONENTS as MOST, accept, components, matches, overlap, walk};

/// A glob whose syntax has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    pattern: String,
    /// No character of it means anything but itself.
    literal: bool,
}

/// What is wrong with a glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobError {
    /// The byte of the glob where it goes wrong.
    pub offset: usize,
    /// What goes wrong: lowercase, no full stop.
    pub message: &'static str,
}

impl Glob {
    /// Checks a glob.
    ///
    /// # Errors
    /// An unclosed `[` or `{`, a `}` that closes nothing, a range that runs backwards, a `\` with nothing behind
    /// it, or more alternatives or components than anybody writes by hand.
    pub fn parse(pattern: &str) -> Result<Glob, GlobError> {
        let (mut literal, mut plain, mut components) = (true, true, 1);
        for byte in pattern.bytes() {
            match byte {
                b'*' | b'?' => literal = false,
                b'[' | b'{' | b'}' | b'\\' => plain = false,
                b'/' => components += 1,
                _ => {}
            }
        }
        if components > MOST {
            return Err(GlobError { offset: 0, message: "has more than 63 components" });
        }
        let glob = Glob { pattern: pattern.to_owned(), literal: literal && plain };
        if !plain {
            check(pattern)?;
            if pattern.contains('{') && glob.alternatives().len() > MOST {
                return Err(GlobError { offset: 0, message: "expands to more than 63 globs" });
            }
        }
        Ok(glob)
    }

    /// A glob that was checked as part of another.
    pub(crate) fn checked(pattern: String) -> Glob {
        Glob { pattern, literal: false }
    }

    /// The glob as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// The text that it stands for, if that is only one.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        self.literal.then_some(self.pattern.as_str())
    }

    /// Does it match a text that is no path? `*` and `?` match any character here.
    #[must_use]
    pub fn matches_text(&self, text: &str) -> bool {
        if self.literal {
            return self.pattern == text;
        }
        self.alternatives().iter().any(|pattern| matches(pattern, text))
    }

    /// Does it match a path (relative to whatever the glob is relative to, no leading slash)?
    #[must_use]
    pub fn matches_path(&self, path: &str) -> bool {
        if self.literal {
            return self.pattern == path;
        }
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            walk(&components, path, matches) & accept(&components) != 0
        })
    }

    /// Could it match a path that another glob, such as one in a command, stands for?
    #[must_use]
    pub fn may_overlap(&self, path: &str) -> bool {
        if path.split('/').any(|component| component == "**") || path.contains('{') {
            return true;
        }
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            walk(&components, path, overlap) & accept(&components) != 0
        })
    }

    /// Could it match something below a directory (given as a path or as a glob)?
    #[must_use]
    pub fn may_match_below(&self, directory: &str) -> bool {
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            walk(&components, directory, overlap) & !accept(&components) != 0
        })
    }

    /// Does it match everything below a directory?
    #[must_use]
    pub fn covers_below(&self, directory: &str) -> bool {
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            let last = accept(&components) >> 1;
            components.last() == Some(&"**") && walk(&components, directory, matches) & last != 0
        })
    }

    /// A glob over absolute paths as one over paths below the root: without the slash at its start.
    #[must_use]
    pub fn below_root(&self) -> Glob {
        let pattern = self.pattern.strip_prefix('/').unwrap_or(&self.pattern).to_owned();
        Glob { pattern, literal: self.literal }
    }

    /// The globs without braces that it stands for.
    fn alternatives(&self) -> Vec<Cow<'_, str>> {
        let mut done = Vec::new();
        expand(Cow::Borrowed(&self.pattern), &mut done);
        done
    }
}

/// Finds syntax errors.
fn check(pattern: &str) -> Result<(), GlobError> {
    let mut characters = pattern.char_indices().peekable();
    let mut open = Vec::new();
    while let Some((offset, character)) = characters.next() {
        match character {
            '\\' if characters.next().is_none() => {
                return Err(GlobError { offset, message: "nothing follows the `\\`" });
            }
            '[' => {
                let class = pattern.get(offset..).and_then(Class::parse);
                let Some((class, length)) = class else {
                    return Err(GlobError { offset, message: "`[` is never closed" });
                };
                if class.ranges().any(|(low, high)| low > high) {
                    return Err(GlobError { offset, message: "a range in `[...]` is reversed" });
                }
                while characters.next_if(|(at, _)| *at < offset + length).is_some() {}
            }
            '{' => open.push(offset),
            '}' if open.pop().is_none() => {
                return Err(GlobError { offset, message: "unmatched `}`; write `\\}` for the character" });
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(offset) => Err(GlobError { offset, message: "`{` is never closed" }),
        None => Ok(()),
    }
}

/// Replaces the first brace group by each of its alternatives, until there is none. Stops at more than `MOST`.
fn expand<'p>(pattern: Cow<'p, str>, done: &mut Vec<Cow<'p, str>>) {
    let Some((start, commas, end)) = first_group(&pattern) else {
        done.push(pattern);
        return;
    };
    let before = pattern.get(..start).unwrap_or("");
    let after = pattern.get(end + 1..).unwrap_or("");
    let mut from = start + 1;
    for to in commas.into_iter().chain([end]) {
        if done.len() > MOST {
            return;
        }
        let middle = pattern.get(from..to).unwrap_or("");
        expand(Cow::Owned(format!("{before}{middle}{after}")), done);
        from = to + 1;
    }
}

/// The first top-level brace group: where it opens, its commas, where it closes.
fn first_group(pattern: &str) -> Option<(usize, Vec<usize>, usize)> {
    let bytes = pattern.as_bytes();
    let (mut start, mut commas, mut depth, mut at) = (0, Vec::new(), 0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => at += pattern.get(at..).and_then(Class::parse).map_or(0, |(_, length)| length - 1),
            b'{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b',' if depth == 1 => commas.push(at),
            b'}' if depth == 1 => return Some((start, commas, at)),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    None
}
