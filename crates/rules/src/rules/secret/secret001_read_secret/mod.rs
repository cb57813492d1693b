//! SECRET001: a secret is read.

use hookgate_effects::{Kind, Target, Traits};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET001",
    name: "read-secret",
    summary: "a secret is read",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Read, Kind::SecretRead]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let secret = seen.effect.kind == Kind::SecretRead
        || (seen.has(Traits::SECRET) && !seen.lists() && !seen.is_identity() && !is_public(seen));
    (secret && !is_hidden(seen)).then(|| {
        seen.hit(format!("reads {}, which is or holds a secret", seen.target("a stored credential")))
            .fix("let the program take the secret from its own file or environment")
    })
}

/// Is it one of the files among the keys of ssh that hold public parts only?
fn is_public(seen: &Seen<'_>) -> bool {
    let path = seen.path().filter(|path| !path.pattern && !seen.effect.recursive);
    path.is_some_and(|path| {
        path.path.contains("/.ssh/authorized_keys") || path.path.ends_with("/.ssh/config")
    })
}

/// Does nobody see a value of it? A variable keeps it, or names, counts and masked text come out. What a host hands out
/// is somebody's to use, seen or not.
fn is_hidden(seen: &Seen<'_>) -> bool {
    seen.call().is_some_and(|call| call.hidden) && !matches!(seen.effect.target, Some(Target::Host(_)))
}
