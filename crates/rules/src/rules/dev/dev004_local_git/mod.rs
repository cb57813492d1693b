//! DEV004: commits and other local git operations are granted.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DEV004",
    name: "local-git",
    summary: "commits and other local git operations are granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitChange, Kind::GitCommit, Kind::GitFetch, Kind::GitRewrite]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    seen.cover("changes only the local repository")
}
