//! How a path that may hold shell patterns lies to a plain one.

use hookgate_knowledge::glob;

/// Where the first path lies as seen from the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// They are or may be the same.
    Same,
    /// The first is above the second.
    Above,
    /// The first is below the second.
    Below,
    /// Neither.
    Apart,
}

/// Compares a path, patterns allowed, with a plain one, component by component.
pub(crate) fn compare(path: &str, plain: &str) -> Relation {
    compare_parts(parts(path), parts(plain), matches)
}

/// The same for a path that the shell expands no further: quoted brackets and braces are characters of a name.
pub(crate) fn compare_quoted(path: &str, plain: &str) -> Relation {
    compare_parts(parts(path), parts(plain), |pattern, name| {
        if pattern.contains(['*', '?']) { matches(pattern, name) } else { pattern == name }
    })
}

/// The same for a path that nothing expands.
pub(crate) fn compare_literal(path: &str, plain: &str) -> Relation {
    compare_parts(parts(path), parts(plain), |part, name| part == name)
}

fn parts(path: &str) -> Parts<'_> {
    let named: fn(&&str) -> bool = |part| !part.is_empty();
    path.split('/').filter(named)
}

type Fits = fn(&str, &str) -> bool;

type Parts<'a> = std::iter::Filter<std::str::Split<'a, char>, fn(&&str) -> bool>;

fn compare_parts(mut path: Parts<'_>, mut plain: Parts<'_>, fits: Fits) -> Relation {
    loop {
        let left = plain.clone();
        match (path.next(), plain.next()) {
            (None, None) => return Relation::Same,
            (None, Some(_)) => return Relation::Above,
            (Some("**"), _) => return below_any(&path, left, fits),
            (Some(_), None) => return Relation::Below,
            (Some(part), Some(name)) if fits(part, name) => {}
            _ => return Relation::Apart,
        }
    }
}

/// What follows a `**`, against the plain path from any of its components on. A third `**` is taken to match.
fn below_any(rest: &Parts<'_>, mut plain: Parts<'_>, fits: Fits) -> Relation {
    if rest.clone().next().is_none() || rest.clone().filter(|part| *part == "**").count() > 2 {
        return Relation::Same;
    }
    let mut relation = Relation::Apart;
    loop {
        match compare_parts(rest.clone(), plain.clone(), fits) {
            Relation::Same => return Relation::Same,
            Relation::Above => relation = Relation::Above,
            Relation::Below | Relation::Apart => {}
        }
        if plain.next().is_none() {
            return relation;
        }
    }
}

/// The path without last components that stand for everything in a directory: `/a` for `/a/*` and `/a/**/*`.
pub(crate) fn without_wildcards(mut path: &str) -> &str {
    while let Some((before, last)) = path.rsplit_once('/') {
        if !matches!(last, "" | "*" | "**" | ".*" | "*.*" | ".[!.]*" | "{*,.*}") {
            break;
        }
        path = before;
    }
    path
}

/// May the pattern of one component stand for the name? Brackets and braces are taken to match anything.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?', '[', '{']) {
        return pattern == name;
    }
    // The shell's wildcards leave names with a leading dot alone.
    if name.starts_with('.') && pattern.starts_with(['*', '?']) {
        return false;
    }
    match pattern.find(['[', '{']).and_then(|at| pattern.get(..at)) {
        Some(start) => glob::matches(&format!("{start}*"), name),
        None => glob::matches(pattern, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_relate_by_component() {
        assert_eq!(compare("/a/b", "/a/b/"), Relation::Same);
        assert_eq!(compare("/a", "/a/b"), Relation::Above);
        assert_eq!(compare("/", "/a/b"), Relation::Above);
        assert_eq!(compare("/a/b/c", "/a/b"), Relation::Below);
        assert_eq!(compare("/a/bc", "/a/b"), Relation::Apart);
        assert_eq!(compare("/a/**", "/a/b/c"), Relation::Same);
        assert_eq!(compare("/a/**/*.pyc", "/a/b/c"), Relation::Apart);
        assert_eq!(compare("/a/**/c", "/a/b/c"), Relation::Same);
        assert_eq!(compare("/a/**/b", "/a/b/c"), Relation::Above);
        assert_eq!(compare("/a/**/b/**/c", "/a/x/b/y/c"), Relation::Same);
        assert_eq!(compare("/a/**/b/**/c", "/a/x/y"), Relation::Apart);
        assert_eq!(compare("/a/**/b/**", "/a/x/b/y"), Relation::Same);
        assert_eq!(compare("/a/*", "/a/b/c"), Relation::Above);
        assert_eq!(compare("/a/*", "/a/.b/c"), Relation::Apart);
    }

    #[test]
    fn quoted_braces_are_characters_of_a_name() {
        assert_eq!(compare("/a/{b}", "/a/b"), Relation::Same);
        assert_eq!(compare_quoted("/a/{b}", "/a/b"), Relation::Apart);
        assert_eq!(compare_quoted("/a/[b]", "/a/b/c"), Relation::Apart);
        assert_eq!(compare_quoted("/a/{b}", "/a"), Relation::Below);
        assert_eq!(compare_quoted("/a", "/a/{b}"), Relation::Above);
    }

    #[test]
    fn a_pattern_for_everything_stands_for_its_directory() {
        for (path, directory) in
            [("/a/*", "/a"), ("/*", ""), ("/a/**/*/", "/a"), ("/a/*.txt", "/a/*.txt"), ("/", "")]
        {
            assert_eq!(without_wildcards(path), directory);
        }
    }

    #[test]
    fn patterns_match_as_the_shell_does_and_brackets_match_anything() {
        for (pattern, name) in
            [("a*c", "abbc"), ("*", "x"), ("a?c", "abc"), ("a[xy]z", "aqqq"), ("**", "abc")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a*d", "abbc"), ("?", ""), ("*", ".x"), ("b[xy]", "a")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
