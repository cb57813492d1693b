//! CONF001: what a policy protects is weakened.

use hookgate_effects::Kind;

use crate::{Check, Kinds, Rule, protected};

pub(crate) const RULE: Rule = Rule {
    code: "CONF001",
    name: "weaken-protected",
    summary: "protected settings are weakened",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[
        Kind::Write,
        Kind::Append,
        Kind::Delete,
        Kind::Move,
        Kind::Link,
        Kind::Destroy,
        Kind::GitDiscard,
        Kind::Generate,
    ]),
    check: Check::Text(protected::weakened),
};
