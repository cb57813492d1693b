//! Can a text be read as its language?

use hookgate_knowledge::shipped;
use hookgate_shell::{Limits, ProblemKind, parse};
use serde::de::IgnoredAny;
use yaml_rust2::parser::{Event, Parser};

use crate::docker;
use crate::{Language, Place, Problem};

/// The largest text that is looked at, in bytes.
pub const LARGEST: usize = 1 << 20;
/// How many elements and attributes an XML document may have.
const MOST_NODES: u32 = 200_000;
/// How deep lists and tables of a YAML text are followed.
const DEEPEST: usize = 256;

/// Why the text can't be read as that language; `None` where it can, where it is empty, and where that can't be told: it is
/// too long or too deep.
#[must_use]
pub fn broken(language: Language, text: &str) -> Option<Problem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > LARGEST || text.trim().is_empty() {
        return None;
    }
    match language {
        Language::Json => json(text),
        Language::CommentedJson => json(&without_comments(text)),
        Language::Toml => toml(text),
        Language::Yaml => yaml(text),
        Language::Xml => xml(text),
        Language::Ini => ini(text),
        Language::Shell => shell(text),
        Language::Docker => docker::broken(text),
    }
}

/// Is it a template, which is in its language only once it is filled in?
#[must_use]
pub fn is_template(text: &str) -> bool {
    shipped().table("paths/sources/template-marks").rows().any(|row| text.contains(row.key()))
}

fn problem(line: usize, column: usize, what: impl Into<String>) -> Problem {
    Problem { place: Place { line: line.max(1), column: column.max(1) }, what: what.into() }
}

fn json(text: &str) -> Option<Problem> {
    let error = serde_json::from_str::<IgnoredAny>(text).err()?;
    let what = error.to_string();
    if what.starts_with("recursion limit") {
        return None;
    }
    // The place stands at the end of the words, too.
    let what = what.split(" at line ").next().unwrap_or_default();
    Some(problem(error.line(), error.column(), what))
}

/// JSON with blanks in place of comments and of commas at the end of lists, so that every place stays what it is.
fn without_comments(text: &str) -> String {
    let mut out: Vec<char> = Vec::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let (mut in_string, mut comma) = (false, None);
    let blank = |character: char| if character == '\n' { '\n' } else { ' ' };
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_string => {
                out.push(character);
                out.extend(characters.next());
                continue;
            }
            '"' => in_string = !in_string,
            '/' if !in_string && matches!(characters.peek(), Some('/' | '*')) => {
                let is_line = characters.peek() == Some(&'/');
                out.push(' ');
                let mut last = ' ';
                while let Some(next) = characters.next_if(|next| !(is_line && *next == '\n')) {
                    out.push(blank(next));
                    if !is_line && last == '*' && next == '/' {
                        break;
                    }
                    // `/*/` doesn't end there.
                    last = if last == ' ' && next == '*' && out.len() < 2 { ' ' } else { next };
                }
                continue;
            }
            ',' if !in_string => {
                comma = Some(out.len());
                out.push(character);
                continue;
            }
            ']' | '}' if !in_string => {
                if let Some(last) = comma.and_then(|at| out.get_mut(at)) {
                    *last = ' ';
                }
            }
            _ => {}
        }
        if in_string || !character.is_whitespace() {
            comma = None;
        }
        out.push(character);
    }
    out.into_iter().collect()
}

fn toml(text: &str) -> Option<Problem> {
    let error = toml::de::DeTable::parse(text).err()?;
    if error.message().contains("recursion limit") {
        return None;
    }
    let at = error.span().map_or(0, |span| span.start);
    Some(Problem { place: Place::of_byte(text, at), what: error.message().to_owned() })
}

/// Event by event, so that neither depth nor an alias, by which a small text stands for a huge one, costs anything.
fn yaml(text: &str) -> Option<Problem> {
    let mut parser = Parser::new_from_str(text);
    let mut depth = 0_usize;
    loop {
        match parser.next_token() {
            Ok((Event::StreamEnd, _)) => return None,
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), _)) => depth += 1,
            Ok((Event::SequenceEnd | Event::MappingEnd, _)) => depth = depth.saturating_sub(1),
            Ok(_) => {}
            Err(error) => {
                let marker = error.marker();
                return Some(problem(marker.line(), marker.col() + 1, error.info()));
            }
        }
        if depth > DEEPEST {
            return None;
        }
    }
}

fn xml(text: &str) -> Option<Problem> {
    // Elements are read one within the other: a text of a hundred thousand brackets is not for the stack.
    if deepest_element(text) > DEEPEST {
        return None;
    }
    let options =
        roxmltree::ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..Default::default() };
    match roxmltree::Document::parse_with_options(text, options).err()? {
        roxmltree::Error::NodesLimitReached
        | roxmltree::Error::AttributesLimitReached
        | roxmltree::Error::NamespacesLimitReached
        // An entity may be defined in another file.
        | roxmltree::Error::UnknownEntityReference(..)
        | roxmltree::Error::EntityReferenceLoop(..) => None,
        error => {
            let at = error.pos();
            let (line, column) = (at.row.try_into().unwrap_or(1), at.col.try_into().unwrap_or(1));
            let what = error.to_string();
            let what = what.split(" at ").next().unwrap_or_default().to_owned();
            Some(problem(line, column, what))
        }
    }
}

/// How deep elements are nested, as far as brackets say it.
fn deepest_element(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    for piece in text.split('<').skip(1) {
        let end = piece.find('>');
        if piece.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else if !piece.starts_with(['!', '?'])
            && !end.and_then(|end| piece.get(..end)).is_some_and(|inside| inside.ends_with('/'))
        {
            depth += 1;
            deepest = deepest.max(depth);
        }
    }
    deepest
}

fn ini(text: &str) -> Option<Problem> {
    for (index, line) in text.lines().enumerate() {
        // A section ends on its line; comments may follow.
        if line.starts_with('[') && !line.contains(']') {
            return Some(problem(index + 1, line.chars().count(), "a section without `]`"));
        }
    }
    None
}

fn shell(text: &str) -> Option<Problem> {
    let limits = Limits { bytes: LARGEST, ..Limits::default() };
    let script = parse(text, &limits);
    // What can't be read all is not judged.
    if script.problems.iter().any(|one| matches!(one.kind, ProblemKind::Limit | ProblemKind::Foreign)) {
        return None;
    }
    let found = script.problems.first()?;
    let at = usize::try_from(found.span.start).unwrap_or_default();
    Some(Problem { place: Place::of_byte(text, at), what: found.message.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::*;

    fn at(language: Language, text: &str) -> Option<(usize, usize)> {
        broken(language, text).map(|problem| (problem.place.line, problem.place.column))
    }

    #[test]
    fn what_is_valid_has_no_problem() {
        for (language, text) in [
            (Json, "{\"a\": [1, 2]}\n"),
            (CommentedJson, "{\n  // one\n  \"a\": \"x // y\", /* , */\n  \"b\": [1, 2,],\n}\n"),
            (Toml, "[a]\nb = 1\n"),
            (Yaml, "a:\n  - &x 1\n  - *x\n---\nb: |\n  text: [\n"),
            (Xml, "<?xml version=\"1.0\"?>\n<a><b c=\"1\"/></a>\n"),
            (Ini, "[a]\nb = 1\n; c\n"),
            (Shell, "#!/bin/sh\nif true; then\n  echo \"a\"\nfi\n"),
            (
                Docker,
                "# syntax=docker/dockerfile:1\nARG V=1\nFROM alpine:$V\nRUN apk add \\\n  # comment\n  git\n",
            ),
            (Json, ""),
            (Json, "\u{feff}{}"),
        ] {
            assert_eq!(broken(language, text), None, "{text}");
        }
    }

    #[test]
    fn what_is_broken_says_where() {
        for (language, text, place) in [
            (Json, "{\"a\": 1,\n}\n", (2, 1)),
            (CommentedJson, "{\n  // one\n  \"a\": }\n", (3, 8)),
            (Toml, "a = 1\nb = \n", (2, 5)),
            (Yaml, "a: [1, 2\nb: 3\n", (2, 2)),
            (Xml, "<a>\n  <b>\n</a>\n", (3, 1)),
            (Ini, "[a\nb = 1\n", (1, 2)),
            (Shell, "if true; then\n  echo a\n", (1, 1)),
            (Docker, "FROM alpine\nRUNN ls\n", (2, 1)),
        ] {
            assert_eq!(at(language, text), Some(place), "{text}: {:?}", broken(language, text));
        }
    }

    #[test]
    fn depth_length_and_aliases_cost_nothing() {
        let start = std::time::Instant::now();
        for (language, open) in
            [(Json, "["), (Yaml, "["), (Yaml, "- "), (Toml, "a = ["), (Xml, "<a>"), (Shell, "$(")]
        {
            drop(broken(language, &open.repeat(200_000)));
        }
        let mut bomb = String::from("a0: &a0 [x, x]\n");
        for n in 1..30 {
            bomb.push_str(&format!("a{n}: &a{n} [*a{}, *a{}]\n", n - 1, n - 1));
        }
        assert_eq!(broken(Yaml, &bomb), None);
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
