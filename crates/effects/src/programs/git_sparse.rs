//! `git sparse-checkout`, `git rm` of patterns: files that git knows leave the work tree.

use super::brought;
use crate::context::Context;
use crate::field::Field;
use crate::knowledge::{Matched, shipped};

/// What a call leaves out that guards are about.
pub(super) fn left_out(context: &mut Context<'_>, call: &Matched<'_>, path: &[&str]) {
    match shipped().table("git/leaves-out").find(&path.join(".")).and_then(|row| row.cell(0)) {
        Some("fitting") => removed(context, call),
        Some(patterns) => chosen(context, call, patterns == "others"),
        None => {}
    }
}

/// `git rm PATTERN`: git matches it against all that it knows, and `*` with folders as well.
fn removed(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("--cached") {
        return;
    }
    let patterns: Vec<String> = call.operands.iter().filter_map(Field::text).map(str::to_owned).collect();
    if !patterns.iter().any(|pattern| pattern.starts_with(':') || pattern.contains(['*', '?', '['])) {
        return;
    }
    let goes = |name: &str| {
        patterns.iter().any(|pattern| match pattern.strip_prefix(':') {
            // Whatever magic is behind it.
            Some(rest) => !rest.starts_with(['!', '^']),
            None => hookgate_knowledge::glob::matches(pattern, name),
        })
    };
    brought::left_out(context, call, |name| !goes(name));
}

/// The patterns say what stays. They stand in the call, or in a file.
fn chosen(context: &mut Context<'_>, call: &Matched<'_>, in_call: bool) {
    // By folders, unless it is told otherwise: what lies in none stays.
    let by_folders = !call.has("--no-cone");
    let known = !call.has("--stdin") && call.operands.iter().all(|field| field.text().is_some());
    let patterns: Vec<&str> = call.operands.iter().filter_map(Field::text).collect();
    let within = |name: &str, pattern: &str| {
        let pattern = pattern.trim_matches('/');
        name.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let stays = |name: &str| match in_call {
        true if by_folders => {
            !name.contains('/') || (known && patterns.iter().any(|pattern| within(name, pattern)))
        }
        true => {
            // The last pattern that fits counts; of one with a wildcard in it nobody knows whether it does.
            let last = patterns.iter().rev().find(|pattern| {
                let bare = pattern.trim_start_matches('!');
                bare.trim_matches('/') == "*" || bare.contains(['*', '?', '[']) || within(name, bare)
            });
            known
                && last.is_some_and(|last| {
                    !last.starts_with('!') && within(name, last) || matches!(*last, "*" | "/*")
                })
        }
        false => false,
    };
    brought::left_out(context, call, stays);
}
