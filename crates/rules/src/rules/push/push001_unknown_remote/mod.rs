//! PUSH001: a push, fetch or pull names a remote that the repository doesn't have.

use hookgate_policy::PushConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::Problem;
use crate::conventions::names::in_quotes;
use crate::conventions::pushes::{Push, WITH_REMOTE, is_address, look_at};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PUSH001",
    name: "unknown-remote",
    summary: "a push, fetch or pull names a remote that the repository doesn't have",
    page: include_str!("page.md"),
    kinds: Kinds::of(WITH_REMOTE),
    check: Check::Whole(|scene, hits| look_at(scene, WITH_REMOTE, hits, look)),
};

fn look(convention: &PushConvention, push: &Push<'_>, problems: &mut Vec<Problem>) {
    let Some((remote, span)) = push.remote.filter(|(remote, _)| !is_address(remote)) else { return };
    let Some(remotes) = push.remotes().filter(|_| convention.known_remote == Some(true)) else { return };
    if remotes.iter().any(|known| known == remote) {
        return;
    }
    let what = say!("names the remote {}, which the repository doesn't have", Quoted::new(remote));
    let fix = if remotes.is_empty() {
        "add it first: `git remote add NAME URL`".into()
    } else {
        say!("use one of these: {}", in_quotes(&remotes))
    };
    problems.push(Problem::new(what, span).fix(fix));
}
