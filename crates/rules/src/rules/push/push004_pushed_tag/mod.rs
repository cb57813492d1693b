//! PUSH004: a push takes tags along.

use hookgate_effects::Part;
use hookgate_policy::PushConvention;
use hookgate_text::{Quoted, say};

use crate::conventions::Problem;
use crate::conventions::pushes::{PUSHES, Push, look_at};
use crate::{Check, Kinds, Rule};

pub(crate) const RULE: Rule = Rule {
    code: "PUSH004",
    name: "pushed-tag",
    summary: "a push takes tags along",
    page: include_str!("page.md"),
    kinds: Kinds::of(PUSHES),
    check: Check::Whole(|scene, hits| look_at(scene, PUSHES, hits, look)),
};

fn look(convention: &PushConvention, push: &Push<'_>, problems: &mut Vec<Problem>) {
    if convention.no_tags != Some(true) {
        return;
    }
    let fix = "leave the tags out; the release creates them";
    if push.says(Part::Tags) {
        problems.push(Problem::new("pushes tags", push.span()).fix(fix));
    }
    for (name, span) in push.branches() {
        if push.is_tag(&name) {
            let shown = name.strip_prefix("refs/tags/").unwrap_or(&name);
            problems.push(Problem::new(say!("pushes the tag {}", Quoted::new(shown)), span).fix(fix));
        }
    }
}
