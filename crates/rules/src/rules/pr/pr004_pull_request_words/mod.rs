//! PR004: a pull request has words that the project doesn't want, or names an agent as its author.

use hookgate_effects::Kind;
use hookgate_policy::PullRequestConvention;
use hookgate_text::{Message, Quoted, say};

use crate::conventions::attribution::names_agent;
use crate::conventions::message::find_word;
use crate::conventions::{self, Problem, PullRequest};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PR004",
    name: "pull-request-words",
    summary: "a pull request has words that the project doesn't want, or names an agent as its author",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteChange]),
    check: Check::Whole(|facts, hits| conventions::pull_requests(facts, hits, look)),
};

fn look(convention: &PullRequestConvention, request: &PullRequest<'_>, problems: &mut Vec<Problem>) {
    for (part, text) in [("title", &request.title), ("body", &request.body)] {
        let Some(text) = text else { continue };
        for word in convention.forbid.iter().flatten() {
            if let Some((number, _)) = text.lines().find(|(_, line)| find_word(line, word)) {
                let part = Message::from(part);
                let what = say!("writes {} on line {} of the {}", Quoted::new(word), number, part);
                problems.push(Problem::new(what, text.span).fix("use other words"));
            }
        }
        let refused = convention.no_attribution == Some(true);
        if let Some((_, line)) = text.lines().find(|(_, line)| refused && names_agent(line)) {
            let what = say!("names an agent as the author: {}", Quoted::new(line.trim()));
            problems.push(Problem::new(what, text.span).fix("leave that line out"));
        }
    }
}
