//! The lines of a Dockerfile.

use hookgate_knowledge::shipped;

use crate::{Place, Problem};

/// Why a builder wouldn't take it: an instruction that there isn't, or one before the first stage.
pub(crate) fn broken(text: &str) -> Option<Problem> {
    let instructions = shipped().table("paths/sources/docker-instructions");
    let continues = |line: &str| line.trim_end().ends_with(['\\', '`']);
    let (mut inside, mut staged) = (false, false);
    let mut document: Option<String> = None;
    for (index, line) in text.lines().enumerate() {
        let words = line.trim();
        if let Some(end) = &document {
            if words == end {
                document = None;
            }
            continue;
        }
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        if inside {
            inside = continues(line);
            continue;
        }
        let name = words.split_ascii_whitespace().next().unwrap_or_default();
        let place = Place { line: index + 1, column: line.len() - line.trim_start().len() + 1 };
        if !instructions.contains(&name.to_ascii_lowercase()) {
            return Some(Problem { place, what: format!("no instruction is called {}", short(name)) });
        }
        if name.eq_ignore_ascii_case("from") {
            staged = true;
        } else if !staged && !name.eq_ignore_ascii_case("arg") {
            return Some(Problem { place, what: "an instruction before the first `FROM`".to_owned() });
        }
        document = ends_with(words).filter(|_| !continues(line));
        inside = document.is_none() && continues(line);
    }
    None
}

/// A piece of the text that fits into a message.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The word that ends a document which begins on this line: `EOF` of `RUN <<EOF`.
fn ends_with(line: &str) -> Option<String> {
    let rest = line.split("<<").nth(1)?.trim_start_matches('-');
    let word: String = rest
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_long_lines_hold_anything() {
        assert_eq!(
            broken("FROM a\nRUN <<EOF\nanything goes\nEOF\nRUN a && \\\n\\\nfrobnicate\nCMD x\n"),
            None
        );
        let found = broken("RUN a\n").unwrap();
        assert_eq!(found.what, "an instruction before the first `FROM`");
        assert_eq!(broken("FROM a\n  COPPY a b\n").unwrap().place, Place { line: 2, column: 3 });
    }
}
