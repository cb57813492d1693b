//! PUSH003: a push goes right to a protected branch.

use hookgate_policy::PushConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::Problem;
use crate::conventions::pushes::{PUSHES, Push, look_at};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PUSH003",
    name: "protected-branch",
    summary: "a push goes right to a protected branch",
    page: include_str!("page.md"),
    kinds: Kinds::of(PUSHES),
    check: Check::Whole(|scene, hits| look_at(scene, PUSHES, hits, look)),
};

fn look(convention: &PushConvention, push: &Push<'_>, problems: &mut Vec<Problem>) {
    let Some(protected) = &convention.protected else { return };
    for (branch, span) in push.branches() {
        if protected.iter().any(|glob| glob.matches_text(&branch)) && !push.is_tag(&branch) {
            let what = say!("pushes to {}, which is protected", Quoted::new(&branch));
            problems.push(Problem::new(what, span).fix("push another branch, and open a pull request"));
        }
    }
}
