//! Archives: `zip` and `unzip`.

use crate::context::Context;
use crate::effect::Kind;
use crate::knowledge::Matched;

/// `unzip A.zip -d DIRECTORY`
pub(crate) fn unzip(context: &mut Context<'_>, call: &Matched<'_>) {
    context.standard(call);
    if ["-l", "-t", "-z", "-p", "-c", "-v", "-Z"].iter().any(|name| call.has(name)) {
        return;
    }
    match call.value("-d") {
        // Whatever is in it, under whatever name.
        Some(directory) => context.tree(Kind::Write, directory),
        None => context.path_text(Kind::Write, ".", true),
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
