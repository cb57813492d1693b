//! SECRET004: keys or credential files outside the project are changed.

use hookgate_effects::{Kind, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen, regenerated};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET004",
    name: "change-secret-file",
    summary: "keys or credential files outside the project are changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // Who may log in is no file of a project, wherever the command is run from.
    let logins = seen.path().is_some_and(|path| path.path.ends_with("/.ssh/authorized_keys"));
    // Whoever clears a cache as a whole means no login that a program keeps in it.
    let clears = seen.effect.kind == Kind::Delete
        && seen.path().is_some_and(|path| regenerated::is_named_cache(&path.path));
    let changes = !matches!(seen.effect.kind, Kind::Permission) && !clears;
    // With the known hosts goes the trust in all of them; one more is everyday work.
    let trust = seen.effect.kind == Kind::Write
        && seen.path().is_some_and(|path| path.path.ends_with("/.ssh/known_hosts"));
    (changes && (seen.has(Traits::SECRET) && (logins || seen.outside()) || trust && seen.outside())).then(
        || {
            seen.hit(say!("{} {}, which holds keys or logins", seen.verb(), seen.target("a file")))
                .fix("let the user change their own keys and logins")
        },
    )
}
