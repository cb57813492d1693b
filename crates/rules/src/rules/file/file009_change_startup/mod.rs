//! FILE009: a file that runs at login or shell start is changed.

use hookgate_effects::Traits;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "FILE009",
    name: "change-startup",
    summary: "a file that runs at login or shell start is changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.has(Traits::STARTUP).then(|| {
        seen.hit(say!("{} {}, which runs at every login or shell start", seen.verb(), seen.target("a file")))
            .fix("set it for one command only, or ask the user to add it")
    })
}
