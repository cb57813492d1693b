//! PR002: a pull request has no body, or one without the sections that the project asks for.

use hookgate_effects::{Kind, Part};
use hookgate_policy::PullRequestConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::sections::{Section, state};
use crate::conventions::{self, Problem, PullRequest};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PR002",
    name: "pull-request-body",
    summary: "a pull request has no body, or one without the sections that the project asks for",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteChange]),
    check: Check::Whole(|facts, hits| conventions::pull_requests(facts, hits, look)),
};

fn look(convention: &PullRequestConvention, request: &PullRequest<'_>, problems: &mut Vec<Problem>) {
    if request.says(Part::Filled) {
        return;
    }
    let Some(body) = &request.body else {
        // One that is computed isn't known; an edit leaves the body as it is.
        let bare = request.says(Part::PullTitle) && !request.says(Part::PullBody) && request.opens();
        if convention.body == Some(true) && bare {
            let problem = Problem::new("opens a pull request without a body", request.span);
            problems.push(problem.fix(request.body_advice()));
        }
        return;
    };
    if convention.body == Some(true) && body.is_empty() {
        problems.push(Problem::new("writes an empty body", body.span).fix("say what changes and why"));
        return;
    }
    for section in convention.sections.iter().flatten() {
        let what = match state(body, section) {
            Section::Filled => continue,
            Section::Missing => say!("writes a body without the section {}", Quoted::new(section)),
            Section::Empty => say!("leaves the section {} empty", Quoted::new(section)),
        };
        let fix = say!("add the heading {} with text below it", Quoted::new(section));
        problems.push(Problem::new(what, body.span).fix(fix));
    }
}
