//! DEV001: the project's builds, tests, linters and formatters are granted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DEV001",
    name: "project-tools",
    summary: "the project's builds, tests, linters and formatters are granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Build, Kind::Test, Kind::Lint, Kind::Format, Kind::Generate]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.cover("runs the project's own tools")
}
