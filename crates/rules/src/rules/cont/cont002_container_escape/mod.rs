//! CONT002: a container gets access to the host.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "CONT002",
    name: "container-escape",
    summary: "a container gets access to the host",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ContainerEscape]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!(
            "gives a container access to the host: {}",
            seen.target("its devices, files or processes")
        ))
        .fix(if seen.path().is_some() {
            "mount only the project directory"
        } else {
            "leave out the options that open the host to the container"
        }),
    )
}
