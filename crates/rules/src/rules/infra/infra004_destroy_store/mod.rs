//! INFRA004: a store of data is removed with all that it holds.

use hookgate_effects::Kind;
use hookgate_knowledge::shipped;
use hookgate_text::say;

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "INFRA004",
    name: "destroy-store",
    summary: "a store of data is removed with all that it holds",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::CloudDestroy, Kind::ClusterDestroy, Kind::ContainerDestroy]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    (names_store(seen) || takes_volumes(seen)).then(|| {
        seen.hit(say!(
            "deletes {} with all that is kept there",
            seen.target("a volume, bucket, cluster or namespace")
        ))
        .fix("make a backup first, and let the user delete it")
    })
}

/// Does a word of the call name something that keeps data (`volume rm`, `delete pvc`, `s3 rb`)?
fn names_store(seen: &Seen<'_>) -> bool {
    let stores = shipped().table("commands/words/stores");
    let is_store = |word: &str| {
        word.split(['-', '.', '/']).next().is_some_and(|first| stores.contains(first))
            || stores.contains(word)
    };
    seen.call().is_some_and(|call| {
        call.subcommand.iter().any(|word| word.split('-').any(|part| stores.contains(part)))
    }) || seen.argument(|word| !word.starts_with('-') && is_store(word))
}

/// Does an option take the volumes along (`compose down -v`, `system prune --volumes`)?
fn takes_volumes(seen: &Seen<'_>) -> bool {
    seen.effect.kind == Kind::ContainerDestroy
        && seen.argument(|word| {
            matches!(word, "--volumes" | "--volumes=true")
                || (word.starts_with('-') && !word.starts_with("--") && word.contains('v'))
        })
}
