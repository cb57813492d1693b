//! SESS103: uncommitted work of another session is discarded.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::alongside::{files, hit, named, neighbours, open_files};
use crate::{Check, Hit, Kinds, Rule, Scene, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SESS103",
    name: "others-work",
    summary: "uncommitted work of another session is discarded",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDiscard, Kind::Delete]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (index, call, directory, alongside) in neighbours(scene, &[Kind::GitDiscard, Kind::Delete]) {
        let own = || scene.seen().filter(|seen| seen.call().is_some_and(|other| other.span() == call.span()));
        let paths: Vec<Seen<'_>> = own()
            .filter(|seen| matches!(seen.effect.kind, Kind::Write | Kind::Delete) && seen.path().is_some())
            .collect();
        for neighbour in alongside {
            let mut lost = open_files(scene, directory, &neighbour);
            // Where the call names paths, what lies at or below one of them; otherwise all.
            if !paths.is_empty() {
                lost.retain(|file| paths.iter().any(|seen| takes(seen, file)));
            }
            if !lost.is_empty() {
                let what = say!("discards {}, changed by {}", files(&lost, scene), named(&neighbour));
                hits.push(hit(index, call.span(), what, "name your own files only"));
            }
        }
    }
}

/// Does the effect take that file?
fn takes(seen: &Seen<'_>, file: &str) -> bool {
    seen.path().is_some_and(|path| {
        let below =
            file.strip_prefix(&path.path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        below || path.pattern
    })
}
