//! GIT011: git configuration is changed.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT011",
    name: "change-git-config",
    summary: "git configuration is changed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitConfig]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    Some(
        seen.hit("changes git's configuration")
            .fix("set it for one command only, with `git -c NAME=VALUE COMMAND`"),
    )
}
