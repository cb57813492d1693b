//! COMMIT006: a feature or a fix has a scope that is a type of its own.

use hookgate_effects::Kind;
use hookgate_policy::CommitConvention;
use hookgate_text::{Message, Quoted, say};

use crate::conventions::title::misplaced;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT006",
    name: "misplaced-scope",
    summary: "a feature or a fix has a scope that is a type of its own",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::GitCommit]),
    check: Check::Whole(|facts, hits| conventions::commits(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let (Some(text), Some(scopes)) = (&commit.text, &convention.misplaced_scopes) else { return };
    if let Some((kind, scope)) = misplaced(text.title(), scopes) {
        let what = say!("labels a change to {} as a {}", Quoted::new(scope), Message::in_their_words(kind));
        problems.push(
            Problem::new(what, text.span).fix(say!("use {} as the type of the title", Quoted::new(scope))),
        );
    }
}
