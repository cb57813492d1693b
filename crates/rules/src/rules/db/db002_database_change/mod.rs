//! DB002: rows or tables in a database are changed.

use hookgate_effects::Kind;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DB002",
    name: "database-change",
    summary: "rows or tables in a database are changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::DatabaseChange]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit(say!("changes {}", seen.target("data in a database")))
            .fix("make the change in a transaction"),
    )
}
