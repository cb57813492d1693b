//! SRC004: a file is edited by hand that a program generates.

use hookgate_effects::Kind;
use hookgate_source::{Place, generated_by};
use hookgate_text::{Quoted, say};

use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SRC004",
    name: "generated-file",
    summary: "a file is edited by hand that a program generates",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Write, Kind::Append]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for file in scene.sources().iter().filter(|file| file.in_project) {
        let Some((line, words)) = file.before.as_deref().and_then(generated_by) else { continue };
        // A generator writes its header again; whoever takes it out makes the file their own.
        if generated_by(&file.after).is_none() {
            continue;
        }
        let what = say!("edits generated code by hand, marked {},", Quoted::new(words));
        hits.push(file.at(Place { line, column: 1 }, &what, "change its source, and run the generator"));
    }
}
