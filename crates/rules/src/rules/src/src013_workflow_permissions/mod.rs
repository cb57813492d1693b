//! SRC013: a workflow doesn't say what it may do, or may do everything.

use hookgate_effects::Kind;
use hookgate_source::{is_workflow, permissions};
use hookgate_text::{Message, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC013",
    name: "workflow-permissions",
    summary: "a workflow doesn't say what it may do, or may do everything",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| is_workflow(&file.path)) {
        // What was so before is not this edit's doing.
        let Some(problem) = permissions(&file.after) else { continue };
        if file.before.as_deref().is_none_or(|before| permissions(before).is_none()) {
            let what = say!("{}", Message::in_their_words(&problem.what));
            hits.push(file.at(
                problem.place,
                &what,
                "add `permissions: { contents: read }`, and more only where it is needed",
            ));
        }
    }
}
