//! SYS009: packages are installed into the project.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS009",
    name: "install",
    summary: "packages are installed into the project",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Install]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("installs {} into the project", seen.target("packages")))
            .fix("ask the user to approve the package, by name and version"),
    )
}
