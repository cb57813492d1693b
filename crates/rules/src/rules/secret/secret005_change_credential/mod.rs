//! SECRET005: logins, keys or tokens are changed.

use hookgate_effects::Kind;
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
    let logs_in = seen.argument(|argument| argument == "login");
    (!logs_in)
        .then(|| seen.hit(say!("changes {}", seen.target("a login, key or token"))).fix("let the user do it"))
}
