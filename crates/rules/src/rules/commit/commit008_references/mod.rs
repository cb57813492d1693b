//! COMMIT008: a commit's message refers to an issue where it mustn't, or doesn't where it must.

use hookgate_policy::CommitConvention;
use hookgate_policy::References;
use hookgate_text::{Quoted, say};

use crate::conventions::message::reference;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT008",
    name: "references",
    summary: "a commit's message refers to an issue where it mustn't, or doesn't where it must",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let Some(text) = commit.text.as_ref().filter(|text| !text.is_empty() && !text.is_of_git()) else {
        return;
    };
    let found = text.lines().find_map(|(number, line)| Some((number, reference(line)?)));
    match (convention.references.unwrap_or_default(), found) {
        (References::Forbidden, Some((number, word))) => {
            let what = say!("refers to {} on line {} of the message", Quoted::new(word), number);
            problems
                .push(Problem::new(what, text.span).fix("leave the reference out; the pull request has it"));
        }
        (References::Required, None) => {
            problems.push(
                Problem::new("commits without a reference to an issue", text.span)
                    .fix("name the issue: `#12`"),
            );
        }
        _ => {}
    }
}
