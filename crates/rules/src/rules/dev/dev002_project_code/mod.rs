//! DEV002: running the project's own code is granted.

use hookgate_effects::{Certainty, Kind};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DEV002",
    name: "project-code",
    summary: "running the project's own code is granted",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::ProjectCode]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.effect.certainty == Certainty::Certain).then(|| seen.cover("runs the project's own code")).flatten()
}
