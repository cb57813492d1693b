//! COMMIT007: a commit's message has a word that the project doesn't want.

use hookgate_policy::CommitConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::message::find_word;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT007",
    name: "forbidden-word",
    summary: "a commit's message has a word that the project doesn't want",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::all_messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let (Some(text), Some(words)) = (&commit.text, &convention.forbid) else { return };
    for word in words {
        if let Some((number, _)) = text.lines().find(|(_, line)| find_word(line, word)) {
            let what = say!("writes {} on line {} of the message", Quoted::new(word), number);
            problems.push(Problem::new(what, text.span).fix("use other words"));
        }
    }
}
