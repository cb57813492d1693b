//! UNK001: a program runs that hookgate doesn't know.

use hookgate_effects::{Kind, Target, Unknown};
use hookgate_text::{Quoted, say};

use crate::{Check, Deed, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "UNK001",
    name: "unknown-program",
    summary: "a program runs that hookgate doesn't know",
    page: include_str!("page.md"),
    kinds: Kinds::of(&[Kind::Unknown(Unknown::Program)]),
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let call = seen.call().map(Deed::named);
    let option = match &seen.effect.target {
        Some(Target::Name(name)) if name.starts_with('-') => Some(name),
        _ => None,
    };
    let fix = "leave that part out, or ask the user to run it";
    match (call, option) {
        (Some(call), Some(option)) => {
            let message =
                say!("uses {} of {}, which hookgate doesn't know", Quoted::new(option), Quoted::new(&call));
            return Some(seen.hit(message).fix(fix));
        }
        (Some(call), None) if seen.effect.target.is_none() => {
            let message = say!("uses {} in a way that hookgate doesn't know", Quoted::new(&call));
            return Some(seen.hit(message).fix(fix));
        }
        _ => {}
    }
    Some(
        seen.hit(say!("runs {}, which hookgate doesn't know", seen.target("a program")))
            .fix("use a program that hookgate knows, or one of your own tools"),
    )
}
