//! EXEC003: another program is made to run unexpected code.

use hookgate_effects::{Certainty, Kind};
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC003",
    name: "hijack",
    summary: "another program is made to run unexpected code",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Hijack]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // An editor or a search path of one's own is possible harm: it is not granted, and not stopped.
    (seen.effect.certainty == Certainty::Certain).then(|| {
        seen.hit(say!("makes another program run code through {}", seen.target("a setting")))
            .fix("run the program you need directly, and leave the setting alone")
    })
}
