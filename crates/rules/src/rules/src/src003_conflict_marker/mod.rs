//! SRC003: marks of an unresolved merge are written into a file.

use hookgate_effects::Kind;
use hookgate_source::{Place, conflict_markers, is_markdown, is_sample};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC003",
    name: "conflict-marker",
    summary: "marks of an unresolved merge are written into a file",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources() {
        if is_sample(&file.path) || is_markdown(&file.path) {
            continue;
        }
        let marks = conflict_markers(&file.after);
        if let Some(line) = marks.into_iter().find(|line| file.is_new(*line)) {
            let place = Place { line, column: 1 };
            hits.push(file.at(
                place,
                &"leaves merge conflict markers".into(),
                "resolve the conflict, and remove the markers",
            ));
        }
    }
}
