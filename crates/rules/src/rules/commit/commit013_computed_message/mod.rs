//! COMMIT013: a command writes a part of what a commit, pull request or issue says.

use hookgate_effects::{Kind, Part};
use hookgate_text::say;

use crate::conventions::{Problem, calls, report};
use crate::{Check, Deed, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT013",
    name: "computed-message",
    summary: "a command writes a part of what a commit, pull request or issue says",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitCommit, Kind::GitChange, Kind::RemoteChange]),
    check: Check::Whole(check),
};

/// The parts that people read.
const READ: [Part; 6] =
    [Part::Message, Part::MergeMessage, Part::PullTitle, Part::PullBody, Part::IssueTitle, Part::IssueBody];

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    if !scene.conventions().commits.iter().any(|one| one.no_substitution == Some(true)) {
        return;
    }
    for (index, call) in calls(scene, &[Kind::GitCommit, Kind::GitChange, Kind::RemoteChange]) {
        let mut problems = Vec::new();
        let computed = call.said().iter().filter(|said| said.text.is_none() && READ.contains(&said.part));
        for said in computed {
            let inside = |other: &Deed<'_>| {
                let (outer, inner) = (said.span, other.span());
                outer.start <= inner.start && inner.end <= outer.end
            };
            if let Some(inner) = scene.calls().find(inside) {
                let what = say!("runs {} to fill in part of its text", inner.shown());
                problems.push(
                    Problem::new(what, inner.span()).fix(
                        "write the text out: in single quotes, or in a heredoc that starts with `<<'EOF'`",
                    ),
                );
            }
        }
        report(problems, index, hits);
    }
}
