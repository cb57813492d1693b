//! Whether a call does anything at all, and how sure that is.

use crate::context::is_harmful;
use crate::effect::Kind;
use crate::field::Field;
use crate::knowledge::listed_operands;
use crate::knowledge::{Change, Count, Matched, MatchedOption, Operand, Role};

/// Is there less than the file says that the call needs, or nothing that it could be done to? Then it fails, or asks,
/// or takes from somewhere else what nobody sees here.
pub(crate) fn lacks_operand(call: &Matched<'_>) -> bool {
    let required: usize = listed_operands(call)
        .iter()
        .filter(|operand| matches!(operand.count, Count::One | Count::Some))
        .count();
    let names_harmed = |operand: &Operand| {
        operand.role.file_effects().iter().any(|kind| is_harmful(*kind))
            || operand.effect == Some(Kind::ContainerChange)
    };
    let nothing_named = call.operands.is_empty() && listed_operands(call).iter().any(names_harmed);
    call.unlisted.is_empty() && (call.operands.len() < required || nothing_named)
}

/// How sure it is that an option makes the whole call do nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idle {
    No,
    Likely,
    Certain,
}

/// Does an option make the whole call do nothing? Of one that takes a value the last occurrence counts, and
/// `--dry-run=none` is the real thing. Beside an option that is not listed, a `--dry-run` may be that one's value.
pub(crate) fn does_nothing(call: &Matched<'_>) -> Idle {
    let mut found = Idle::No;
    for (index, option) in call.options.iter().enumerate() {
        if !option.specification.changes().any(|change| change == Change::Nothing) {
            continue;
        }
        let shows = match option.name {
            // Behind a subcommand it is verbose, or the version of a thing: `aws ... delete-traffic-policy --version 1`.
            "--version" | "-v" | "-V" if !call.subcommand.is_empty() => continue,
            "--help" | "-h" | "--version" | "-v" | "-V" => true,
            // `kubectl delete --raw` sends the request as it is.
            "--dry-run" if call.has("--raw") => continue,
            // What stands in for the shell runs all the same.
            "-n" | "--dry-run"
                if call.value("--rsh").is_some_and(|shell| !shell.written.starts_with("ssh")) =>
            {
                continue;
            }
            _ => false,
        };
        if shows {
            return shown_first(call, option.index);
        }
        let same = |other: &&MatchedOption<'_>| other.specification == option.specification;
        let last = call.options.iter().skip(index + 1).rev().find(same);
        let real = match &last.unwrap_or(option).value {
            None => false,
            Some(value) => value
                .text()
                .is_none_or(|text| matches!(text, "none" | "false" | "False" | "f" | "0" | "no" | "off")),
        };
        if real || !call.unlisted.is_empty() {
            continue;
        }
        // A computed word may bring options of its own, and of two that differ programs choose as they like.
        let agree = call.options.iter().filter(same).all(|other| other.value == option.value);
        let certain = agree && call.arguments.iter().all(is_certain);
        found = if certain { shown_first(call, option.index) } else { Idle::Likely };
    }
    found
}

/// `--help` is the program's own where nothing before it is an operand: behind one, some builds of programs that change
/// files take it for another.
fn shown_first(call: &Matched<'_>, index: usize) -> Idle {
    let before = call.arguments.get(..index).unwrap_or_default();
    let is_operand = |field: &Field| call.operands.iter().any(|operand| operand.span == field.span);
    let changes_files = call.subcommand.is_empty()
        && listed_operands(call)
            .iter()
            .any(|operand| operand.role.file_effects().iter().any(|kind| *kind != Kind::Read));
    let behind_operand = changes_files && before.iter().any(is_operand);
    let carries = listed_operands(call)
        .iter()
        .any(|operand| matches!(operand.role, Role::Command | Role::Shell) && !call.operands.is_empty());
    if behind_operand || carries || !before.iter().all(is_certain) { Idle::Likely } else { Idle::Certain }
}

/// Is the word what it says, and one word? `%NAME%` is a variable to another shell.
fn is_certain(field: &Field) -> bool {
    let foreign = field.written.strip_prefix('%').is_some_and(|rest| rest.ends_with('%'));
    field.text.is_some() && !field.pattern && !foreign
}
