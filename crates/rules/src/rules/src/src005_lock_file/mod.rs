//! SRC005: a lock file is written by hand.

use hookgate_effects::Kind;
use hookgate_knowledge::shipped;

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC005",
    name: "lock-file",
    summary: "a lock file is written by hand",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let names = shipped().table("paths/regenerated/files");
    for file in scene.sources().iter().filter(|file| file.in_project) {
        let name = file.path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        if names.contains(&name) {
            hits.push(file.about(
                "edits the lock file",
                "let the package manager write it: add, update or remove a package",
            ));
        }
    }
}
