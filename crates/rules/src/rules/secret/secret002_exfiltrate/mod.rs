//! SECRET002: a secret is sent away.

use hookgate_effects::{Kind, Manner, Traits};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET002",
    name: "exfiltrate",
    summary: "a secret is sent away",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Exfiltrate, Kind::Upload, Kind::Listen]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.effect.kind == Kind::Exfiltrate || reads_secret(seen)).then(|| {
        seen.hit(say!("sends a secret to {}", seen.target("the network")))
            .fix("send only data that contains no secret")
            .forbidden()
    })
}

/// Does the call that sends also read a secret itself?
pub(crate) fn reads_secret(seen: &Seen<'_>) -> bool {
    seen.effect.call.is_some()
        && seen.of_call().any(|other| match other.effect.kind {
            Kind::SecretRead => true,
            Kind::Read => other.has(Traits::SECRET) && !other.happens(Manner::USED),
            _ => false,
        })
}
