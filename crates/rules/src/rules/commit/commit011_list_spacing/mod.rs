//! COMMIT011: a list in a commit's body has no blank line above it.

use hookgate_policy::CommitConvention;
use hookgate_text::say;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT011",
    name: "list-spacing",
    summary: "a list in a commit's body has no blank line above it",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let Some(text) = commit.text.as_ref().filter(|_| convention.list_spacing == Some(true)) else { return };
    let item = |line: &str| {
        let number = line.split_once(". ").is_some_and(|(number, _)| {
            !number.is_empty() && number.len() < 4 && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet)) || number
    };
    let lines: Vec<(usize, &str)> = text.lines().collect();
    let found = lines.windows(2).find(|pair| match pair {
        [(_, above), (_, line)] => item(line) && !above.is_empty() && !item(above) && !above.starts_with(' '),
        _ => false,
    });
    if let Some([_, (number, _)]) = found {
        let what = say!("starts a list on line {} of the message without a blank line above it", *number);
        problems.push(Problem::new(what, text.span).fix("add a blank line above the list"));
    }
}
