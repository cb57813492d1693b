//! SRC006: a very large file is written by hand.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC006",
    name: "large-write",
    summary: "a very large file is written by hand",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

/// The size in bytes from which a text is large.
const LARGE: usize = 512 * 1024;

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| file.in_project) {
        let was_large = file.before.as_ref().is_some_and(|before| before.len() >= LARGE);
        if file.after.len() >= LARGE && !was_large {
            hits.push(file.about(
                "writes more than 512 KB into",
                "keep files of that size out of the source tree, or generate them",
            ));
        }
    }
}
