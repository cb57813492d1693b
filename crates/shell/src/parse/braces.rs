//! Brace expansion: `{a,b}` and `{1..3}`. As in bash it is done to a word that has been read.

use crate::tree::{Part, Span, Word};

/// A sequence with more steps than this is given without its alternatives.
const MOST: i64 = 64;

/// Braces within braces, beyond which the alternatives are not given.
const DEPTH: usize = 8;

/// The parts of a word with its braces expanded. The alternatives are taken from the budget; when it is used up, none
/// are given any more.
pub(super) fn expand(parts: Vec<Part>, span: Span, budget: &mut usize) -> Vec<Part> {
    let mut groups: Vec<Group> = Vec::new();
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        let Part::Literal { text, quoted: false } = part else {
            add(&mut groups, &mut out, part);
            continue;
        };
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', ',', '}']) {
            let (before, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
            add_text(&mut groups, &mut out, before);
            let mut characters = tail.chars();
            match characters.next() {
                Some('{') => groups.push(Group::default()),
                Some(',') => match groups.last_mut() {
                    Some(group) => group.done.push(std::mem::take(&mut group.open)),
                    None => add_text(&mut groups, &mut out, ","),
                },
                _ => match groups.pop() {
                    Some(group) => {
                        let deep = groups.len() >= DEPTH;
                        let first = groups.is_empty() && out.is_empty();
                        for part in group.close(span, deep, first, budget) {
                            add(&mut groups, &mut out, part);
                        }
                    }
                    None => add_text(&mut groups, &mut out, "}"),
                },
            }
            rest = characters.as_str();
        }
        add_text(&mut groups, &mut out, rest);
    }
    // What is not closed is text.
    let mut reopened = out;
    for group in groups {
        add(&mut [], &mut reopened, literal("{"));
        for part in group.joined() {
            add(&mut [], &mut reopened, part);
        }
    }
    reopened
}

/// A brace that is open.
#[derive(Default)]
struct Group {
    /// The alternatives before the last comma.
    done: Vec<Vec<Part>>,
    open: Vec<Part>,
}

impl Group {
    /// What the group is, now that its `}` has been read.
    fn close(mut self, span: Span, deep: bool, first: bool, budget: &mut usize) -> Vec<Part> {
        if self.done.is_empty() {
            if let [Part::Literal { text, quoted: false }] = self.open.as_slice()
                && let Some(mut words) = sequence(text, span)
            {
                if words.len() > *budget {
                    words.clear();
                }
                *budget = budget.saturating_sub(words.len().max(1));
                return vec![Part::Brace(words)];
            }
            let mut parts = vec![literal("{")];
            parts.extend(self.open);
            parts.push(literal("}"));
            return parts;
        }
        *budget = budget.saturating_sub(self.done.len() + 1);
        if deep || *budget == 0 {
            return vec![Part::Brace(Vec::new())];
        }
        self.done.push(self.open);
        let words = self.done.into_iter().map(|parts| {
            let parts = if first { tilde(parts) } else { parts };
            Word { parts, span }
        });
        vec![Part::Brace(words.collect())]
    }

    /// The text after a `{` that is never closed.
    fn joined(self) -> Vec<Part> {
        let mut parts = Vec::new();
        for alternative in self.done {
            parts.extend(alternative);
            parts.push(literal(","));
        }
        parts.extend(self.open);
        parts
    }
}

fn literal(text: &str) -> Part {
    Part::Literal { text: text.to_owned(), quoted: false }
}

fn add_text(groups: &mut [Group], out: &mut Vec<Part>, text: &str) {
    if !text.is_empty() {
        add(groups, out, literal(text));
    }
}

/// Add a part to the innermost group that is open, or to the word; texts side by side become one.
fn add(groups: &mut [Group], out: &mut Vec<Part>, part: Part) {
    let parts = groups.last_mut().map_or(out, |group| &mut group.open);
    if let (Some(Part::Literal { text, quoted: false }), Part::Literal { text: more, quoted: false }) =
        (parts.last_mut(), &part)
    {
        text.push_str(more);
        return;
    }
    parts.push(part);
}

/// A tilde at the start of an alternative that begins the word.
fn tilde(mut parts: Vec<Part>) -> Vec<Part> {
    let Some(Part::Literal { text, quoted: false }) = parts.first() else { return parts };
    if !text.starts_with('~') {
        return parts;
    }
    let length = text.find('/').unwrap_or(text.len());
    let (user, rest) = text.split_at_checked(length).unwrap_or((text, ""));
    let (user, rest) = (user.to_owned(), rest.to_owned());
    parts.remove(0);
    if !rest.is_empty() {
        parts.insert(0, literal(&rest));
    }
    parts.insert(0, Part::Tilde(user));
    parts
}

/// `1..9`, `a..e`, `01..10..2`. An empty list if there are too many; `None` if it is no sequence.
fn sequence(text: &str, span: Span) -> Option<Vec<Word>> {
    let mut pieces = text.split("..");
    let (first, last) = (pieces.next()?, pieces.next()?);
    let step = pieces.next().map_or(Some(1), |step| step.parse::<i64>().ok())?;
    if pieces.next().is_some() {
        return None;
    }
    let (start, end, render): (i64, i64, Render) = match (first.parse::<i64>(), last.parse::<i64>()) {
        (Ok(start), Ok(end)) => {
            let padded = [first, last].iter().any(|text| {
                let digits = text.trim_start_matches('-');
                digits.len() > 1 && digits.starts_with('0')
            });
            let width = if padded { first.len().max(last.len()) } else { 0 };
            (start, end, Render::Number(width))
        }
        _ => {
            let (&[start], &[end]) = (first.as_bytes(), last.as_bytes()) else { return None };
            if !start.is_ascii_alphabetic() || !end.is_ascii_alphabetic() {
                return None;
            }
            (i64::from(start), i64::from(end), Render::Letter)
        }
    };
    let step = step.checked_abs()?.max(1);
    let count = end.checked_sub(start)?.checked_abs()? / step + 1;
    if count > MOST {
        return Some(Vec::new());
    }
    let direction = if end < start { -step } else { step };
    let words = (0..count)
        .map(|index| {
            let value = start.saturating_add(index.saturating_mul(direction));
            let text = match render {
                // Wider than any number, so that a hostile text can't ask for a huge one.
                Render::Number(width) => format!("{value:0width$}", width = width.min(32)),
                Render::Letter => u8::try_from(value).map(char::from).unwrap_or('?').to_string(),
            };
            Word { parts: vec![literal(&text)], span }
        })
        .collect();
    Some(words)
}

#[derive(Clone, Copy)]
enum Render {
    /// Padded with zeros to this width.
    Number(usize),
    Letter,
}
