//! COMMIT001: a commit isn't signed off.

use hookgate_effects::Kind;
use hookgate_effects::Part;
use hookgate_policy::CommitConvention;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT001",
    name: "missing-sign-off",
    summary: "a commit isn't signed off",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitCommit]),
    check: Check::Whole(|facts, hits| conventions::commits(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let trailer = || commit.trailers().any(|line| line.to_lowercase().starts_with("signed-off-by:"));
    if convention.sign_off == Some(true) && !commit.says(Part::SignOff) && !trailer() {
        problems.push(
            Problem::new("commits without a sign-off", commit.span).fix(
                commit.option_advice(
                    Part::SignOff,
                    "add the line `Signed-off-by: NAME <ADDRESS>` to the message",
                ),
            ),
        );
    }
}
