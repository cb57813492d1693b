//! COMMIT005: a commit's body has long lines or begins right below the title.

use hookgate_policy::CommitConvention;
use hookgate_text::say;

use crate::conventions::{self, Commit, Problem};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "COMMIT005",
    name: "body-lines",
    summary: "a commit's body has long lines or begins right below the title",
    page: include_str!("page.md"),
    kinds: Kinds::of(conventions::WITH_MESSAGE),
    check: Check::Whole(|facts, hits| conventions::messages(facts, hits, look)),
};

fn look(convention: &CommitConvention, commit: &Commit<'_>, problems: &mut Vec<Problem>) {
    let (Some(text), Some(most)) = (&commit.text, convention.body_max) else { return };
    let lines: Vec<(usize, &str)> = text.body().collect();
    if lines.first().is_some_and(|(_, line)| !line.is_empty()) {
        problems.push(
            Problem::new("starts the body right below the title", text.span)
                .fix("leave line 2 of the message blank"),
        );
    }
    for (number, line) in lines {
        let long = line.chars().count();
        if long > most && !line.contains("https:") && !line.contains("http:") {
            let what =
                say!("writes a body whose line {} has {} characters, more than {}", number, long, most);
            problems.push(Problem::new(what, text.span).fix(say!("wrap the line at {} characters", most)));
        }
    }
}
