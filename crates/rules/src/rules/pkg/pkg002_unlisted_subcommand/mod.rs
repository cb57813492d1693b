//! PKG002: another package manager's subcommand is called, and no counterpart is known.

use crate::{Check, Kinds, Rule, packages};

pub(crate) const RULE: Rule = Rule {
    code: "PKG002",
    name: "unlisted-subcommand",
    summary: "another package manager's subcommand is called, and no counterpart is known",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(packages::unlisted),
};
