//! SESS101: a stash is made or applied while another session works in the repository.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::alongside::{files, hit, named, neighbours, open_files};
use crate::{Check, Hit, Kinds, Rule, Scene, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SESS101",
    name: "shared-stash",
    summary: "a stash is made or applied while another session works in the repository",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange, Kind::GitDropStash]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let shared = |seen: &Seen<'_>| seen.happens(Manner::SHARED);
    for (index, call, directory, alongside) in neighbours(scene, &[Kind::GitChange, Kind::GitDropStash]) {
        if !scene.seen().any(|seen| seen.index == index && shared(&seen)) {
            continue;
        }
        for neighbour in alongside {
            let open = open_files(scene, directory, &neighbour);
            let mut what = say!("changes the stash, shared with {}", named(&neighbour));
            if !open.is_empty() {
                what.push(&say!(", whose work is in {}", files(&open, scene)));
            }
            hits.push(hit(index, call.span(), what, "commit your own files by name instead"));
        }
    }
}
