//! ADD002: a file is staged that is too large for the repository.

use hookgate_effects::Kind;
use hookgate_text::{Quoted, say};

use crate::conventions::additions::{below_project, staged};
use crate::conventions::{Problem, report};
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "ADD002",
    name: "large-file",
    summary: "a file is staged that is too large for the repository",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange, Kind::GitCommit]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let Some(most) = scene.conventions().additions.iter().filter_map(|one| one.max_size).min() else {
        return;
    };
    for (index, files) in staged(scene) {
        let mut problems = Vec::new();
        for file in files {
            let Some(size) = file.size.filter(|size| *size >= most) else { continue };
            let name = below_project(&file.path, scene);
            let what = say!("stages {}, a file of {} bytes", Quoted::new(name), size);
            let problem = Problem::new(what, file.span);
            problems.push(problem.fix("leave it out, or store it with `git lfs track FILE`"));
        }
        report(problems, index, hits);
    }
}
