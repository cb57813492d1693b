//! DB001: data or tables in a database are destroyed.

use hookgate_effects::Kind;
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
    (!is_for_tests(seen)).then(|| {
        seen.hit(say!("destroys {}", seen.target("data in a database")))
            .fix("make a dump first, or ask the user to run it")
    })
}

/// Is it the database of the tests, which they fill themselves (`RAILS_ENV=test`, `--env=testing`)?
fn is_for_tests(seen: &Seen<'_>) -> bool {
    let is_test = |value: &str| matches!(value, "test" | "testing");
    let set = |call: &hookgate_effects::Call| {
        call.environment.iter().any(|(name, value)| {
            (name.ends_with("_ENV") || name == "ENV") && value.as_deref().is_some_and(is_test)
        })
    };
    seen.call().is_some_and(set)
        || seen.argument(|text| text.strip_prefix("--env=").is_some_and(is_test))
        || seen.argument(|text| text.strip_prefix("RAILS_ENV=").is_some_and(is_test))
}
