//! What is wrong with a knowledge file, and where.

use std::fmt;

/// One mistake in a knowledge file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The file, as it was given to the compiler.
    pub path: String,
    /// Its line, from 1; 0 where the whole file is meant.
    pub line: usize,
    /// Its column in characters, from 1; 0 where the whole file is meant.
    pub column: usize,
    /// What is wrong and what to do: lowercase, no full stop.
    pub message: String,
}

impl Mistake {
    pub(super) fn of_base(message: String) -> Mistake {
        Mistake { path: String::new(), line: 0, column: 0, message }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            formatter.write_str(&self.path)?;
            if self.line > 0 {
                write!(formatter, ":{}:{}", self.line, self.column)?;
            }
            formatter.write_str(": ")?;
        }
        formatter.write_str(&self.message)
    }
}

/// `; did you mean ...?` where a known name is near.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= 2.max(candidate.len() / 3))
        .map_or(String::new(), |(_, candidate)| format!("; did you mean \"{candidate}\"?"))
}
