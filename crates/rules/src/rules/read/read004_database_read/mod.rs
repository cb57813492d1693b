//! READ004: reading from databases is granted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "READ004",
    name: "database-read",
    summary: "reading from databases is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::DatabaseRead]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.cover("reads from a database")
}
