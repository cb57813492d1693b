//! REMOTE001: something on a remote service is deleted.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "REMOTE001",
    name: "remote-delete",
    summary: "something on a remote service is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteDelete]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("deletes {}", seen.target("something on a remote service, or takes it offline")))
            .fix(fix(seen)),
    )
}

/// Files are copied or listed first; what a service keeps can often be closed.
fn fix(seen: &Seen<'_>) -> &'static str {
    if seen.happens(Manner::TRIED) {
        "run it with `--dry-run` first, and show the user what would be deleted"
    } else {
        "archive or close it instead, or ask the user"
    }
}
