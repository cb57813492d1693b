//! SRC012: puts text from outside into a workflow's script.

use hookgate_effects::Kind;
use hookgate_source::{injections, is_workflow};
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC012",
    name: "workflow-injection",
    summary: "puts text from outside into a workflow's script",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| is_workflow(&file.path)) {
        for problem in file.fresh(injections(&file.after)) {
            let what = say!("puts {} into a script", Quoted::new(&problem.what));
            let fix = "pass it through `env`, and use the variable in the script";
            hits.push(file.at(problem.place, &what, fix));
        }
    }
}
