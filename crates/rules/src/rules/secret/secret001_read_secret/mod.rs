//! SECRET001: a secret is read.

use hookgate_effects::{Kind, Traits};

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
        || (seen.has(Traits::SECRET) && !seen.lists() && !seen.is_identity());
    secret.then(|| {
        seen.hit(format!("reads {}, which is or holds a secret", seen.target("a stored credential")))
            .fix("let the program take the secret from its own file or environment")
    })
}
