//! SRC001: an edit makes a file unreadable that could be read before.

use hookgate_effects::Kind;
use hookgate_source::is_sample;
use hookgate_text::{Message, say};

use crate::sources::unreadable;
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC001",
    name: "break-syntax",
    summary: "an edit makes a file unreadable that could be read before",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (file, language, problem, was_valid) in unreadable(scene) {
        if was_valid && !is_sample(&file.path) {
            let what = say!("breaks {} ({})", language.name(), Message::in_their_words(&problem.what));
            let fix = "correct it, or make the whole change in one edit";
            hits.push(file.at(problem.place, &what, fix));
        }
    }
}
