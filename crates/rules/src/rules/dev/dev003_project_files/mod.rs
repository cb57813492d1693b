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
    // A formatter that is given the project writes the sources in it, and nothing else.
    let formats =
        seen.effect.kind == Kind::Write && seen.of_call().any(|other| other.effect.kind == Kind::Format);
    let whole = formats && (path.traits == Traits::ROOT || path.traits == Traits::default());
    let guarded = !whole && (path.traits != Traits::default() || seen.is_root());
    let gentle = match seen.effect.kind {
        // What is moved is still there: where it goes is a write of its own, which has to be granted as well.
        Kind::Write | Kind::Append | Kind::Link | Kind::Move => true,
        Kind::Permission => !seen.effect.recursive && seen.happens(Manner::OWN_MODE),
        _ => false,
    };
    (inside && !guarded && gentle).then(|| seen.cover("writes inside the project")).flatten()
}
