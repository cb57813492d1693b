//! Globs: `?`, `*`, `[a-z]`, `[!a]`, `{a,b}`, `\` before a character that stands for itself; in paths `*` and
//! `?` stop at `/`, and `**` as a whole component is any number of components (at the end: at least one).
//!
//! A glob is checked when the policy is read and interpreted when it is used, because most globs of a policy
//! are never used by the event at hand.

use std::borrow::Cow;

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

/// How many plain globs a glob with braces may stand for, and how many components it may have.
const MOST: usize = 63;

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
        self.alternatives().iter().any(|pattern| segment_matches(pattern, text))
    }

    /// Does it match a path (relative to whatever the glob is relative to, no leading slash)?
    #[must_use]
    pub fn matches_path(&self, path: &str) -> bool {
        if self.literal {
            return self.pattern == path;
        }
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            walk(&components, path, segment_matches) & accept(&components) != 0
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
            walk(&components, path, segments_overlap) & accept(&components) != 0
        })
    }

    /// Could it match something below a directory (given as a path or as a glob)?
    #[must_use]
    pub fn may_match_below(&self, directory: &str) -> bool {
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            walk(&components, directory, segments_overlap) & !accept(&components) != 0
        })
    }

    /// Does it match everything below a directory?
    #[must_use]
    pub fn covers_below(&self, directory: &str) -> bool {
        self.alternatives().iter().any(|pattern| {
            let components = components(pattern);
            let last = accept(&components) >> 1;
            components.last() == Some(&"**") && walk(&components, directory, segment_matches) & last != 0
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

/// The components of a path glob without braces. A slash inside `[...]` separates too, as in a shell.
fn components(pattern: &str) -> Vec<&str> {
    pattern.split('/').collect()
}

/// The state in which the whole glob has been matched.
fn accept(components: &[&str]) -> u64 {
    1 << components.len().min(MOST)
}

/// Runs the components as a set of states over the components of a path. Bit `i` is set when the path so far
/// has been matched by the first `i` components.
fn walk(pattern: &[&str], path: &str, matches: fn(&str, &str) -> bool) -> u64 {
    let skip = |mut states: u64| {
        for (i, component) in pattern.iter().enumerate() {
            // A `**` at the end stands for at least one component: it can't be skipped.
            if *component == "**" && i + 1 < pattern.len() && states & (1 << i) != 0 {
                states |= 1 << (i + 1);
            }
        }
        states
    };
    let mut states = skip(1);
    if path.is_empty() {
        return states;
    }
    for name in path.split('/') {
        let mut next = 0;
        for (i, component) in pattern.iter().enumerate() {
            if states & (1 << i) == 0 {
                continue;
            }
            if *component == "**" {
                next |= 1 << i;
                if i + 1 == pattern.len() {
                    next |= 1 << (i + 1);
                }
            } else if matches(component, name) {
                next |= 1 << (i + 1);
            }
        }
        states = skip(next);
        if states == 0 {
            break;
        }
    }
    states
}

/// One character's worth of a glob without braces.
#[derive(Clone, Copy, Debug)]
enum Token<'p> {
    Star,
    Any,
    Class(Class<'p>),
    Character(char),
}

impl Token<'_> {
    fn matches(self, character: char) -> bool {
        match self {
            Token::Star | Token::Any => true,
            Token::Class(class) => class.matches(character),
            Token::Character(own) => own == character,
        }
    }
}

/// The first token of a pattern, and the rest.
fn token(pattern: &str) -> Option<(Token<'_>, &str)> {
    let mut characters = pattern.chars();
    let token = match characters.next()? {
        '*' => Token::Star,
        '?' => Token::Any,
        '\\' => Token::Character(characters.next().unwrap_or('\\')),
        '[' => match Class::parse(pattern) {
            Some((class, length)) => return Some((Token::Class(class), pattern.get(length..)?)),
            None => Token::Character('['),
        },
        character => Token::Character(character),
    };
    Some((token, characters.as_str()))
}

/// All tokens of a pattern.
fn tokens(mut pattern: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    while let Some((next, rest)) = token(pattern) {
        tokens.push(next);
        pattern = rest;
    }
    tokens
}

/// Does a pattern without braces match all of a text?
fn segment_matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern, text);
    // Where to go on after the last star: the pattern behind it, and the text that it has not eaten yet.
    let mut resume: Option<(&str, &str)> = None;
    loop {
        let step = match token(pattern) {
            Some((Token::Star, rest)) => {
                resume = Some((rest, text));
                pattern = rest;
                continue;
            }
            Some((token, rest)) => {
                let mut characters = text.chars();
                match characters.next() {
                    Some(character) if token.matches(character) => Some((rest, characters.as_str())),
                    _ => None,
                }
            }
            None if text.is_empty() => return true,
            None => None,
        };
        (pattern, text) = match (step, resume) {
            (Some(next), _) => next,
            (None, Some((behind, uneaten))) => {
                let mut characters = uneaten.chars();
                if characters.next().is_none() {
                    return false;
                }
                resume = Some((behind, characters.as_str()));
                (behind, characters.as_str())
            }
            (None, None) => return false,
        };
    }
}

/// Is there a text that both patterns match? Both without braces and slashes.
fn segments_overlap(one: &str, other: &str) -> bool {
    if !other.contains(['*', '?', '[', '\\']) {
        return segment_matches(one, other);
    }
    let (one, other) = (tokens(one), tokens(other));
    // Row by row over `one`: which positions in `other` can be reached together with this one.
    let close = |row: &mut Vec<bool>, star: bool| {
        let mut before = false;
        for (reached, token) in row.iter_mut().zip(std::iter::once(None).chain(other.iter().map(Some))) {
            // A star of `other` matches nothing; a star of `one` eats any token of `other`.
            *reached |= before && (star || matches!(token, Some(Token::Star)));
            before = *reached;
        }
    };
    let mut row = vec![false; other.len() + 1];
    if let Some(first) = row.first_mut() {
        *first = true;
    }
    close(&mut row, false);
    for mine in &one {
        let mut next = vec![false; other.len() + 1];
        if matches!(mine, Token::Star) {
            next.clone_from(&row);
            close(&mut next, true);
        } else {
            for (i, theirs) in other.iter().enumerate() {
                if row.get(i) == Some(&true) {
                    let (to, possible) = match theirs {
                        Token::Star => (i, true),
                        theirs => (i + 1, may_be_same(*mine, *theirs)),
                    };
                    if let (true, Some(reached)) = (possible, next.get_mut(to)) {
                        *reached = true;
                    }
                }
            }
            close(&mut next, false);
        }
        row = next;
    }
    row.last() == Some(&true)
}

/// Could two tokens stand for the same character? Two classes are taken to share one.
fn may_be_same(one: Token<'_>, other: Token<'_>) -> bool {
    match (one, other) {
        (Token::Character(character), token) | (token, Token::Character(character)) => {
            token.matches(character)
        }
        _ => true,
    }
}

/// `[...]`: the text between the brackets.
#[derive(Clone, Copy, Debug)]
struct Class<'p> {
    negated: bool,
    members: &'p str,
}

impl<'p> Class<'p> {
    /// Reads the class at the start of a pattern, and says how long it is with its brackets.
    fn parse(pattern: &'p str) -> Option<(Class<'p>, usize)> {
        let inside = pattern.strip_prefix('[')?;
        let (negated, members) = match inside.strip_prefix(['!', '^']) {
            Some(members) => (true, members),
            None => (false, inside),
        };
        // A `]` that comes first is a member.
        let first = members.chars().next()?.len_utf8();
        let end = first + members.get(first..)?.find(']')?;
        let length = pattern.len() - members.len() + end + 1;
        Some((Class { negated, members: members.get(..end)? }, length))
    }

    fn ranges(self) -> impl Iterator<Item = (char, char)> {
        let mut rest = self.members.chars();
        std::iter::from_fn(move || {
            let low = rest.next()?;
            let mut ahead = rest.clone();
            if ahead.next() == Some('-')
                && let Some(high) = ahead.next()
            {
                rest = ahead;
                return Some((low, high));
            }
            Some((low, low))
        })
    }

    fn matches(self, character: char) -> bool {
        self.ranges().any(|(low, high)| low <= character && character <= high) != self.negated
    }
}
