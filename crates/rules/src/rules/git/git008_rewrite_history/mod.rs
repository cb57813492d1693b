//! GIT008: the repository's whole history is rewritten.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "GIT008",
    name: "rewrite-history",
    summary: "the repository's whole history is rewritten",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitRewrite]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let call = seen.call()?;
    let whole = ["filter-branch", "filter-repo", "update-ref", "replace", "fast-import", "bfg", "migrate"];
    // `git lfs migrate`: the name may stand further down.
    let mut names = std::iter::once(&call.program).chain(&call.subcommand).map(String::as_str);
    names
        .any(|name| whole.contains(&name.strip_prefix("git-").unwrap_or(name)))
        .then(|| seen.hit("rewrites the whole repository's history").fix("make the change in a new commit"))
}
