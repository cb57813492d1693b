//! SECRET102: a value that looks like puts a secret into the text of the call.

use hookgate_effects::{Certainty, Kind};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "SECRET102",
    name: "likely-secret",
    summary: "a value that looks like puts a secret into the text of the call",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::EmbedSecret]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (seen.effect.certainty != Certainty::Certain).then(|| {
        seen.hit(say!("carries what looks like a secret: {}", seen.target("a random value")))
            .fix("read it from an environment variable or a secret store if it is one")
    })
}
