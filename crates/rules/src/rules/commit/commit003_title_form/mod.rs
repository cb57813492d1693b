//! COMMIT003: a commit's title hasn't the form that the project asks for.

use hookgate_policy::CommitConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::title::Form;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT003",
    name: "title-form",
    summary: "a commit's title hasn't the form that the project asks for",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let Some(text) = commit.text.as_ref().filter(|text| !text.is_empty() && !text.is_of_git()) else {
        return;
    };
    let form = Form {
        style: convention.style.unwrap_or_default(),
        types: convention.types.as_deref(),
        scope: convention.scope.unwrap_or_default(),
    };
    if let Some((what, fix)) = form.problem(text.title()) {
        problems.push(Problem::new(what, text.span).fix(fix));
    }
    // A pattern that doesn't compile is an error of the policy, which says so itself.
    if convention.title.as_ref().is_some_and(|title| !title.matches(text.title()).unwrap_or(true)) {
        let what =
            say!("writes the title {}, which doesn't match the policy's pattern", Quoted::new(text.title()));
        problems.push(
            Problem::new(what, text.span).fix("write a title that matches `commit.title` in the policy"),
        );
    }
}
