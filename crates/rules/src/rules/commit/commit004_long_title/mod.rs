//! COMMIT004: a commit's title is too long.

use hookgate_policy::CommitConvention;
use hookgate_text::say;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT004",
    name: "long-title",
    summary: "a commit's title is too long",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let (Some(text), Some(most)) =
        (commit.text.as_ref().filter(|text| !text.is_of_git()), convention.title_max)
    else {
        return;
    };
    let long = text.title().chars().count();
    if long > most {
        let what = say!("writes a title of {} characters, more than {}", long, most);
        problems.push(
            Problem::new(what, text.span)
                .fix("shorten the title; its type and scope count, and details belong below a blank line"),
        );
    }
}
