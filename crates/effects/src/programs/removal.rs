//! `rm`, where it asks before it deletes, and programs that delete trees.

use crate::context::Context;
use crate::effect::Kind;
use crate::field::{Data, Field};
use crate::knowledge::Matched;

/// `rm -i` deletes what somebody says yes to: without an answer on its input, nothing.
pub(crate) fn rm(context: &mut Context<'_>, call: &Matched<'_>) {
    let asks = call.options.iter().rev().find_map(|option| match option.name {
        "-f" | "--force" => Some(false),
        "-i" => Some(true),
        "--interactive" => {
            let when = option.value.as_ref().map(Field::shown);
            Some(!matches!(when, Some("never" | "no" | "none" | "once")))
        }
        _ => None,
    });
    let answered = match context.input() {
        Data::Nothing => false,
        Data::Text(text) => text.lines().any(|line| line.trim_start().starts_with(['y', 'Y'])),
        _ => true,
    };
    if asks != Some(true) || answered {
        return context.standard(call);
    }
    context.possibly(|context| {
        for operand in &call.operands {
            context.path(Kind::Delete, operand);
            context.annotate("if somebody says yes");
        }
    });
}

/// `rimraf DIRECTORY`, `del 'logs/*'`: whole trees, and patterns that the program expands itself.
pub(crate) fn trees(context: &mut Context<'_>, call: &Matched<'_>) {
    for operand in &call.operands {
        let pattern = operand.pattern || operand.shown().contains(['*', '?', '[']);
        context.tree(Kind::Delete, &Field { pattern, ..operand.clone() });
    }
}

/// What makes a directory anew: with `--clear` all goes that was in it.
pub(crate) fn cleared(context: &mut Context<'_>, call: &Matched<'_>) {
    if call.has("--clear") {
        for directory in &call.operands {
            context.tree(Kind::Delete, directory);
        }
    }
    context.standard(call);
}
