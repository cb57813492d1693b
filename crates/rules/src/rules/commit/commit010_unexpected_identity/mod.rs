//! COMMIT010: signs a commit off as someone else.

use hookgate_policy::CommitConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT010",
    name: "unexpected-identity",
    summary: "signs a commit off as someone else",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::all_messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let Some(identity) = &convention.identity else { return };
    let span = commit.text.as_ref().map_or(commit.span, |text| text.span);
    for line in commit.trailers() {
        let Some((key, value)) = line.split_once(':') else { continue };
        if key.trim().eq_ignore_ascii_case("signed-off-by") && value.trim() != identity {
            let what = say!("signs off as {}", Quoted::new(value.trim()));
            problems.push(Problem::new(what, span).fix(say!("sign off as {}", Quoted::new(identity))));
        }
    }
}
