//! What own rules match with: parsed commands, paths and texts.

use crate::glob::{Glob, GlobError};
use std::ops::Range;

/// A pattern over a parsed command: `rails db:migrate **`.
///
/// The first word is the program (its directory and everything that carries it are gone); `*` as a word is one
/// argument, `**` any number of them, anything else a glob inside one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPattern {
    /// The program; with a `/` in it, the command word as it stands in the command.
    pub program: Glob,
    /// What must follow it.
    pub arguments: Vec<ArgumentPattern>,
}

/// What one or more arguments must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentPattern {
    /// One argument of this form.
    One(Glob),
    /// Any number of arguments.
    Any,
}

impl RunPattern {
    /// Reads a pattern: words separated by blanks, `'...'` and `"..."` around words that hold blanks.
    ///
    /// # Errors
    /// Nothing in it, an unclosed quote, a bad glob, or more words than can be matched.
    pub fn parse(pattern: &str) -> Result<RunPattern, GlobError> {
        let words = words(pattern)?;
        let mut words = words.into_iter();
        let Some((offset, first, _)) = words.next() else {
            return Err(GlobError { offset: 0, message: "doesn't name a program" });
        };
        let at = |offset: usize| move |error: GlobError| GlobError { offset: offset + error.offset, ..error };
        let program = Glob::parse(&first).map_err(at(offset))?;
        let mut arguments = Vec::new();
        for (offset, word, quoted) in words {
            if word == "**" && !quoted {
                arguments.push(ArgumentPattern::Any);
            } else {
                arguments.push(ArgumentPattern::One(Glob::parse(&word).map_err(at(offset))?));
            }
        }
        if arguments.len() > 62 {
            return Err(GlobError { offset: 0, message: "has more than 63 words" });
        }
        Ok(RunPattern { program, arguments })
    }

    /// Does it match a program and its arguments? A `None` is an argument that is computed: nobody knows what it
    /// is, or how many it is. With `certain`, only `**` matches such a one; otherwise everything does.
    #[must_use]
    pub fn matches(&self, program: &str, arguments: &[Option<&str>], certain: bool) -> bool {
        self.program.matches_text(program) && self.matches_arguments(arguments, certain)
    }

    /// Which arguments each wildcard takes if the arguments surely match: the first `**` as few as it can. One range
    /// per wildcard ([`ArgumentPattern::is_wildcard`]), in order.
    #[must_use]
    pub fn captures(&self, arguments: &[Option<&str>]) -> Option<Vec<Range<usize>>> {
        let one = |pattern: &ArgumentPattern, argument: &Option<&str>| match (pattern, argument) {
            (ArgumentPattern::One(glob), Some(text)) => glob.matches_text(text),
            _ => false,
        };
        // `ends[i]` holds, for the pattern from its word `i` on, at which arguments a match may start.
        let mut ends = vec![vec![false; arguments.len() + 1]];
        ends.first_mut()?.last_mut().map(|end| *end = true)?;
        for pattern in self.arguments.iter().rev() {
            let behind = ends.last()?;
            let mut starts = vec![false; arguments.len() + 1];
            if *pattern == ArgumentPattern::Any {
                let mut any = false;
                for (start, end) in starts.iter_mut().zip(behind).rev() {
                    any |= *end;
                    *start = any;
                }
            } else {
                let later = behind.iter().skip(1);
                for ((start, argument), end) in starts.iter_mut().zip(arguments).zip(later) {
                    *start = *end && one(pattern, argument);
                }
            }
            ends.push(starts);
        }
        if !*ends.last()?.first()? {
            return None;
        }
        let mut captures = Vec::new();
        let mut at = 0;
        for (pattern, behind) in self.arguments.iter().zip(ends.iter().rev().skip(1)) {
            let start = at;
            match pattern {
                ArgumentPattern::Any => at += behind.iter().skip(at).position(|end| *end)?,
                ArgumentPattern::One(_) => at += 1,
            }
            if pattern.is_wildcard() {
                captures.push(start..at);
            }
        }
        Some(captures)
    }

    /// [`RunPattern::matches`] for the arguments alone.
    #[must_use]
    pub fn matches_arguments(&self, arguments: &[Option<&str>], certain: bool) -> bool {
        let skip = |mut states: u64| {
            for (i, pattern) in self.arguments.iter().enumerate() {
                if *pattern == ArgumentPattern::Any && states & (1 << i) != 0 {
                    states |= 1 << (i + 1);
                }
            }
            states
        };
        let mut states = skip(1);
        for argument in arguments {
            let mut next = 0;
            for (i, pattern) in self.arguments.iter().enumerate() {
                if states & (1 << i) == 0 {
                    continue;
                }
                match (pattern, argument) {
                    (ArgumentPattern::Any, _) => next |= 1 << i,
                    (ArgumentPattern::One(glob), Some(text)) if glob.matches_text(text) => {
                        next |= 1 << (i + 1);
                    }
                    _ => {}
                }
            }
            if argument.is_none() && !certain {
                // It may be nothing, one argument or many: every later state can be reached.
                let lowest = states & states.wrapping_neg();
                next |= !(lowest - 1);
            }
            states = skip(next);
            if states == 0 {
                return false;
            }
        }
        states & (1 << self.arguments.len()) != 0
    }
}

/// The words of a pattern: where each starts, its text, and whether it was quoted.
fn words(pattern: &str) -> Result<Vec<(usize, String, bool)>, GlobError> {
    let mut words = Vec::new();
    let mut word: Option<(usize, String, bool)> = None;
    let mut characters = pattern.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' | '"' => {
                let (_, text, quoted) = word.get_or_insert((at, String::new(), true));
                *quoted = true;
                loop {
                    match characters.next() {
                        Some((_, next)) if next == character => break,
                        Some((_, next)) => text.push(next),
                        None => return Err(GlobError { offset: at, message: "the quote is never closed" }),
                    }
                }
            }
            _ => word.get_or_insert((at, String::new(), false)).1.push(character),
        }
    }
    words.extend(word);
    Ok(words)
}

/// What a path pattern is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The project's root.
    Project,
    /// The person's home directory (`~/`).
    Home,
    /// The filesystem's root.
    Root,
}

/// A pattern over paths, in the manner of a `.gitignore` line: without a slash it matches at any depth of the
/// project, a slash at its end means the directory and everything below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    /// What it is relative to.
    pub base: Base,
    /// The pattern below the base.
    pub glob: Glob,
}

impl PathPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// A bad glob, an empty pattern, or one that leaves the project by `..`.
    pub fn parse(pattern: &str) -> Result<PathPattern, GlobError> {
        // The syntax first, so that the offset is one into the text as written.
        Glob::parse(pattern)?;
        if pattern.split('/').any(|component| component == "..") {
            return Err(GlobError {
                offset: 0,
                message: "`..` is not followed here; write an absolute path or `~/`",
            });
        }
        let (base, below, anchored) = if let Some(below) = pattern.strip_prefix("~/") {
            (Base::Home, below, true)
        } else if let Some(below) = pattern.strip_prefix('/') {
            (Base::Root, below, true)
        } else if let Some(below) = pattern.strip_prefix("./") {
            (Base::Project, below, true)
        } else {
            (Base::Project, pattern, pattern.trim_end_matches('/').contains('/'))
        };
        let (name, tree) = match below.strip_suffix('/') {
            Some(name) => (name, true),
            None => (below, false),
        };
        if name.is_empty() && !tree && base == Base::Project {
            return Err(GlobError { offset: 0, message: "names no path" });
        }
        let depth = if anchored || name == "**" { "" } else { "**/" };
        let glob = match (name.is_empty(), tree) {
            (true, _) => Glob::checked("**".to_owned()),
            (false, true) => {
                let both = ["{", depth, name, ",", depth, name, "/**}"].concat();
                // Only braces inside braces can be too many.
                if name.contains('{') { Glob::parse(&both)? } else { Glob::checked(both) }
            }
            (false, false) if depth.is_empty() => Glob::parse(name)?,
            (false, false) => Glob::checked(["**/", name].concat()),
        };
        Ok(PathPattern { base, glob })
    }
}

/// A pattern over a prompt or a message: a piece of text (in any case), or `/a regular expression/` with an
/// optional `i` behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPattern {
    /// A piece of the text, in lower case.
    Piece(String),
    /// A regular expression. It is compiled when it is used.
    Expression(String),
}

impl TextPattern {
    /// Reads a pattern. A regular expression is not compiled here.
    #[must_use]
    pub fn parse(pattern: &str) -> TextPattern {
        let inside = pattern.strip_prefix('/').and_then(|rest| match rest.strip_suffix("/i") {
            Some(inside) if !inside.is_empty() => Some(format!("(?i){inside}")),
            _ => rest.strip_suffix('/').filter(|inside| !inside.is_empty()).map(str::to_owned),
        });
        inside.map_or_else(|| TextPattern::Piece(pattern.to_lowercase()), TextPattern::Expression)
    }

    /// Does it match somewhere in a text?
    ///
    /// # Errors
    /// The regular expression does not compile: what is wrong with it.
    pub fn matches(&self, text: &str) -> Result<bool, String> {
        match self {
            TextPattern::Piece(piece) => Ok(text.to_lowercase().contains(piece)),
            TextPattern::Expression(expression) => match regex_lite::Regex::new(expression) {
                Ok(compiled) => Ok(compiled.is_match(text)),
                Err(error) => Err(error.to_string()),
            },
        }
    }
}
