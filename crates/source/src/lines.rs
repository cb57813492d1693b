//! Lines and columns, and which lines a change has touched.

use std::collections::{BTreeMap, BTreeSet};

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The place of a byte of the text.
    #[must_use]
    pub fn of_byte(text: &str, at: usize) -> Place {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Place { line, column }
    }
}

/// The lines of a text that it didn't have before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// All: the file is new.
    All,
    /// These, from 1.
    Lines(BTreeSet<usize>),
}

impl Changed {
    /// Compares two texts. What both begin and end with is the same; in between, each line of the old text accounts for one of
    /// the same words in the new one, so that a line that moved isn't a new one.
    #[must_use]
    pub fn between(before: Option<&str>, after: &str) -> Changed {
        let Some(before) = before else { return Changed::All };
        let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
        let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let rest = old.len().min(new.len()) - start;
        let end =
            old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for line in old.get(start..old.len() - end).unwrap_or_default() {
            *known.entry(line).or_default() += 1;
        }
        let mut changed = BTreeSet::new();
        for (index, line) in new.iter().enumerate().take(new.len() - end).skip(start) {
            match known.get_mut(line) {
                Some(left) if *left > 0 => *left -= 1,
                _ => drop(changed.insert(index + 1)),
            }
        }
        Changed::Lines(changed)
    }

    /// Is the line new?
    #[must_use]
    pub fn has(&self, line: usize) -> bool {
        match self {
            Changed::All => true,
            Changed::Lines(lines) => lines.contains(&line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(before: &str, after: &str) -> Vec<usize> {
        match Changed::between(Some(before), after) {
            Changed::All => panic!("all"),
            Changed::Lines(lines) => lines.into_iter().collect(),
        }
    }

    #[test]
    fn only_lines_that_were_not_there_are_new() {
        assert_eq!(lines("a\nb\nc\n", "a\nx\nc\n"), [2]);
        assert_eq!(lines("a\nb\nc\n", "a\nb\nc\nd\n"), [4]);
        assert_eq!(lines("a\nb\nc\n", "c\na\nb\n"), [] as [usize; 0]);
        assert_eq!(lines("a\n", "a\na\n"), [2]);
        assert_eq!(lines("a\nb\n", "a\n"), [] as [usize; 0]);
        assert_eq!(Changed::between(None, "a"), Changed::All);
    }

    #[test]
    fn a_column_counts_characters() {
        assert_eq!(Place::of_byte("ab\néx", 5), Place { line: 2, column: 2 });
        assert_eq!(Place::of_byte("é", 1), Place { line: 1, column: 1 });
        assert_eq!(Place::of_byte("a", 99), Place { line: 1, column: 2 });
    }
}
