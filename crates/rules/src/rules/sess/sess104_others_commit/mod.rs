//! SESS104: changes of another session are committed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::alongside::{files, hit, named, neighbours};
use crate::conventions::additions::staged;
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SESS104",
    name: "others-commit",
    summary: "changes of another session are committed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange, Kind::GitCommit]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let mut asked = neighbours(scene, &[Kind::GitChange, Kind::GitCommit]);
    if asked.is_empty() {
        return;
    }
    for (index, staged) in staged(scene) {
        let Some((_, call, _, alongside)) = asked.iter_mut().find(|(at, ..)| *at == index) else { continue };
        for neighbour in alongside {
            // A file that is named one by one is meant.
            let found = staged.iter().filter(|file| file.found && neighbour.changed.contains(&file.path));
            let taken: Vec<String> = found.map(|file| file.path.clone()).collect();
            if !taken.is_empty() {
                let what = say!("includes {}, changed by {}", files(&taken, scene), named(neighbour));
                hits.push(hit(index, call.span(), what, "stage your own files by name"));
            }
        }
    }
}
