//! DB001: data or tables in a database are destroyed.

use hookgate_effects::{Kind, Manner};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DB001",
    name: "database-destroy",
    summary: "data or tables in a database are destroyed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::DatabaseDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // The database of the tests is filled by them.
    (!seen.happens(Manner::FOR_TESTS)).then(|| {
        seen.hit(say!("destroys {}", seen.target("data in a database")))
            .fix("dump the data first, or ask the user to run it")
    })
}
