//! SESS102: the branch is switched or reset while another session works on it.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::alongside::{hit, named, neighbours};
use crate::{Check, Hit, Kinds, Rule, Scene, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SESS102",
    name: "moved-branch",
    summary: "the branch is switched or reset while another session works on it",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange, Kind::GitDiscard, Kind::GitRewrite]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    let kinds = &[Kind::GitChange, Kind::GitDiscard, Kind::GitRewrite];
    for (index, call, _, alongside) in neighbours(scene, kinds) {
        let own = scene.seen().filter(|seen| seen.call().is_some_and(|other| other.span() == call.span()));
        let moves = |seen: &Seen<'_>| match seen.effect.kind {
            Kind::GitChange => seen.happens(Manner::MOVES),
            // A commit that is amended stays where it is for whoever works on.
            Kind::GitRewrite => !seen.happens(Manner::AMENDABLE),
            _ => false,
        };
        if !own.into_iter().any(|seen| moves(&seen)) {
            continue;
        }
        for neighbour in alongside {
            let what = say!("changes the branch that is checked out under {}", named(&neighbour));
            hits.push(hit(
                index,
                call.span(),
                what,
                "work in a work tree of your own: `git worktree add PATH`",
            ));
        }
    }
}
