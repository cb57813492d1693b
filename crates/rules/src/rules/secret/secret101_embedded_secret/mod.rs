//! SECRET101: puts a secret into the text of the call.

use hookgate_effects::{Certainty, Kind};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET101",
    name: "embedded-secret",
    summary: "puts a secret into the text of the call",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::EmbedSecret]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.effect.certainty == Certainty::Certain).then(|| {
        seen.hit(say!("carries {}", seen.target("a secret")))
            .fix("read the secret from an environment variable or a secret store, and rotate it if it has been exposed")
    })
}
