//! GIT001: uncommitted work is thrown away.

use hookgate_effects::Kind;

use crate::{Check, Hit, Kinds, Rule, Seen, made_again};

pub(crate) const RULE: Rule = Rule {
    code: "GIT001",
    name: "discard-work",
    summary: "uncommitted work is thrown away",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitDiscard]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    // One side of a conflict is taken: both sides are commits.
    let resolves = seen.argument(|argument| matches!(argument, "--ours" | "--theirs"));
    (!resolves && !only_generated(seen)).then(|| {
        seen.hit(format!("throws away uncommitted changes in {}", seen.target("the work tree")))
            .fix("`git stash` first")
    })
}

/// Are the files that are put back all such as a tool writes: lock files, reports?
fn only_generated(seen: &Seen<'_>) -> bool {
    let effects = seen.facts.effects.effects.iter().enumerate();
    let mut written = effects
        .map(|(index, effect)| Seen { index, effect, ..*seen })
        .filter(|other| other.effect.call == seen.effect.call && other.effect.kind == Kind::Write)
        .peekable();
    written.peek().is_some()
        && written.all(|other| {
            // What stands above the project says nothing about what is in it.
            let path = other.path().filter(|path| !path.pattern);
            let below = path.and_then(|path| path.path.strip_prefix(seen.facts.places.project.as_str()));
            below.is_some_and(made_again::is_never_edited)
        })
}
