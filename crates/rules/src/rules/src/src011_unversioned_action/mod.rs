//! SRC011: a workflow pins an action without saying which version that is.

use hookgate_effects::Kind;
use hookgate_source::{ActionProblem, actions, is_workflow};
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC011",
    name: "unversioned-action",
    summary: "a workflow pins an action without saying which version that is",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| is_workflow(&file.path)) {
        let found = actions(&file.after).into_iter().filter(|(kind, _)| *kind == ActionProblem::Unversioned);
        for problem in file.fresh(found.map(|(_, problem)| problem).collect()) {
            let what = say!("pins {} without its version", Quoted::new(&problem.what));
            hits.push(file.at(problem.place, &what, "add the version as a comment: `# v1.2.3`"));
        }
    }
}
