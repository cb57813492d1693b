//! ISSUE001: an issue has no body, or one without the sections that the project asks for.

use hookgate_effects::{Kind, Part};
use hookgate_text::{Quoted, say};

use crate::conventions::sections::{Section, state};
use crate::conventions::{Problem, advice, calls, report, text_of};
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "ISSUE001",
    name: "issue-body",
    summary: "an issue has no body, or one without the sections that the project asks for",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteChange]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (index, call) in calls(scene, &[Kind::RemoteChange]) {
        let says = |part| call.said().iter().any(|said| said.part == part);
        if !(says(Part::IssueTitle) || says(Part::IssueBody)) || says(Part::Filled) {
            continue;
        }
        let body = text_of(&call, Part::IssueBody);
        let written = body.as_ref().filter(|body| !body.is_empty());
        let bare = written.is_none() && (body.is_some() || !(says(Part::IssueBody) || says(Part::Existing)));
        let mut problems = Vec::new();
        for convention in &scene.conventions().issues {
            if convention.body == Some(true) && bare {
                let problem = Problem::new("writes an issue without a body", call.span());
                problems.push(problem.fix(advice("describe the issue", &call, Part::IssueBody)));
            }
            for section in convention.sections.iter().flatten() {
                if written.is_some_and(|body| state(body, section) != Section::Filled) {
                    let what = say!("writes a body without the section {}", Quoted::new(section));
                    let fix = say!("add the heading {} with text below it", Quoted::new(section));
                    problems.push(Problem::new(what, call.span()).fix(fix));
                }
            }
        }
        report(problems, index, hits);
    }
}
