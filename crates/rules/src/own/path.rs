//! Path patterns against the paths of effects.

use hookgate_effects::{PathFact, Places};
use hookgate_policy::{Base, Glob, PathPattern};

/// Does one of the patterns match? A path that is a link counts under both its names: for `certain`, both must
/// match; otherwise either.
pub(super) fn matches(
    patterns: &[PathPattern],
    fact: &PathFact,
    recursive: bool,
    places: &Places,
    certain: bool,
) -> bool {
    let one = |path: &str| {
        patterns.iter().any(|pattern| {
            bases(pattern.base, places).any(|base| {
                if certain {
                    surely(&pattern.glob, base, path, recursive, fact.pattern)
                } else {
                    maybe(&pattern.glob, base, path, recursive, fact.pattern)
                }
            })
        })
    };
    match &fact.real {
        Some(real) if certain => one(&fact.path) && one(real),
        Some(real) => one(&fact.path) || one(real),
        None => one(&fact.path),
    }
}

/// Does one of the patterns match a file at a path that holds no glob?
pub(super) fn matches_file(patterns: &[PathPattern], file: &str, places: &Places) -> bool {
    patterns
        .iter()
        .any(|pattern| bases(pattern.base, places).any(|base| maybe(&pattern.glob, base, file, false, false)))
}

/// The directories that a pattern is relative to; the filesystem's root is the empty one.
fn bases(base: Base, places: &Places) -> impl Iterator<Item = &str> {
    let (first, more): (&str, &[String]) = match base {
        Base::Project => (&places.project, &places.also_project),
        Base::Home => (&places.home, &[]),
        Base::Root => ("", &[]),
    };
    let known = base == Base::Root || !first.is_empty();
    known.then_some(first).into_iter().chain(more.iter().map(String::as_str))
}

/// The path below a base; empty for the base itself.
fn below<'p>(path: &'p str, base: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(base.trim_end_matches('/'))?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// May the pattern match something that is done to the path?
fn maybe(glob: &Glob, base: &str, path: &str, recursive: bool, is_glob: bool) -> bool {
    if is_glob {
        // The base may be among what the path's own glob stands for, so the pattern is made absolute.
        let absolute = Glob::parse(&format!("{}/{}", escape(base), glob.as_str()));
        let (Ok(absolute), Some(path)) = (absolute, path.strip_prefix('/')) else { return true };
        let absolute = absolute.below_root();
        return absolute.may_overlap(path) || (recursive && absolute.may_match_below(path));
    }
    match below(path, base) {
        Some(inside) => glob.matches_path(inside) || (recursive && glob.may_match_below(inside)),
        // The whole tree around the base.
        None => recursive && below(base, path).is_some(),
    }
}

/// Does the pattern match everything that is done to the path?
fn surely(glob: &Glob, base: &str, path: &str, recursive: bool, is_glob: bool) -> bool {
    let Some(inside) = below(path, base) else { return false };
    if is_glob {
        let mut fixed = 0;
        for component in inside.split('/') {
            if component.contains(['*', '?', '[', '{', '\\']) {
                break;
            }
            fixed += component.len() + 1;
        }
        let directory = inside.get(..fixed.saturating_sub(1)).unwrap_or("");
        return glob.covers_below(directory);
    }
    glob.matches_path(inside) && (!recursive || glob.covers_below(inside))
}

/// A path as a glob that matches only itself.
fn escape(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | ',' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
