//! PR001: a pull request's title hasn't the form that the project asks for.

use hookgate_effects::Kind;
use hookgate_policy::PullRequestConvention;
use hookgate_text::{Message, Quoted, say};

use crate::conventions::title::{Form, misplaced};
use crate::conventions::{self, Problem, PullRequest};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PR001",
    name: "pull-request-title",
    summary: "a pull request's title hasn't the form that the project asks for",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteChange]),
    check: Check::Whole(|facts, hits| conventions::pull_requests(facts, hits, look)),
};

fn look(convention: &PullRequestConvention, request: &PullRequest<'_>, problems: &mut Vec<Problem>) {
    let Some(text) = request.title.as_ref().filter(|text| !text.is_of_git()) else { return };
    let form = Form {
        style: convention.style.unwrap_or_default(),
        types: convention.types.as_deref(),
        scope: convention.scope.unwrap_or_default(),
    };
    if let Some((what, fix)) = form.problem(text.title()) {
        problems.push(Problem::new(what, text.span).fix(fix));
    }
    let long = text.title().chars().count();
    if let Some(most) = convention.title_max.filter(|most| long > *most) {
        let what = say!("writes a title of {} characters, more than {}", long, most);
        problems.push(Problem::new(what, text.span).fix("shorten the title; details belong in the body"));
    }
    let scopes = convention.misplaced_scopes.as_deref().unwrap_or_default();
    if let Some((kind, scope)) = misplaced(text.title(), scopes) {
        let what = say!("labels a change to {} as a {}", Quoted::new(scope), Message::in_their_words(kind));
        let fix = say!("use {} as the type of the title", Quoted::new(scope));
        problems.push(Problem::new(what, text.span).fix(fix));
    }
}
