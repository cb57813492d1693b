//! Raw copies, sizes and partitions: `dd`, `truncate`, `parted`.

use crate::context::Context;
use crate::effect::{Kind, Unknown};
use crate::field::Field;
use crate::knowledge::Matched;

/// `dd if=A of=B`
pub(crate) fn dd(context: &mut Context<'_>, call: &Matched<'_>) {
    // Of several outputs the last one counts, and what goes nowhere is not shown.
    let output = call.arguments.iter().rposition(|operand| operand.written.starts_with("of="));
    let nowhere = output.and_then(|at| call.arguments.get(at)).is_some_and(|field| {
        matches!(field.written.as_str(), "of=/dev/null" | "of=/dev/zero" | "of=/dev/full")
    });
    for (at, operand) in call.arguments.iter().enumerate() {
        let (name, _) = operand.written.split_once('=').unwrap_or((&operand.written, ""));
        let value: Field = operand.after(name.len() + 1);
        match name {
            "if" if nowhere => {}
            "if" => context.path(Kind::Read, &value),
            "of" if output != Some(at) => {
                context.doubt(operand.span, "an output that a later one stands in for");
            }
            "of" if nowhere => {}
            "of" if value.written.starts_with("/dev/") => {
                let harmless = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];
                if !harmless.contains(&value.written.as_str()) {
                    context.named(Kind::Device, &value);
                    context.path(Kind::Destroy, &value);
                }
            }
            "of" => {
                context.path(Kind::Write, &value);
                context.doubt(operand.span, "how much of what lies there goes depends on what is copied");
            }
            "bs" | "ibs" | "obs" | "cbs" | "count" | "skip" | "seek" | "iseek" | "oseek" | "conv"
            | "iflag" | "oflag" | "status" | "files" | "speed" => {}
            _ if operand.is_dashed() => {}
            _ => context.unknown(Unknown::Program, operand.span),
        }
    }
}

/// `truncate -s SIZE FILE`: a size with a sign before it that only grows keeps what is there.
pub(crate) fn truncate(context: &mut Context<'_>, call: &Matched<'_>) {
    let size = call.value("--size").and_then(Field::text).unwrap_or_default();
    let size = size.trim_start();
    let keeps = size.starts_with(['+', '>', '%']) || (call.has("--reference") && !call.has("--size"));
    if let Some(reference) = call.value("--reference") {
        context.path(Kind::Read, reference);
    }
    if size.is_empty() && !keeps && call.unlisted.is_empty() && !call.has("--size") {
        // It refuses.
        return;
    }
    for file in &call.operands {
        context.path(if keeps { Kind::Write } else { Kind::Destroy }, file);
    }
}

/// `parted DEVICE COMMANDS`: some only show.
pub(crate) fn parted(context: &mut Context<'_>, call: &Matched<'_>) {
    const CHANGES: [&str; 12] = [
        "mklabel",
        "mktable",
        "mkpart",
        "rm",
        "resizepart",
        "rescue",
        "name",
        "set",
        "toggle",
        "disk_set",
        "disk_toggle",
        "type",
    ];
    let commands = call.operands.get(1..).unwrap_or_default();
    let changes = commands.iter().any(|word| word.text().is_none_or(|text| CHANGES.contains(&text)));
    if changes || commands.is_empty() {
        context.effect(Kind::Device);
    }
}
