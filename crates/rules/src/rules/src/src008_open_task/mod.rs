//! SRC008: a task is left in a file without saying where it is written down.

use hookgate_effects::Kind;
use hookgate_source::{is_markdown, open_tasks};
use hookgate_text::{Message, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC008",
    name: "open-task",
    summary: "a task is left in a file without saying where it is written down",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| file.in_project && !is_markdown(&file.path)) {
        for problem in file.fresh(open_tasks(&file.after)) {
            let what = say!("leaves a {}", Message::in_their_words(&problem.what));
            hits.push(file.at(problem.place, &what, "do it, or name the issue: `(#12)`"));
        }
    }
}
