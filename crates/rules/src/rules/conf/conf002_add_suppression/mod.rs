//! CONF002: an edit adds a mark that turns a linter off.

use hookgate_effects::{Kind, Manner, file_name};
use hookgate_lint::added;
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "CONF002",
    name: "add-suppression",
    summary: "an edit adds a comment or attribute that turns a linter off",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append, Kind::Format, Kind::Generate]),
    check: Check::Whole(check),
};

/// What to do instead.
const FIX: &str = "correct what it finds, or ask the user whether to ignore it";

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources() {
        for mark in added(&file.path, file.before.as_deref().unwrap_or_default(), &file.after) {
            let message = say!(
                "adds {} to {} on line {}, which turns {} off there",
                Quoted::new(mark.mark),
                Quoted::new(file_name(&file.path)),
                mark.line,
                Quoted::new(mark.linter.name())
            );
            hits.push(file.hit(message, FIX));
        }
    }
    let suppressing = scene.seen().filter(|seen| seen.happens(Manner::SUPPRESSES));
    hits.extend(suppressing.map(|seen| seen.hit("has a linter ignore what it finds").fix(FIX)));
}
