//! DEV003: writing inside the project is granted.

use hookgate_effects::{Kind, Place, Traits};

use crate::{Check, Hit, Kinds, Rule, Seen};

pub(crate) const RULE: Rule = Rule {
    code: "DEV003",
    name: "project-files",
    summary: "writing inside the project is granted",
    page: include_str!("page.md"),
    kinds: Kinds::CHANGES,
    check: Check::Each(check),
};

fn check(seen: &Seen<'_>) -> Option<Hit> {
    let path = seen.path()?;
    let inside = matches!(path.place, Place::Project | Place::Temporary);
    let guarded = path.traits != Traits::default() || seen.is_root();
    let gentle = match seen.effect.kind {
        Kind::Write | Kind::Append | Kind::Link => true,
        Kind::Permission => !seen.wide() && is_own_mode(seen),
        _ => false,
    };
    (inside && !guarded && gentle).then(|| seen.cover("writes inside the project")).flatten()
}

/// Are the new permissions said as a mode, and one that does not let everybody write?
fn is_own_mode(seen: &Seen<'_>) -> bool {
    let mode = seen.call().filter(|call| call.program == "chmod").and_then(|call| {
        call.arguments.iter().filter_map(|argument| argument.text.as_deref()).find(|text| is_mode(text))
    });
    mode.is_some_and(|mode| match mode.chars().next_back().and_then(|last| last.to_digit(8)) {
        Some(everybody) => everybody & 2 == 0,
        None => !mode.split(',').any(|part| {
            let (who, what) = part.split_once(['+', '=']).unwrap_or_default();
            what.contains('w') && (who.contains(['o', 'a']))
        }),
    })
}

/// `755`, `u+x`, `-w`
fn is_mode(text: &str) -> bool {
    let octal = text.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
    octal || text.trim_start_matches(['u', 'g', 'o', 'a']).starts_with(['+', '=', '-'])
}
