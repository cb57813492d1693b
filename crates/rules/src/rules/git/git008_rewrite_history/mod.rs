//! GIT008: the repository's whole history is rewritten.

use hookgate_effects::{Kind, Manner};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT008",
    name: "rewrite-history",
    summary: "the repository's whole history is rewritten",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitRewrite]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.happens(Manner::WHOLE)
        .then(|| seen.hit("rewrites the whole repository's history").fix("make the change in a new commit"))
}
