//! BRANCH001: a new branch has a name that the project doesn't use.

use hookgate_effects::{Kind, Part};

use crate::conventions::{Problem, calls, names, report};
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "BRANCH001",
    name: "branch-name",
    summary: "a new branch has a name that the project doesn't use",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (index, call) in calls(scene, &[Kind::GitChange]) {
        let mut problems = Vec::new();
        for said in call.said().iter().filter(|said| said.part == Part::NewBranch) {
            let Some(name) = &said.text else { continue };
            for convention in &scene.conventions().branches {
                if let Some((what, fix)) = names::problem(name, convention) {
                    problems.push(Problem::new(what, said.span).fix(fix));
                }
            }
        }
        report(problems, index, hits);
    }
}
