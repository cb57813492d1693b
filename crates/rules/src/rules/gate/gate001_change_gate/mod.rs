//! GATE001: hookgate's policy, state or binary is changed.

use hookgate_effects::Traits;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GATE001",
    name: "change-gate",
    summary: "hookgate's policy, state or binary is changed",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let own = seen.changes(Traits::GATE, &seen.places().gate) || seen.shuts(&seen.places().gate);
    own.then(|| {
        // A directory may be the system's or a person's, with hookgate's files in it.
        let whose =
            if seen.effect.recursive { "where hookgate keeps files" } else { "which belongs to hookgate" };
        seen.hit(say!("{} {}, {}", seen.verb(), seen.target("a file"), whose))
            .fix("leave hookgate's files alone; ask the user to change them")
            .forbidden()
    })
}
