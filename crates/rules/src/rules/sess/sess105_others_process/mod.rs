//! SESS105: a program is ended that another session started.

use hookgate_effects::Kind;
use hookgate_text::{Quoted, say};

use crate::alongside::{hit, named, neighbours};
use crate::{Check, Hit, Kinds, Rule, Scene};

pub(crate) const RULE: Rule = Rule {
    code: "SESS105",
    name: "others-process",
    summary: "a program is ended that another session started",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Kill]),
    check: Check::Whole(check),
};

fn check(scene: &Scene<'_>, hits: &mut Vec<Hit>) {
    for (index, call, _, alongside) in neighbours(scene, &[Kind::Kill]) {
        let own = scene.seen().filter(|seen| seen.effect.kind == Kind::Kill);
        let own = own.filter(|seen| seen.call().is_some_and(|other| other.span() == call.span()));
        let names: Vec<&str> = own.filter_map(|seen| seen.name()).collect();
        for neighbour in alongside {
            // `pkill -f` takes a part of a command.
            let running =
                neighbour.started.iter().find(|command| names.iter().any(|name| command.contains(name)));
            if let Some(command) = running {
                let what = say!("ends {}, started by {}", Quoted::new(command), named(&neighbour));
                hits.push(hit(index, call.span(), what, "kill your own process by its PID"));
            }
        }
    }
}
