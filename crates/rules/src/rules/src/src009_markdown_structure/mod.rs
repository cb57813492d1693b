//! SRC009: a Markdown file is written that renders as something else than was meant.

use hookgate_effects::Kind;
use hookgate_source::{is_markdown, markdown};
use hookgate_text::{Message, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC009",
    name: "markdown-structure",
    summary: "a Markdown file is written that renders as something else than was meant",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| file.in_project && is_markdown(&file.path)) {
        for problem in file.fresh(markdown(&file.after)) {
            let what = say!("writes {}", Message::in_their_words(&problem.what));
            hits.push(file.at(problem.place, &what, "correct the Markdown there"));
        }
    }
}
