//! SRC002: a file is written that can't be read as its language.

use hookgate_effects::Kind;
use hookgate_source::{broken, is_sample};
use hookgate_text::{Message, say};

use crate::sources::unreadable;
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC002",
    name: "invalid-syntax",
    summary: "a file is written that can't be read as its language",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (file, language, problem, was_valid) in unreadable(scene) {
        // One that was unreadable for the same reason is as it was.
        let is_new =
            file.before.as_deref().is_none_or(|before| broken(language, before).as_ref() != Some(&problem));
        if is_new && (!was_valid || is_sample(&file.path)) {
            let what = say!("isn't {} ({})", language.name(), Message::in_their_words(&problem.what));
            hits.push(file.at(problem.place, &what, "correct it, unless that is intended"));
        }
    }
}
