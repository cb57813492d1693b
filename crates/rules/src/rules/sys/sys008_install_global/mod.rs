//! SYS008: programs are installed for the user or the whole machine.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SYS008",
    name: "install-global",
    summary: "programs are installed for the user or the whole machine",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::InstallGlobal]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("installs {} for the user or the whole machine", seen.target("packages")))
            .fix("install it into the project instead"),
    )
}
