//! Headings in a body of Markdown.

use super::message::Text;

/// Has the body that heading, with text below it?
pub(crate) fn state(body: &Text, wanted: &str) -> Section {
    let wanted = plain(wanted);
    let mut inside = false;
    let mut found = Section::Missing;
    let mut fenced = false;
    for (_, line) in body.lines() {
        fenced ^= line.trim_start().starts_with("```");
        let heading = if fenced { None } else { line.strip_prefix('#') };
        match heading {
            Some(rest) => {
                inside = plain(rest) == wanted;
                if inside && found == Section::Missing {
                    found = Section::Empty;
                }
            }
            None if inside && !line.trim().is_empty() && !is_comment(line) => found = Section::Filled,
            None => {}
        }
    }
    found
}

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    /// There is no such heading.
    Missing,
    /// Nothing stands below the heading.
    Empty,
    /// Something does.
    Filled,
}

fn plain(heading: &str) -> String {
    heading.trim_matches(|c: char| c == '#' || c == ':' || c.is_whitespace()).to_lowercase()
}

fn is_comment(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("<!--") && line.ends_with("-->")
}
