//! Links that a text makes itself: no machine has them yet, so that their names are compared with those of paths.

use super::{MadeLink, normalise};
use hookgate_knowledge::glob;

/// How many links are followed, one behind the other.
const MAXIMUM_HOPS: usize = 8;
/// How many ends are looked at where a path fits several links.
const MAXIMUM_ENDS: usize = 32;
/// In how many steps a path is compared with a link.
const MAXIMUM_STEPS: u32 = 1_000;

/// Where the path leads through the links: the path itself where it goes through none, and several paths where it, or the name of
/// a link, is a pattern. The link that was made last counts where both are plain.
pub(super) fn ends(path: &str, links: &[MadeLink]) -> Vec<String> {
    let mut ends = Vec::new();
    let mut open = vec![(path.to_owned(), 0)];
    while let Some((path, hops)) = open.pop() {
        let mut next: Vec<String> = Vec::new();
        for (link, target) in links.iter().rev() {
            let Some(behind) = rest_behind(&path, link) else { continue };
            let led = normalise(&format!("{target}{behind}"));
            if led != path && !next.contains(&led) {
                next.push(led);
            }
            if !is_pattern(&path) && !is_pattern(link) {
                break;
            }
        }
        let full = hops >= MAXIMUM_HOPS || open.len() + ends.len() + next.len() > MAXIMUM_ENDS;
        if next.is_empty() || full {
            ends.push(path);
        } else {
            open.extend(next.into_iter().map(|path| (path, hops + 1)));
        }
    }
    ends
}

/// Does the path go through the link, or end at it? What stands behind it then, with its slash.
fn rest_behind<'a>(path: &'a str, link: &str) -> Option<&'a str> {
    if !is_pattern(path) && !is_pattern(link) {
        let rest = path.strip_prefix(link)?;
        return (rest.is_empty() || rest.starts_with('/')).then_some(rest);
    }
    behind_pattern(path, link, &mut { MAXIMUM_STEPS })
}

/// What of the path, a pattern, stands behind the names that the link's are; in so many steps.
fn behind_pattern<'a>(path: &'a str, link: &str, left: &mut u32) -> Option<&'a str> {
    *left = left.checked_sub(1)?;
    if link.is_empty() {
        return Some(path);
    }
    let (mine, rest) = first_component(path)?;
    let (theirs, others) = first_component(link)?;
    if mine == "**" {
        // What goes through all folders doesn't go through links, in a shell or a search that isn't told to; it finds them.
        let through = (!others.is_empty()).then(|| behind_pattern(path, others, left)).flatten();
        return behind_pattern(rest, link, left).or(through);
    }
    glob::overlap(mine, theirs).then(|| behind_pattern(rest, others, left))?
}

/// The first name of an absolute path, without its slash, and what follows it. A slash in brackets parts no names.
fn first_component(path: &str) -> Option<(&str, &str)> {
    let name = path.strip_prefix('/')?;
    let mut is_class = false;
    let end = name.bytes().position(|byte| {
        is_class = (is_class || byte == b'[') && byte != b']';
        byte == b'/' && !is_class
    });
    name.split_at_checked(end.unwrap_or(name.len()))
}

fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

#[cfg(test)]
mod tests {
    use super::ends;

    fn led(path: &str, links: &[(&str, &str)]) -> Vec<String> {
        let links: Vec<_> = links.iter().map(|(link, to)| ((*link).to_owned(), (*to).to_owned())).collect();
        let mut ends = ends(path, &links);
        ends.sort();
        ends
    }

    #[test]
    fn plain_names_follow_the_last_link_with_that_name() {
        assert_eq!(led("/p/a/x", &[("/p/a", "/q"), ("/p/a", "/r")]), ["/r/x"]);
        assert_eq!(led("/p/ab", &[("/p/a", "/q")]), ["/p/ab"]);
        assert_eq!(led("/p/a/x", &[("/p/a", "/p/b"), ("/p/b", "/home")]), ["/home/x"]);
        assert_eq!(led("/p/a", &[("/p/a", "/p/b"), ("/p/b", "/p/a")]).len(), 1);
    }

    #[test]
    fn patterns_follow_every_link_that_they_may_mean() {
        assert_eq!(led("/p/l*/docs", &[("/p/l1", "/home"), ("/p/l2", "/srv")]), ["/home/docs", "/srv/docs"]);
        assert_eq!(led("/p/l7/docs", &[("/p/l[0-9]*", "/home")]), ["/home/docs"]);
        assert_eq!(led("/tmp/[!/]*/h/docs", &[("/tmp/[!/]*/h", "/home")]), ["/home/docs"]);
        assert_eq!(led("/p/**/docs", &[("/p/l1", "/home")]), ["/p/**/docs"]);
        assert_eq!(led("/p/**/l1", &[("/p/l1", "/home")]), ["/home"]);
        assert_eq!(led("/p/**/l1", &[("/p/a/b/l1", "/home")]), ["/home"]);
        assert_eq!(led("/p/m*/docs", &[("/p/l1", "/home")]), ["/p/m*/docs"]);
        assert_eq!(led("/p/l*", &[("/p/l1/deep", "/home")]), ["/p/l*"]);
    }
}
