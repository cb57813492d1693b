//! What stands in a text of any language: marks of a merge, tasks that are left, headers of generators, signs that no text has.

use hookgate_knowledge::shipped;

use crate::{Place, Problem};

/// How many of the first lines may say that a program wrote the file.
const HEADER: usize = 20;

/// The lines of marks that a merge has left, where a whole conflict is there: `<<<<<<<`, `=======` and `>>>>>>>`, each at the
/// beginning of a line and in this order.
#[must_use]
pub fn conflict_markers(text: &str) -> Vec<usize> {
    let mark = |line: &str, sign: char| {
        let rest = line.trim_start_matches(sign);
        line.len() - rest.len() == 7 && (rest.is_empty() || rest.starts_with(' ') || rest.starts_with('\r'))
    };
    let mut found = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if mark(line, '<') {
            open = vec![index + 1];
        } else if !open.is_empty() && (mark(line, '=') || mark(line, '|')) {
            open.push(index + 1);
        } else if open.len() > 1 && mark(line, '>') {
            found.append(&mut open);
            found.push(index + 1);
        }
    }
    found
}

/// Tasks that are left without saying where they are written down: `TODO` and its like, without a number, an address, a ticket or
/// a name.
#[must_use]
pub fn open_tasks(text: &str) -> Vec<Problem> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some((at, mark)) = task(line) else { continue };
        let rest = line.get(at + mark.len()..).unwrap_or_default();
        if !refers(rest) {
            let column = line.get(..at).unwrap_or_default().chars().count() + 1;
            found.push(Problem { place: Place { line: index + 1, column }, what: mark.to_owned() });
        }
    }
    found
}

/// Does the line mark a task that is left, wherever that is written down?
#[must_use]
pub fn is_task(line: &str) -> bool {
    task(line).is_some()
}

/// The mark of a task in a line, and where it stands.
fn task(line: &str) -> Option<(usize, &'static str)> {
    let marks = shipped().table("paths/sources/task-marks");
    marks.rows().find_map(|row| Some((word_at(line, row.key())?, row.key())))
}

/// Where the word stands, with nothing of a word around it. In a text in quotes it is no task.
fn word_at(line: &str, word: &str) -> Option<usize> {
    let plain = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !"_\"'`-".contains(c));
    line.match_indices(word).map(|(at, _)| at).find(|at| {
        let before = line.get(..*at).and_then(|before| before.chars().next_back());
        let after = line.get(*at + word.len()..).and_then(|after| after.chars().next());
        plain(before) && plain(after)
    })
}

/// Does it name an issue, an address, a ticket or somebody: `#12`, `https://...`, `ABC-12`, `(ada)`?
fn refers(rest: &str) -> bool {
    let named = rest.starts_with('(') && rest.find(')').is_some_and(|end| end > 1);
    let number = |word: &str| {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        digits.rsplit_once(['#', '-', '!']).is_some_and(|(before, digits)| {
            let letters = before.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
            let ticket =
                letters.len() > 1 && letters.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number && (word.contains(['#', '!']) || ticket)
        })
    };
    named || rest.contains("://") || rest.split_ascii_whitespace().any(number)
}

/// The line whose words say that a program wrote the file, if one of its first lines does.
#[must_use]
pub fn generated_by(text: &str) -> Option<(usize, &str)> {
    let marks = shipped().table("paths/sources/generated-marks");
    let lines = text.lines().take(HEADER).enumerate();
    // Code that writes such a header has it in quotes.
    let mut lines = lines.filter(|(_, line)| !line.contains(['"', '\'', '`']));
    lines
        .find(|(_, line)| {
            let lower = line.to_lowercase();
            let is_comment =
                |line: &str| line.starts_with(|c: char| !c.is_alphanumeric()) || line.starts_with("rem ");
            is_comment(lower.trim_start()) && marks.rows().any(|row| lower.contains(row.key()))
        })
        .map(|(index, line)| (index + 1, line.trim()))
}

/// The first sign that no text has: a control character other than a line's, a page's or a tabulator's end, or escape.
#[must_use]
pub fn unprintable(text: &str) -> Option<Problem> {
    let is_binary = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}' | '\u{8}' | '\u{85}')
    };
    let (at, sign) = text.char_indices().find(|(_, c)| is_binary(*c))?;
    Some(Problem { place: Place::of_byte(text, at), what: format!("U+{:04X}", u32::from(sign)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_conflict_has_marks() {
        let conflict = "a\n<<<<<<< HEAD\nb\n||||||| base\n=======\nc\n>>>>>>> theirs\n";
        assert_eq!(conflict_markers(conflict), [2, 4, 5, 7]);
        for text in [
            "Title\n=======\n",
            "<<<<<<< HEAD\nb\n",
            "  <<<<<<< a\n=======\n>>>>>>> b\n",
            "<<<<<<<<\n=======\n>>>>>>>\n",
        ] {
            assert_eq!(conflict_markers(text), [] as [usize; 0], "{text}");
        }
    }

    #[test]
    fn a_mark_is_a_word() {
        assert!(is_task("// TODO: finish") && is_task("# FIXME") && is_task("XXX"));
        assert!(!is_task("the_TODO_list") && !is_task("TODOs are fine") && !is_task("hack"));
    }

    #[test]
    fn a_task_says_where_it_is_written_down() {
        for line in ["// TODO: speed up", "# FIXME", "/* XXX later */", "// TODO(): x", "// TODO see UTF-8"] {
            assert_eq!(open_tasks(line).len(), usize::from(!line.contains("UTF")), "{line}");
        }
        for line in [
            "// TODO(ada): x",
            "# TODO #12",
            "// FIXME https://x.example/1",
            "// TODO ABC-12: y",
            "let todo = 1;",
            "print(\"TODO\")",
            "// TODOS",
            "// HACK see org/repo#3",
        ] {
            assert_eq!(open_tasks(line), [], "{line}");
        }
    }

    #[test]
    fn a_generator_says_so_in_a_comment_of_the_first_lines() {
        assert_eq!(generated_by("// Code generated by x. DO NOT EDIT.\n").map(|(line, _)| line), Some(1));
        assert_eq!(generated_by("package a\n\n# @generated by y\n").map(|(line, _)| line), Some(3));
        for text in ["let header = \"// DO NOT EDIT\";\n", "Please do not edit this page\n", "# edit me\n"] {
            assert_eq!(generated_by(text), None, "{text}");
        }
    }

    #[test]
    fn a_control_sign_makes_a_text_binary() {
        assert_eq!(unprintable("a\tb\r\n\u{1b}[0m"), None);
        let found = unprintable("ab\n\0").unwrap();
        assert_eq!((found.place, found.what.as_str()), (Place { line: 2, column: 1 }, "U+0000"));
    }
}
