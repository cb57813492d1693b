//! SRC010: a workflow runs an action that isn't pinned to a commit.

use hookgate_effects::Kind;
use hookgate_source::{ActionProblem, actions, is_workflow};
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC010",
    name: "unpinned-action",
    summary: "a workflow runs an action that isn't pinned to a commit",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| is_workflow(&file.path)) {
        let found = actions(&file.after).into_iter().filter(|(kind, _)| *kind == ActionProblem::Unpinned);
        for problem in file.fresh(found.map(|(_, problem)| problem).collect()) {
            let what = say!("uses {}, a tag or branch that can be moved,", Quoted::new(&problem.what));
            let fix = "pin the commit's full hash, and name the version in a comment: `@HASH # v1.2.3`";
            hits.push(file.at(problem.place, &what, fix));
        }
    }
}
