//! PR003: a pull request goes into another branch without a label that says so.

use hookgate_effects::{Kind, Part};
use hookgate_policy::PullRequestConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::{self, Problem, PullRequest};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PR003",
    name: "unlabelled-base",
    summary: "a pull request goes into another branch without a label that says so",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteChange]),
    check: Check::Whole(|facts, hits| conventions::pull_requests(facts, hits, look)),
};

fn look(convention: &PullRequestConvention, request: &PullRequest<'_>, problems: &mut Vec<Problem>) {
    let Some(free) = &convention.unlabelled_bases else { return };
    for (base, span) in request.all(Part::Base) {
        let has = |labels: &str| labels.split(',').any(|label| label.trim() == base);
        let labelled = request.all(Part::Label).any(|(labels, _)| has(labels));
        if !free.iter().any(|known| known == base) && !labelled {
            let what = say!("opens a pull request into {} without a label of that name", Quoted::new(base));
            problems.push(Problem::new(what, span).fix(say!("add the label {}", Quoted::new(base))));
        }
    }
}
