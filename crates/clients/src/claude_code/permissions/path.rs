//! Patterns for files, after gitignore.

use super::rule::{List, Scope};
use hookgate_effects::Places;
use hookgate_policy::Glob;

/// What is in the brackets of a `Read` or `Edit` rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathPattern {
    base: Base,
    /// Below the base, without a leading slash.
    pattern: String,
}

/// What a pattern is relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    Root,
    Home,
    Directory(String),
    /// The directory that the session began in, and where it is now.
    Working,
}

impl PathPattern {
    pub(crate) fn parse(text: &str, scope: Scope, file: &str, list: List) -> PathPattern {
        let (base, pattern) = if let Some(rest) = text.strip_prefix("//") {
            (Base::Root, rest)
        } else if let Some(rest) = text.strip_prefix("~/") {
            (Base::Home, rest)
        } else if let Some(rest) = text.strip_prefix('/') {
            (source(scope, file), rest)
        } else {
            (Base::Working, text.strip_prefix("./").unwrap_or(text))
        };
        let pattern = pattern.trim_end_matches('/');
        // A name, or for deny and ask the tree of one, is meant at any depth.
        let name = pattern.strip_suffix("/**").unwrap_or(pattern);
        let any_depth =
            base == Base::Working && !name.contains('/') && (list != List::Allow || name == pattern);
        let pattern = if any_depth { format!("**/{pattern}") } else { pattern.to_owned() };
        PathPattern { base, pattern }
    }

    /// Does it cover the path (absolute, normalised), itself or a directory that it is in? `pattern` says that the path
    /// may hold wildcards, which then stand for anything that they could.
    pub(crate) fn covers(&self, path: &str, may_be_glob: bool, places: &Places) -> bool {
        self.globs(places).iter().any(|glob| {
            ancestors(path.trim_start_matches('/'))
                .any(|path| if may_be_glob { glob.may_overlap(path) } else { glob.matches_path(path) })
        }) || self.pattern.strip_suffix("/**").is_some_and(|directory| {
            // The tree of a directory is the directory too.
            let whole = PathPattern { base: self.base.clone(), pattern: directory.to_owned() };
            whole.covers(path, may_be_glob, places)
        })
    }

    /// Does a change of the whole tree at a path take along what the pattern names? Names at any depth do not count: no
    /// tree is without them.
    pub(crate) fn is_below(&self, directory: &str, places: &Places) -> bool {
        !self.pattern.starts_with("**/")
            && self.globs(places).iter().any(|glob| glob.may_match_below(directory.trim_start_matches('/')))
    }

    /// The patterns over absolute paths without their leading slash.
    fn globs(&self, places: &Places) -> Vec<Glob> {
        let bases: Vec<&str> = match &self.base {
            Base::Root => vec![""],
            Base::Home => vec![&places.home],
            Base::Directory(directory) => vec![directory],
            Base::Working if places.cwd == places.project => vec![&places.cwd],
            Base::Working => vec![&places.project, &places.cwd],
        };
        bases
            .into_iter()
            .filter_map(|base| {
                let joined = format!("{}/{}", escaped(base), self.pattern);
                Glob::parse(joined.trim_start_matches('/')).ok()
            })
            .collect()
    }
}

/// What `/x` is relative to: the project of project settings, `~/.claude` of the person's, the directory of others.
fn source(scope: Scope, file: &str) -> Base {
    let parent = |path: &str| path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
    match scope {
        Scope::Project => Base::Directory(parent(&parent(file))),
        Scope::Local => Base::Working,
        Scope::User | Scope::Managed | Scope::Named => Base::Directory(parent(file)),
    }
}

/// The path, then the directories that it is in.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(parent, _)| parent))
}

/// The characters of a directory stand for themselves.
fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if "*?[]{}\\".contains(character) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(pattern: &str, scope: Scope, path: &str) -> bool {
        let places = Places {
            cwd: "/home/dev/app".to_owned(),
            home: "/home/dev".to_owned(),
            project: "/home/dev/app".to_owned(),
            ..Places::default()
        };
        let file = match scope {
            Scope::Project => "/home/dev/app/.claude/settings.json",
            _ => "/home/dev/.claude/settings.json",
        };
        PathPattern::parse(pattern, scope, file, List::Deny).covers(path, false, &places)
    }

    #[test]
    fn a_bare_name_is_meant_at_any_depth() {
        assert!(covers(".env", Scope::User, "/home/dev/app/.env"));
        assert!(covers("./.env", Scope::User, "/home/dev/app/deep/er/.env"));
        assert!(!covers(".env", Scope::User, "/home/dev/other/.env"));
        assert!(covers("src/**", Scope::User, "/home/dev/app/lib/src/a.rs"));
        assert!(!covers("a/b", Scope::User, "/home/dev/app/x/a/b"));
    }

    #[test]
    fn a_directory_covers_what_is_in_it() {
        assert!(covers("secrets", Scope::User, "/home/dev/app/secrets/key"));
        assert!(covers("secrets/**", Scope::User, "/home/dev/app/secrets/a/b"));
    }

    #[test]
    fn the_beginning_says_what_a_pattern_is_relative_to() {
        assert!(covers("//etc/passwd", Scope::User, "/etc/passwd"));
        assert!(covers("~/.ssh/**", Scope::User, "/home/dev/.ssh/id"));
        assert!(covers("/gen/**", Scope::Project, "/home/dev/app/gen/a"));
        assert!(covers("/gen/**", Scope::User, "/home/dev/.claude/gen/a"));
    }
}
