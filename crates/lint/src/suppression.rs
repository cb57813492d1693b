//! Comments and attributes by which a source text turns a linter off.

use crate::Linter;

/// Over how many further lines a comment or an attribute is followed.
const MOST_LINES: usize = 8;

/// A mark that a text has more often than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The linter that it turns off.
    pub linter: Linter,
    /// The mark, as it is written: `# noqa`.
    pub mark: &'static str,
    /// A line that has it, from 1, in the new text.
    pub line: usize,
}

/// The marks that a file's text has more often than it had, for the linters that read a file at that path. A mark that moves is
/// none, and neither is one within quotes on its line.
#[must_use]
pub fn added(path: &str, before: &str, after: &str) -> Vec<Suppression> {
    let mut found: Vec<Suppression> = Vec::new();
    for linter in Linter::all().filter(|linter| linter.reads(path)) {
        for mark in linter.suppressions().flat_map(|(_, marks)| marks) {
            let plain = squeezed(mark);
            let (old, _) = count(before, &plain);
            let (new, line) = count(after, &plain);
            if new > old && !found.iter().any(|other| other.line == line || squeezed(other.mark) == plain) {
                found.push(Suppression { linter, mark, line });
            }
        }
    }
    found
}

/// How often a mark occurs, and the last line that has it. What a comment or an attribute brackets may stand on several lines; `*` in a
/// mark is anything within the brackets.
fn count(text: &str, mark: &str) -> (usize, usize) {
    let (mut number, mut last) = (0, 0);
    let (begins, rest) =
        mark.split_once('*').filter(|(begins, _)| begins.ends_with('(')).unwrap_or((mark, ""));
    let brackets = ["/*", "{/*", "<!--", "#[", "#!["].iter().any(|opens| mark.starts_with(opens));
    let lines: Vec<String> = text.lines().map(squeezed).collect();
    for (index, line) in lines.iter().enumerate() {
        let mut joined = line.clone();
        if brackets {
            joined.extend(lines.iter().skip(index + 1).take(MOST_LINES).map(String::as_str));
        }
        let mut from = 0;
        while let Some(at) =
            joined.get(from..).and_then(|rest| rest.find(begins)).filter(|at| from + at < line.len())
        {
            let behind = joined.get(from + at + begins.len()..).unwrap_or_default();
            let inside = behind.split(']').next().unwrap_or_default();
            if !is_quoted(line.get(..from + at).unwrap_or_default()) && inside.contains(rest) {
                number += 1;
                last = index + 1;
            }
            from += at + begins.len();
        }
    }
    (number, last)
}

/// Without blanks, in lower case: linters take `#noqa` and `#  NOQA` alike.
fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Is what follows within a string that begins on the same line?
fn is_quoted(before: &str) -> bool {
    ['"', '\'', '`'].iter().any(|quote| before.matches(*quote).count() % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(path: &str, before: &str, after: &str) -> Vec<String> {
        added(path, before, after)
            .iter()
            .map(|found| format!("{} {}:{}", found.linter.name(), found.mark, found.line))
            .collect()
    }

    #[test]
    fn an_added_mark_is_found_however_it_is_spelt() {
        assert_eq!(marks("/p/a.py", "x = 1\n", "x = 1  #NOQA: E501\n"), ["ruff # noqa:1"]);
        assert_eq!(
            marks("/p/a.py", "x = 1\n", "x = 1  # type:ignore[assignment]\n"),
            ["mypy # type: ignore:1"]
        );
        assert_eq!(marks("/p/a.ts", "", "a;\n// @ts-expect-error\n"), ["tsc // @ts-expect-error:2"]);
        assert_eq!(marks("/p/a.ts", "", "// @ts-ignore\n"), ["tsc // @ts-ignore:1"]);
        assert_eq!(marks("/p/a.js", "", "/* eslint-disable */\n"), ["eslint /* eslint-disable:1"]);
        assert_eq!(marks("/p/a.js", "", "// biome-ignore lint: x\n"), ["biome // biome-ignore:1"]);
        assert_eq!(marks("/p/a.rs", "fn f() {}", "#[ allow (dead_code) ]\nfn f() {}"), ["clippy #[allow(:1"]);
        assert_eq!(marks("/p/a.go", "", "x() //nolint:errcheck\n"), ["golangci-lint //nolint:1"]);
        assert_eq!(
            marks("/p/a.sh", "", "# shellcheck disable=SC2086\n"),
            ["shellcheck # shellcheck disable:1"]
        );
    }

    #[test]
    fn a_mark_over_several_lines_or_under_a_condition_is_found() {
        assert_eq!(marks("/p/a.js", "", "a\n/*\n  eslint-disable\n*/\n"), ["eslint /* eslint-disable:2"]);
        assert_eq!(
            marks("/p/a.rs", "", "#![\n    allow(\n        dead_code,\n    )\n]\n"),
            ["clippy #![allow(:1"]
        );
        let conditional = "#[cfg_attr(all(), allow(dead_code))]\nfn f() {}";
        assert_eq!(marks("/p/a.rs", "fn f() {}", conditional), ["clippy #[cfg_attr(*,allow(:1"]);
        assert_eq!(
            marks("/p/a.rs", "", "#![cfg_attr(all(), expect(x))]"),
            ["clippy #![cfg_attr(*,expect(:1"]
        );
        assert_eq!(
            marks("/p/a.rs", "", "#[cfg_attr(any(), rustfmt::skip)]\nfn f() {}"),
            ["rustfmt #[cfg_attr(*,rustfmt::skip:1"]
        );
        assert!(
            marks("/p/a.rs", "", "#[cfg_attr(test, derive(Debug))]\nfn f() { g(x, allow(y)) }").is_empty()
        );
        assert_eq!(marks("/p/a.go", "", "//lint:ignore SA4006 x\n"), ["golangci-lint //lint:ignore:1"]);
        assert_eq!(marks("/p/a.ts", "", "/* @ts-nocheck */\n"), ["tsc /* @ts-nocheck:1"]);
    }

    #[test]
    fn what_was_there_moved_or_is_quoted_is_no_new_one() {
        assert!(marks("/p/a.py", "x  # noqa\ny\n", "y\nx  # noqa\n").is_empty());
        assert!(marks("/p/a.py", "x  # noqa\n", "x\n").is_empty());
        assert!(marks("/p/a.py", "", "print('use # noqa sparingly')\n").is_empty());
        assert!(marks("/p/README.txt", "", "# noqa\n").is_empty());
    }
}
