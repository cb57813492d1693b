//! PKG002: another package manager is used, and no equivalent is known.

use crate::{Check, Kinds, Rule, packages};

pub(crate) const RULE: Rule = Rule {
    code: "PKG002",
    name: "unlisted-subcommand",
    summary: "another package manager is used, and no equivalent is known",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Text(packages::unlisted),
};
