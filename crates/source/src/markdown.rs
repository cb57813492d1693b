//! The structure of Markdown: what renders as something else than was meant.

use crate::{Place, Problem};

/// What is wrong with a text's structure: a heading that skips a level, has no blank line around it or no blank behind its signs, a
/// list or a fence without a blank line above it, a fence that isn't closed, a row of a table with another number of cells.
#[must_use]
pub fn markdown(text: &str) -> Vec<Problem> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut fence: Option<(char, usize, usize)> = None;
    let mut level = 0;
    let mut cells: Option<usize> = None;
    let start = front_matter(&lines);
    let mut above = "";
    let mut comment = false;
    for (index, line) in lines.iter().enumerate().skip(start) {
        let number = index + 1;
        let mut problem = |column: usize, what: &str| {
            found.push(Problem { place: Place { line: number, column }, what: what.to_owned() });
        };
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        if let Some((sign, length, _)) = fence {
            let rest = trimmed.trim_start_matches(sign);
            if trimmed.len() - rest.len() >= length && rest.trim().is_empty() {
                fence = None;
                above = "";
            }
            continue;
        }
        if comment || trimmed.starts_with("<!--") {
            comment = !trimmed.contains("-->");
            above = "";
            continue;
        }
        // Code by indentation, where no list goes on.
        if indent >= 4 && above.trim().is_empty() && !trimmed.is_empty() {
            continue;
        }
        if let Some((sign, length)) = fence_of(trimmed) {
            if !above.trim().is_empty() && !is_heading(above) {
                problem(indent + 1, "a code block without a blank line above it");
            }
            fence = Some((sign, length, number));
            continue;
        }
        if let Some(depth) = heading(trimmed).filter(|_| indent < 4) {
            if level > 0 && depth > level + 1 {
                problem(indent + 1, &format!("a heading of level {depth} below one of level {level}"));
            }
            level = depth;
            if !above.trim().is_empty() {
                problem(indent + 1, "a heading without a blank line above it");
            }
            let below = lines.get(index + 1).is_some_and(|below| !below.trim().is_empty());
            if below {
                problem(indent + 1, "a heading without a blank line below it");
            }
        } else if is_item(trimmed) && !above.trim().is_empty() {
            let continues =
                is_item(above.trim_start()) || above.starts_with([' ', '\t', '>', '|']) || indent > 0;
            if !continues && !is_heading(above) {
                problem(indent + 1, "a list without a blank line above it");
            }
        }
        let row = trimmed.starts_with('|').then(|| count_cells(trimmed));
        match (row, cells) {
            (Some(row), Some(cells)) if row != cells => {
                problem(indent + 1, &format!("a table's row of {row} cells below a head of {cells}"));
            }
            (Some(row), None) => cells = Some(row),
            (None, _) => cells = None,
            _ => {}
        }
        above = line;
    }
    if let Some((_, _, line)) = fence {
        found.push(Problem {
            place: Place { line, column: 1 },
            what: "a code block that isn't closed".to_owned(),
        });
    }
    found
}

/// How many lines `---` to `---` take at the beginning.
fn front_matter(lines: &[&str]) -> usize {
    match lines.first() {
        Some(&"---") => lines.iter().skip(1).position(|line| *line == "---").map_or(0, |at| at + 2),
        _ => 0,
    }
}

fn fence_of(line: &str) -> Option<(char, usize)> {
    ['`', '~'].into_iter().find_map(|sign| {
        let rest = line.trim_start_matches(sign);
        let length = line.len() - rest.len();
        (length >= 3 && !(sign == '`' && rest.contains('`'))).then_some((sign, length))
    })
}

/// The level of `## Title`; `#tag` is none.
fn heading(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && (rest.is_empty() || rest.starts_with([' ', '\t']))).then_some(level)
}

fn is_heading(line: &str) -> bool {
    heading(line.trim_start()).is_some()
}

fn is_item(line: &str) -> bool {
    let number = line.split_once(". ").is_some_and(|(number, _)| number == "1");
    number || ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet))
}

/// The cells of a row; an escaped bar and one within code separate nothing.
fn count_cells(line: &str) -> usize {
    let (mut count, mut code, mut escaped) = (0_usize, false, false);
    let line = line.trim().trim_start_matches('|');
    let mut last = ' ';
    for character in line.chars() {
        match character {
            '`' if !escaped => code = !code,
            '|' if !escaped && !code => count += 1,
            _ => {}
        }
        escaped = character == '\\' && !escaped;
        last = character;
    }
    if last == '|' { count } else { count + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        markdown(text).into_iter().map(|one| (one.place.line, one.what)).collect()
    }

    #[test]
    fn what_is_well_formed_has_no_problem() {
        for text in [
            "# A\n\nText.\n\n- one\n- two\n  more\n\n```sh\n# no heading\n- no list\n```\n\n## B\n\n| a | b |\n|---|---|\n| `x|y` | \\| |\n",
            "---\ntitle: x\n---\n\n# A\n\n1. one\n2. two\n\n#tag\n",
            "Text\n\n    - code by indentation\n\n<!--\n# no heading\n- x\n-->\n",
            "- a\n\n  text\n  - b\n",
            "",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn what_renders_otherwise_is_found_with_its_line() {
        for (text, line, what) in [
            ("# A\nText\n", 1, "a heading without a blank line below it"),
            ("Text\n# A\n", 2, "a heading without a blank line above it"),
            ("# A\n\n### B\n", 3, "a heading of level 3 below one of level 1"),
            ("Text:\n- one\n", 2, "a list without a blank line above it"),
            ("Text\n```\nx\n```\n", 2, "a code block without a blank line above it"),
            ("A\n\n```\nx\n", 3, "a code block that isn't closed"),
            ("| a | b |\n|---|---|\n| x |\n", 3, "a table's row of 1 cells below a head of 2"),
        ] {
            assert_eq!(found(text), [(line, what.to_owned())], "{text}");
        }
    }
}
