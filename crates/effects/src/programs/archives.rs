//! Archives and raw copies: `unzip`, `dd`, and what `make` is told to evaluate.

use super::Matched;
use crate::context::Context;
use crate::effect::{Kind, Unknown};
use crate::field::Field;

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

/// `date 061316272026`, `sysctl NAME=VALUE`: a word that sets what the others ask for.
pub(crate) fn setting_words(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let dated = call.program == "date";
    if dated && call.operands.iter().any(|word| word.text().is_none()) {
        context.doubt(call.span, "a word that can set the clock as well as say how to show it");
    }
    let sets = |word: &Field| match word.text() {
        // What begins otherwise is no date, and refused.
        Some(text) if dated => text.starts_with(|c: char| c.is_ascii_digit()) && !call.has("-j"),
        _ => !dated && word.written.contains('='),
    };
    if call.operands.iter().any(sets) {
        context.effect(Kind::System);
    }
}

/// `clang-format -i FILES`: what it otherwise prints takes the place of the files.
pub(crate) fn in_place(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if call.has("-i") {
        for file in &call.operands {
            context.path(Kind::Write, file);
        }
    }
}

/// `grype -o json=FILE`, `golangci-lint --out-format json:FILE,tab`: a format, and the file that it goes to.
pub(crate) fn format_and_file(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    for format in call.values("--output").chain(call.values("--output-format")) {
        if let Some(at) = format.written.find(['=', ':']) {
            context.path(Kind::Write, &format.after(at + 1));
        }
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

/// `unzip A.zip -d DIRECTORY`
pub(crate) fn unzip(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if ["-l", "-t", "-z", "-p", "-c", "-v", "-Z"].iter().any(|name| call.has(name)) {
        return;
    }
    match call.value("-d") {
        Some(directory) => context.path(Kind::Write, directory),
        None => context.path_text(Kind::Write, ".", false),
    }
}

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

/// `make --eval TEXT` and `make VARIABLE='$(shell ...)'` run what they say.
pub(crate) fn make(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    let assigned = call.operands.iter().filter(|field| field.written.contains('='));
    for text in call.values("--eval").chain(assigned) {
        if text.written.contains("$(shell")
            || text.written.contains("!=")
            || (call.has("--eval") && text.text().is_none())
        {
            context.unknown(Unknown::Command, text.span);
        }
    }
}

/// `zip ARCHIVE FILES`: with `-m` the files go.
pub(crate) fn zip(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if let Some(archive) = call.operands.first()
        && !crate::paths::file_name(archive.shown()).contains('.')
    {
        super::copies::beside(context, archive, ".zip");
    }
    if !call.has("-m") {
        return;
    }
    for file in call.operands.iter().skip(1) {
        if call.has("-r") {
            context.tree(Kind::Delete, file);
        } else {
            context.path(Kind::Delete, file);
        }
    }
}

/// `mktemp TEMPLATE`: without a template or a directory it is a file of its own choice.
pub(crate) fn mktemp(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    // A short hidden name in a directory that everybody writes to is easily somebody else's.
    if call.operands.iter().any(|template| crate::paths::file_name(template.shown()).starts_with('.')) {
        context.doubt(call.span, "a hidden temporary name");
    }
    if call.operands.is_empty() && call.value("-p").is_none() && call.value("--tmpdir").is_none() {
        context.path_text(Kind::Write, "/tmp/tmp.XXXXXXXXXX", false);
    }
}
