//! PKG001: a package manager other than the project's is called for what the project's can do.

use crate::{Check, Kinds, Rule, packages};

pub(crate) const RULE: Rule = Rule {
    code: "PKG001",
    name: "other-manager",
    summary: "a package manager other than the project's is called for what the project's can do",
    page: include_str!("page.md"),
    kinds: Kinds::NONE,
    check: Check::Whole(packages::counterparts),
};
