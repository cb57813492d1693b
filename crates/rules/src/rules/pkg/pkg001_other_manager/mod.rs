//! PKG001: another package manager is used although the project's has an equivalent.

use crate::{Check, Kinds, Rule, packages};

pub(crate) const RULE: Rule = Rule {
    code: "PKG001",
    name: "other-manager",
    summary: "another package manager is used although the project's has an equivalent",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Text(packages::counterparts),
};
