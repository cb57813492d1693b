//! What the same text does before an effect, so that the disk doesn't say yet what the effect will take.

use hookgate_effects::{Call, Effect, Effects, Kind, PathFact, Target};
use hookgate_knowledge::shipped;

/// Does another call of the text put something where the effect takes it away: files that it moves, a link, changes that were put aside?
pub(super) fn changes_what_is_taken(effect: &Effect, effects: &Effects) -> bool {
    // A branch is compared with the commits of others.
    if effect.kind == Kind::GitDeleteRef {
        return false;
    }
    let taken = super::files::tree(effect);
    let others = || effects.effects.iter().filter(|other| other.call != effect.call);
    let call = |other: &Effect| other.call.and_then(|index| effects.calls.get(index));
    if others().any(|other| other.kind == Kind::GitChange && call(other).is_some_and(exposes)) {
        return true;
    }
    // The destination of a move is a write of the same call.
    let moves = |other: &Effect| {
        other.call.is_some() && others().any(|one| one.call == other.call && one.kind == Kind::Move)
    };
    others().any(|other| match (other.kind, &other.target) {
        (Kind::Link, Some(Target::Path(fact))) => taken.is_some_and(|root| meet(root, fact)),
        (Kind::Write, Some(Target::Path(fact))) if moves(other) => taken.is_none_or(|root| meet(root, fact)),
        _ => false,
    })
}

fn exposes(call: &Call) -> bool {
    shipped().table("git/exposes").contains(&call.subcommand.join(".")) && call.program == "git"
}

/// May one of them lie in the other?
fn meet(root: &str, fact: &PathFact) -> bool {
    let (root, path) = (root.trim_end_matches('/'), fact.path.trim_end_matches('/'));
    let below = |path: &str, directory: &str| {
        path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    fact.pattern || below(path, root) || below(root, path)
}
