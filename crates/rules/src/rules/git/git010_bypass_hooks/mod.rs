//! GIT010: git's hooks or signatures are skipped.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT010",
    name: "bypass-hooks",
    summary: "git's hooks or signatures are skipped",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitBypass]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit("skips the repository's hooks or signatures")
            .fix("run it without the option and fix what the hook reports"),
    )
}
