//! EXEC003: later programs are made to run other code.

use hookgate_effects::{Certainty, Kind};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "EXEC003",
    name: "hijack",
    summary: "later programs are made to run other code",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Hijack]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // An editor or a search path of one's own is possible harm: it is not granted, and not stopped.
    (seen.effect.certainty == Certainty::Certain).then(|| {
        seen.hit(format!("makes another program run through {}", seen.target("a setting")))
            .fix("call the program that you mean by its name")
    })
}
