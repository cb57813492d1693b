//! ADD001: a path is staged that the project keeps out.

use hookgate_effects::{Kind, Part};
use hookgate_text::{Quoted, say};

use crate::conventions::{Problem, calls, report};
use crate::{Check, Hit, Kinds, Rule, Scene, own};

pub(crate) const RULE: Rule = Rule {
    code: "ADD001",
    name: "forbidden-path",
    summary: "a path is staged that the project keeps out",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (index, call) in calls(scene, Kind::GitChange) {
        let mut problems = Vec::new();
        for said in call.said().iter().filter(|said| said.part == Part::Staged) {
            let Some(path) = &said.text else { continue };
            let mut patterns = scene.conventions().additions.iter().filter_map(|one| one.forbid.as_deref());
            if patterns.any(|patterns| own::matches(patterns, path, scene.places())) {
                let below =
                    path.strip_prefix(&scene.places().project).map(|rest| rest.trim_start_matches('/'));
                let what = say!("stages {}", Quoted::new(below.unwrap_or(path)));
                let problem = Problem::new(what, said.span);
                problems.push(problem.fix("leave it out of the commit, or stage the other files by name"));
            }
        }
        report(problems, index, hits);
    }
}
