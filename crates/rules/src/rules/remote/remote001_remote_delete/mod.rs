//! REMOTE001: something on a remote service is deleted.

use hookgate_effects::Kind;
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
            .fix(seen.tried_first("archive or close it instead, or ask the user")),
    )
}
