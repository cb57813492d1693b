//! Which files git is told to leave alone.

use std::path::Path;

use hookgate_knowledge::glob;

use crate::regular::read_text;

use super::Repository;

/// The largest list that is read.
const LARGEST: u64 = 256 * 1024;

/// The lists that hold so far, the weakest first.
#[derive(Clone, Default)]
pub(super) struct Ignored {
    patterns: Vec<Pattern>,
}

#[derive(Clone)]
struct Pattern {
    /// The directory of its list, below the root, with a slash at its end; empty for the root.
    base: String,
    text: String,
    negated: bool,
    directories_only: bool,
    /// It is about the path from its list's directory, not about a name anywhere below it.
    anchored: bool,
}

impl Ignored {
    /// The person's and the repository's own lists.
    pub(super) fn of(repository: &Repository) -> Ignored {
        let mut ignored = Ignored::default();
        let configuration = std::env::var("XDG_CONFIG_HOME").ok().filter(|path| !path.is_empty());
        let configuration =
            configuration.or_else(|| Some(format!("{}/.config", std::env::var("HOME").ok()?)));
        if let Some(folder) = configuration {
            ignored.add(&Path::new(&folder).join("git/ignore"), "");
        }
        ignored.add(&repository.common.join("info/exclude"), "");
        ignored
    }

    /// Adds a list.
    pub(super) fn add(&mut self, path: &Path, base: &str) {
        let Some(text) = read_text(path, LARGEST) else { return };
        self.patterns.extend(text.lines().filter_map(|line| Pattern::parse(line, base)));
    }

    /// Is the path, below the root, ignored? The directories above it are not.
    pub(super) fn has(&self, path: &str, is_directory: bool) -> bool {
        let last = self.patterns.iter().rev().find(|pattern| pattern.matches(path, is_directory));
        last.is_some_and(|pattern| !pattern.negated)
    }
}

impl Pattern {
    fn parse(line: &str, base: &str) -> Option<Pattern> {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (negated, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (directories_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let anchored = line.contains('/');
        let text = line.strip_prefix('/').unwrap_or(line).to_owned();
        Some(Pattern { base: base.to_owned(), text, negated, directories_only, anchored })
    }

    fn matches(&self, path: &str, is_directory: bool) -> bool {
        if self.directories_only && !is_directory {
            return false;
        }
        let Some(path) = path.strip_prefix(&self.base) else { return false };
        let path = if self.anchored { path } else { path.rsplit('/').next().unwrap_or(path) };
        glob::matches_path(&self.text, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_git_reads_them() {
        for (line, path, is_directory, expected) in [
            ("*.log", "a/b.log", false, true),
            ("/*.log", "a/b.log", false, false),
            ("build/", "build", true, true),
            ("build/", "build", false, false),
            ("a/b", "a/b", false, true),
            ("a/b", "c/a/b", false, false),
            ("**/b", "c/a/b", false, true),
            ("a/**/b", "a/x/y/b", false, true),
            ("a/**", "a/x", false, true),
            ("x[0-9]", "x5", false, true),
            ("x[!0-9]", "x5", false, false),
            ("\\#a", "#a", false, true),
            ("# a", "# a", false, false),
        ] {
            let matched = Pattern::parse(line, "").is_some_and(|pattern| pattern.matches(path, is_directory));
            assert_eq!(matched, expected, "{line} {path}");
        }
    }
}
