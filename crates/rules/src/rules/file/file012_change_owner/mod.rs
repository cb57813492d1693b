//! FILE012: files outside the project, or whole trees, get another owner.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE012",
    name: "change-owner",
    summary: "files outside the project, or whole trees, get another owner",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Ownership]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.wide() || seen.outside()).then(|| {
        seen.hit(format!("changes the owner of {}", seen.target("files")))
            .fix("name the single file that needs it")
    })
}
