//! COMMIT009: a commit's message names an agent as its author.

use hookgate_policy::CommitConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::attribution::names_agent;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT009",
    name: "attribution",
    summary: "a commit's message names an agent as its author",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::all_messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    if convention.no_attribution != Some(true) {
        return;
    }
    let span = commit.text.as_ref().map_or(commit.span, |text| text.span);
    if let Some(line) = commit.trailers().find(|line| names_agent(line)) {
        let what = say!("names an agent as the author: {}", Quoted::new(line.trim()));
        problems.push(Problem::new(what, span).fix("leave that line out"));
    }
}
