//! Matching of names and paths with patterns as a shell, git and linters write them: `?`, `*`, `[a-z]`, `[!a]`, `\` before a
//! character that stands for itself, and in paths `**`. Everything that matches patterns does it here; braces and where a
//! pattern may stand are the callers' business. A pattern is interpreted where it is used: most never are.

/// How many components a path glob may have; with more it matches nothing.
pub const MOST_COMPONENTS: usize = 63;

/// Does a path glob match a path? `*` and `?` stop at `/`, and `**` as a whole component is any number of components (at the
/// end: at least one).
#[must_use]
pub fn matches_path(pattern: &str, path: &str) -> bool {
    let components = components(pattern);
    components.len() <= MOST_COMPONENTS && walk(&components, path, matches) & accept(&components) != 0
}

/// The components of a path glob. A slash inside `[...]` separates too, as in a shell.
pub fn components(pattern: &str) -> Vec<&str> {
    pattern.split('/').collect()
}

/// The state of [`walk`] in which the whole glob has been matched.
pub fn accept(components: &[&str]) -> u64 {
    1 << components.len().min(MOST_COMPONENTS)
}

/// Runs the components as a set of states over the components of a path. Bit `i` is set when the path so far
/// has been matched by the first `i` components.
pub fn walk(pattern: &[&str], path: &str, matches: fn(&str, &str) -> bool) -> u64 {
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

/// Does the pattern match all of a text? `*` and `?` match any character. In time proportional to the product of the lengths.
#[must_use]
pub fn matches(pattern: &str, text: &str) -> bool {
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

/// Is there a text that both patterns match? Neither has slashes.
#[must_use]
pub fn overlap(one: &str, other: &str) -> bool {
    if !other.contains(['*', '?', '[', '\\']) {
        return matches(one, other);
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
pub struct Class<'p> {
    negated: bool,
    members: &'p str,
}

impl<'p> Class<'p> {
    /// Reads the class at the start of a pattern, and says how long it is with its brackets.
    pub fn parse(pattern: &'p str) -> Option<(Class<'p>, usize)> {
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

    /// Its members, each from the first to the last character.
    pub fn ranges(self) -> impl Iterator<Item = (char, char)> {
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
