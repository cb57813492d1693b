//! GIT013: a git hook, or configuration that runs programs, is written.

use hookgate_effects::Traits;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT013",
    name: "write-git-hook",
    summary: "a git hook, or configuration that runs programs, is written",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.has(Traits::GIT_HOOK).then(|| {
        seen.hit(say!("{} {}, which git will run later", seen.verb(), seen.target("a hook")))
            .fix("show the user the text and let them install it")
    })
}
