//! COMMIT002: a commit isn't signed.

use hookgate_effects::Kind;
use hookgate_effects::Part;
use hookgate_policy::CommitConvention;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT002",
    name: "unsigned",
    summary: "a commit isn't signed",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitCommit]),
    check: Check::Whole(|facts, hits| conventions::commits(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    if convention.signature == Some(true) && !commit.says(Part::Signature) {
        problems.push(
            Problem::new("commits without a signature", commit.span)
                .fix(commit.option_advice(Part::Signature, "sign the commit, or ask the user to commit")),
        );
    }
}
