//! ADD001: a path is staged that the project keeps out.

use hookgate_effects::Kind;
use hookgate_text::{Quoted, say};

use crate::conventions::additions::{below_project, staged};
use crate::conventions::{Problem, report};
use crate::{Check, Hit, Kinds, Rule, Scene, own};

/// How many files of a directory are named.
const NAMED: usize = 3;

pub(crate) const RULE: Rule = Rule {
    code: "ADD001",
    name: "forbidden-path",
    summary: "a path is staged that the project keeps out",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange, Kind::GitCommit]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let patterns: Vec<_> =
        scene.conventions().additions.iter().filter_map(|one| one.forbid.as_deref()).collect();
    if patterns.is_empty() {
        return;
    }
    for (index, files) in staged(scene) {
        let mut problems = Vec::new();
        let mut named = 0;
        for file in files {
            if !patterns.iter().any(|patterns| own::matches(patterns, &file.path, scene.places())) {
                continue;
            }
            named += usize::from(file.found);
            if named <= NAMED || !file.found {
                let what = say!("stages {}", Quoted::new(below_project(&file.path, scene)));
                let problem = Problem::new(what, file.span);
                problems.push(problem.fix("leave it out of the commit, or stage the other files by name"));
            }
        }
        report(problems, index, hits);
    }
}
