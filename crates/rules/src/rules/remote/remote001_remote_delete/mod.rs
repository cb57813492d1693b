//! REMOTE001: something at a remote service is deleted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "REMOTE001",
    name: "remote-delete",
    summary: "something at a remote service is deleted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::RemoteDelete]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(format!(
            "deletes {}",
            seen.target("something at a remote service, or takes it out of service")
        ))
        .fix("archive or close it instead, or ask the person"),
    )
}
