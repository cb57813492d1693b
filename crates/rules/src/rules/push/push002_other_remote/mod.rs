//! PUSH002: a push goes to a remote that the project doesn't push to.

use hookgate_policy::PushConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::Problem;
use crate::conventions::names::in_quotes;
use crate::conventions::pushes::{PUSHES, Push, look_at};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PUSH002",
    name: "other-remote",
    summary: "a push goes to a remote that the project doesn't push to",
    page: include_str!("page.md"),
    kinds: Kinds::of(PUSHES),
    check: Check::Whole(|scene, hits| look_at(scene, PUSHES, hits, look)),
};

fn look(convention: &PushConvention, push: &Push<'_>, problems: &mut Vec<Problem>) {
    if convention.remotes.is_none() && convention.forbid_remotes.is_none() {
        return;
    }
    let (remote, span) = match push.remote {
        Some((remote, span)) => (remote.to_owned(), span),
        None => match push.usual_remote() {
            Some(remote) => (remote, push.span()),
            None => return,
        },
    };
    let forbidden = convention.forbid_remotes.as_ref().is_some_and(|names| names.contains(&remote));
    let other = convention.remotes.as_ref().is_some_and(|names| !names.contains(&remote));
    if !forbidden && !other {
        return;
    }
    let allowed: Vec<String> = match &convention.remotes {
        Some(names) => names.clone(),
        None => push.remotes().unwrap_or_default(),
    };
    let allowed: Vec<String> = allowed
        .into_iter()
        .filter(|name| !convention.forbid_remotes.as_ref().is_some_and(|names| names.contains(name)))
        .collect();
    let what = say!("pushes to {}, which the project doesn't push to", Quoted::new(&remote));
    let fix = if allowed.is_empty() {
        "ask the user where to push to".into()
    } else {
        say!("push to one of these: {}", in_quotes(&allowed))
    };
    problems.push(Problem::new(what, span).fix(fix));
}
