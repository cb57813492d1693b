//! Where programs put what they make: in place of their input, into a file behind a format, under a name of their own.

use crate::context::Context;
use crate::effect::Kind;
use crate::knowledge::Matched;

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
        let Some(text) = format.text() else {
            context.doubt(format.span, "a format that may name a file");
            continue;
        };
        for (_, file) in text.split(',').filter_map(|one| one.split_once(['=', ':'])) {
            context.path_text(Kind::Write, file, false);
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
