//! DEV003: writing inside the project is granted.

use hookgate_effects::{Kind, Manner, Place, Traits};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DEV003",
    name: "project-files",
    summary: "writing inside the project is granted",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let path = seen.path()?;
    let inside = matches!(path.place, Place::Project | Place::Temporary);
    let guarded = path.traits != Traits::default() || seen.is_root();
    let gentle = match seen.effect.kind {
        Kind::Write | Kind::Append | Kind::Link => true,
        Kind::Permission => !seen.wide() && seen.happens(Manner::OWN_MODE),
        _ => false,
    };
    (inside && !guarded && gentle).then(|| seen.cover("writes inside the project")).flatten()
}
