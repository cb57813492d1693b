//! COMMIT012: a commit has nothing to take.

use hookgate_effects::{Kind, Part};

use crate::conventions::{Problem, calls, report, repository};
use crate::{Check, Hit, Kinds, Rule, Scene, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT012",
    name: "nothing-staged",
    summary: "a commit has nothing to take",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitCommit]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    if !scene.conventions().commits.iter().any(|one| one.staged == Some(true)) {
        return;
    }
    for (index, call) in calls(scene, &[Kind::GitCommit]) {
        let span = call.span();
        // What an earlier call of the text stages isn't in the index yet.
        let earlier = |seen: &Seen<'_>| {
            let before = seen.call().is_some_and(|other| other.span().start < span.start);
            before && seen.effect.kind == Kind::GitChange
        };
        if call.said().iter().any(|said| said.part == Part::Unstaged) || scene.seen().any(|one| earlier(&one))
        {
            continue;
        }
        let asked = scene.repositories().zip(repository(&call));
        if asked.and_then(|(repositories, directory)| repositories.has_staged(directory)) == Some(false) {
            let problem = Problem::new("commits with nothing staged", span);
            report(vec![problem.fix("stage the files first, by name: `git add FILE`")], index, hits);
        }
    }
}
