//! SRC007: signs are written into a file that no text has.

use hookgate_effects::Kind;
use hookgate_source::unprintable;
use hookgate_text::{Message, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC007",
    name: "binary-write",
    summary: "signs are written into a file that no text has",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources() {
        let Some(problem) = unprintable(&file.after).filter(|problem| file.is_new(problem.place.line)) else {
            continue;
        };
        let what = say!("writes the control character {}", Message::in_their_words(&problem.what));
        hits.push(file.at(problem.place, &what, "write text; let a program write binary files"));
    }
}
