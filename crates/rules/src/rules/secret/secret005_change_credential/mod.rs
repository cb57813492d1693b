//! SECRET005: logins, keys or tokens are changed.

use hookgate_effects::{Kind, Manner, Place};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET005",
    name: "change-credential",
    summary: "logins, keys or tokens are changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Credential]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // Logging in takes what only the person has, and takes nothing away.
    let logs_in = seen.happens(Manner::LOGIN);
    // A key that is made in the project or in a temporary directory opens nothing yet.
    let mut written = seen.of_call().filter(|other| other.effect.kind == Kind::Write).peekable();
    let aside = |place: Option<Place>| matches!(place, Some(Place::Temporary | Place::Project));
    let is_trial = written.peek().is_some() && written.all(|other| aside(other.place()));
    (!logs_in && !is_trial)
        .then(|| seen.hit(say!("changes {}", seen.target("a login, key or token"))).fix("let the user do it"))
}
